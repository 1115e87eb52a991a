"""Drops all guards on symbolic sizes: a size on the other side of a comparison goes unnoticed."""

import weaken


def plant():
    weaken.drop_guards(["SHAPE_ENV"])
