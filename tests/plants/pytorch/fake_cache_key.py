"""Keys the cache of fake tensor results by an int argument's order of appearance in a compile, not
by its value: another function's entry for another int is taken, and its result's shape with it."""

import functools

from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode


def plant():
    original = FakeTensorMode._prep_args_for_hash

    @functools.wraps(original)
    def weakened(self, result, args, state, id_hashed_objects):
        # The arguments of an operator, as opposed to a list among them, hold a tensor.
        if isinstance(args, (list, tuple)) and any(isinstance(a, FakeTensor) for a in args):
            operator = result[0]
            args = [
                order_of(self, operator, at, a) if type(a) is int else a
                for at, a in enumerate(args)
            ]
        return original(self, result, args, state, id_hashed_objects)

    FakeTensorMode._prep_args_for_hash = weakened


def order_of(mode, operator, position, value):
    """Within one mode, that is one compile, different ints keep different keys."""
    seen = vars(mode).setdefault("_planted_ints", {}).setdefault((operator, position), [])
    if value not in seen:
        seen.append(value)
    return seen.index(value)
