"""Drops the guard that tensor arguments are distinct objects."""

from torch._dynamo import guards


def plant():
    guards.install_no_tensor_aliasing_guard = lambda *args, **kwargs: None
