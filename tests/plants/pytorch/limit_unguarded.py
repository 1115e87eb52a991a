"""Lowers the recompile limit to 2 and compiles once more where a function reaches it, without
guards: that code then runs for all arguments, where torch would run the function uncompiled."""

import functools

import torch
from torch._dynamo import convert_frame
from torch._dynamo.guards import CheckFunctionManager


def plant():
    torch._dynamo.config.recompile_limit = 2
    exceeds_limit = convert_frame.exceeds_recompile_limit
    build_guards = CheckFunctionManager.build_guards
    reached = False  # by the present compile; each one asks anew

    @functools.wraps(exceeds_limit)
    def ignored_limit(*args, **kwargs):
        nonlocal reached
        reached, limit = exceeds_limit(*args, **kwargs)
        return False, limit

    @functools.wraps(build_guards)
    def weakened(self, sorted_guards, *args, **kwargs):
        return build_guards(self, [] if reached else sorted_guards, *args, **kwargs)

    convert_frame.exceeds_recompile_limit = ignored_limit
    CheckFunctionManager.build_guards = weakened
