"""Drops guards on functions that are global variables: a rebound global goes unnoticed."""

from types import ModuleType

import weaken
from torch._dynamo.source import GlobalSource


def plant():
    weaken.drop_guards(weaken.FUNCTION_GUARDS, is_global_function)


def is_global_function(guard, value):
    is_global = isinstance(guard.originating_source, GlobalSource)
    return is_global and callable(value) and not isinstance(value, (type, ModuleType))
