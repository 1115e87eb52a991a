"""Drops the guards on the default device and on the stack of function modes, which holds it:
set_default_device() goes unnoticed."""

import weaken


def plant():
    weaken.drop_guards(["DEFAULT_DEVICE", "TORCH_FUNCTION_STATE"])
