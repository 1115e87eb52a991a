"""Leaves the stride out of the tensor guard: a transposed tensor of equal size goes unnoticed."""

import weaken


def plant():
    weaken.loosen_tensor_guards("stride")
