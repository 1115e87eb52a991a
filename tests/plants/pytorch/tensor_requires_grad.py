"""Leaves requires_grad and the dispatch keys out of the tensor guard: a tensor that begins or
ceases to require a gradient goes unnoticed."""

import weaken


def plant():
    weaken.loosen_tensor_guards("requires_grad", "keys")
