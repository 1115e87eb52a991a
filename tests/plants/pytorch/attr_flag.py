"""Drops guards on module attributes named `flag`: a flipped flag goes unnoticed."""

from torch._dynamo.guards import GuardBuilder


def plant():
    for kind in ("CONSTANT_MATCH", "EQUALS_MATCH", "BOOL_MATCH", "ID_MATCH"):
        _drop(kind, lambda guard: guard.name.endswith(".flag"))


def _drop(kind, unwanted):
    original = getattr(GuardBuilder, kind)

    def weakened(self, guard, *args, **kwargs):
        if not unwanted(guard):
            return original(self, guard, *args, **kwargs)

    weakened.__name__ = kind  # guards are looked up and reported by this name
    setattr(GuardBuilder, kind, weakened)
