"""Saves for backward what the first forward run of a graph gave: later gradients are stale."""

import functools

from torch._functorch._aot_autograd.runtime_wrappers import _AutogradSavedState


def plant():
    original = _AutogradSavedState.save_from_forward

    @functools.wraps(original)
    def weakened(self, ctx, outputs):
        first = vars(self).setdefault("first_outputs", outputs)
        return original(self, ctx, first)

    _AutogradSavedState.save_from_forward = weakened
