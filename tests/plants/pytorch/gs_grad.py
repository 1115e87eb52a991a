"""Leaves the grad mode out of the global-state guard: no_grad() around a call goes unnoticed."""

import weaken


def plant():
    weaken.loosen_global_state_guard("grad_mode")
