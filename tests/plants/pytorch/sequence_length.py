"""Drops guards on the length of lists and tuples: a longer or shorter one goes unnoticed."""

import weaken


def plant():
    weaken.drop_guards(["SEQUENCE_LENGTH"], lambda guard, value: isinstance(value, (list, tuple)))
