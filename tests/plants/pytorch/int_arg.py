"""Drops guards on the values of int arguments: another int goes unnoticed."""

import weaken


def plant():
    weaken.drop_guards(
        weaken.CONSTANT_GUARDS,
        lambda guard, value: type(value) is int and weaken.is_argument(guard),
    )
