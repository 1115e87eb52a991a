"""Drops guards on module attributes named `flag`: a flipped flag goes unnoticed."""

import weaken


def plant():
    weaken.drop_guards(weaken.CONSTANT_GUARDS, lambda guard, value: guard.name.endswith(".flag"))
