"""Drops guards on constants and functions in closure cells: another closure of the same code, or
a rebound variable of a closure, goes unnoticed."""

import weaken
from torch._dynamo.source import CellContentsSource, LocalSource


def plant():
    weaken.drop_guards({*weaken.CONSTANT_GUARDS, *weaken.FUNCTION_GUARDS}, is_in_cell)


def is_in_cell(guard, value):
    source = guard.originating_source
    if isinstance(source, LocalSource):
        return source.is_derefed_cell_contents
    return isinstance(source, CellContentsSource)
