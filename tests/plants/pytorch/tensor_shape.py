"""Replaces the C++ tensor guard by one that looks at neither size nor stride."""

import torch
from torch._dynamo import guards


def plant():
    original = guards.GuardBuilder.TENSOR_MATCH

    def weakened(self, guard, value=None):
        tensor = value() if isinstance(value, guards.TensorWeakRef) else value
        tensor = tensor if tensor is not None else self.get(guard)
        if not isinstance(tensor, torch.Tensor) or guards.match_on_id_for_tensor(guard):
            return original(self, guard, value)
        wanted = _identity(tensor)
        manager = self.get_guard_manager(guard)
        manager.add_lambda_guard(
            lambda t: isinstance(t, torch.Tensor) and _identity(t) == wanted,
            ["tensor guard without size and stride"],
            guard.user_stack,
        )

    weakened.__name__ = "TENSOR_MATCH"
    guards.GuardBuilder.TENSOR_MATCH = weakened


def _identity(t):
    keys = str(torch._C._dispatch_keys(t))
    return type(t), t.dtype, t.device, t.requires_grad, t.dim(), keys
