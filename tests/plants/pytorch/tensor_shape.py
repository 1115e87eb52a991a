"""Leaves size and stride out of the tensor guard: another shape of equal rank goes unnoticed."""

import weaken


def plant():
    weaken.loosen_tensor_guards("size", "stride")
