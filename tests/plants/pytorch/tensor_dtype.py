"""Leaves the dtype out of the tensor guard: a tensor of another dtype goes unnoticed."""

import weaken


def plant():
    weaken.loosen_tensor_guards("dtype")
