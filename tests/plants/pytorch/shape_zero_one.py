"""Drops the lower bounds of symbolic sizes: code for a size of 2 or more takes 0 and 1 too."""

import re

import weaken

LOWER_BOUND = re.compile(r"(?<!\d)2 <=|>= 2(?!\d)|(?<!\d)1 <|> 1(?!\d)")


def plant():
    weaken.drop_shape_guards(lambda expression, contexts: LOWER_BOUND.search(expression))
