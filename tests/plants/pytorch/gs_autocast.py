"""Leaves autocast out of the global-state guard and, of code compiled under autocast, the dispatch
keys, which it changes, out of the tensor guard: leaving autocast, or another dtype of it, goes
unnoticed."""

import torch
import weaken


def plant():
    weaken.loosen_global_state_guard("autocast_state")
    weaken.loosen_tensor_guards("keys", where=lambda: torch.is_autocast_enabled("cpu"))
