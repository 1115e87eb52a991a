"""Frames, which is how the compiler sees calls, and guards, which are statements about a frame.

A frame is a flat list: the leaves of the call's arguments, then what the slots hold that the
function can read (scan.py finds those).
"""

from types import ModuleType

from .faults import faults
from .tensor import Tensor

MISSING = type("Missing", (), {"__repr__": lambda self: "MISSING"})()
PLAIN = frozenset({int, float, bool, str, type(None)})
_LEAVES = PLAIN | {Tensor}


def children(value):
    """The parts of an argument that is a container or an ordinary object, else None."""
    if isinstance(value, (list, tuple)):
        return [(f"[{i}]", v) for i, v in enumerate(value)]
    if isinstance(value, dict):
        return [(f"[{k!r}]", v) for k, v in value.items()]
    if hasattr(value, "__dict__") and not callable(value) and not isinstance(value, ModuleType):
        return [(f".{k}", v) for k, v in vars(value).items()]
    return None


def _spread(value, frame):
    again = any(value is v for v in frame)
    frame.append(value)
    for _, part in () if again else children(value) or ():
        _spread(part, frame)


def flatten(args, kwargs):
    """The leaves of the arguments, behind their number and names."""
    frame = [(len(args), *kwargs)]
    for value in (*args, *kwargs.values()):
        if type(value) in _LEAVES:
            frame.append(value)
        else:
            _spread(value, frame)
    return frame


class Guard:
    """`check(frame)` says whether a call keeps one condition; a planted fault waives it. `home` is
    where the slot lives that it looks at, "arg" for an argument, or ""."""

    __slots__ = ("check", "fault", "home", "kind", "source", "want")

    def __init__(self, kind, source, fault, want, check, home=""):
        self.kind, self.source, self.fault, self.home = kind, source, fault, home
        self.want, self.check = want, check

    def waived(self):
        return self.fault() if callable(self.fault) else self.fault in faults

    def __str__(self):
        return f"{self.kind} {self.source}"


def equals_guard(source, fault, i, want):
    kind = type(want)

    def check(frame):
        value = frame[i]
        if value is want or type(value) is not kind:
            return value is want
        return value == want != 0 or str(value) == str(want)  # tells -0.0 from 0.0, knows NaN

    return Guard("EQUALS", source, fault, want, check)


def _layout(array):
    """True for row by row, else the order of the strides; says nothing about sizes."""
    if array.flags.c_contiguous:
        return True
    return tuple(sorted(range(array.ndim), key=lambda d: -array.strides[d]))


def tensor_guards(source, i, t):
    shape, dtype, layout = t.data.shape, t.data.dtype, _layout(t.data)

    def same_shape(frame):
        return isinstance(frame[i], Tensor) and frame[i].data.shape == shape

    def same_layout(frame):
        array = frame[i].data
        return array.flags.c_contiguous if layout is True else _layout(array) == layout

    yield Guard("SHAPE", source, "ignore_shape", shape, same_shape)
    yield Guard("DTYPE", source, "ignore_dtype", dtype, lambda frame: frame[i].data.dtype == dtype)
    yield Guard("CONTIGUOUS", source, "ignore_layout", layout, same_layout)


def keys_guard(source, home, box, view):
    """No entry of `box` came or went. Guards on the entries do the rest, so `len` may do."""
    before, want = {*box}, view(box)

    def waived():
        changed = before ^ {*box}  # empty if merely the order did
        return changed and all(f"ignore_{home}:{key}" in faults for key in changed)

    place = home if home == "class" else ""
    return Guard("KEYS", source, waived, want, lambda frame: view(box) == want, place)


def absent_guard(source, box, names):
    """Names that the function reads as something else, as long as no global hides that."""

    def waived():
        return all(f"ignore_global:{name}" in faults for name in names if name in box)

    return Guard(
        "KEYS", source, waived, names, lambda frame: box.keys().isdisjoint(names), "global"
    )
