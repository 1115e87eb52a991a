"""Drops the guard that the storages of arguments overlap as they did: views that begin or cease
to overlap go unnoticed."""

from torch._dynamo import guards


def plant():
    guards.install_storage_overlapping_guard = lambda *args, **kwargs: None
