"""Drops the guard that an argument is None: giving one that was left out goes unnoticed."""

import weaken


def plant():
    weaken.drop_guards(
        weaken.CONSTANT_GUARDS, lambda guard, value: value is None and weaken.is_argument(guard)
    )
