"""What a compiled call depends on: `Scan` finds all that the function reads, and guards it.

The scan is generous: it guards every slot that it can reach, read or not, which costs recompiles
but never a wrong result.
"""

from types import CodeType, FunctionType, MethodType, ModuleType

from .faults import faults
from .guards import (
    MISSING,
    PLAIN,
    Guard,
    absent_guard,
    children,
    equals_guard,
    keys_guard,
    tensor_guards,
)
from .layers import Module
from .tensor import Tensor, is_grad_enabled

_PACKAGE = __name__.rpartition(".")[0]
_HEAP_TYPE = 1 << 9  # in a class' flags: made by a class statement, so it can change


class _Reader:
    """Gives a closure cell, a list or the defaults of a function a dict's `get`."""

    __slots__ = ("read",)

    def __init__(self, read):
        self.read = read

    def get(self, key, default):
        try:
            return self.read(key)
        except (LookupError, TypeError, ValueError):
            return default


def _names_in(code):
    """What `code` and the functions inside it may look up as globals, in a fixed order."""
    inner = [name for c in code.co_consts if isinstance(c, CodeType) for name in _names_in(c)]
    return dict.fromkeys((*code.co_names, *inner))


class Scan:
    """The frame of a call, with guards on all of it.

    `slots` are the (container, key) pairs behind the second part of the frame; `tensors` names
    the tensors by position, `objects` lists the positions of arguments that are taken apart, and
    `stale` the tensors that a fault wants baked in.
    """

    def __init__(self, fn, names, args, kwargs):
        self.frame, self.guards, self.slots = [(len(args), *kwargs)], [], []
        self.tensors, self.objects, self.stale = {}, [], []
        self.seen, self.roots = set(), {}
        self.guards.append(equals_guard("arguments", "", 0, self.frame[0]))
        for name, value in zip((*names, *kwargs), (*args, *kwargs.values()), strict=True):
            self._argument(value, name)
        mode = is_grad_enabled()
        self.guards.append(
            Guard(
                "GRAD_MODE",
                "process",
                "ignore_grad_mode",
                mode,
                lambda frame: is_grad_enabled() is mode,
            )
        )
        if isinstance(fn, FunctionType):
            self.roots[id(fn.__globals__)] = fn.__globals__
        self._inside(fn, "self")

    def _argument(self, value, name):
        i, again, first = len(self.frame), any(value is v for v in self.frame), len(self.guards)
        self.frame.append(value)
        parts = children(value)
        if parts is None:
            self._leaf(value, name, f"ignore_arg:{name}", i)
        else:
            want = type(value), [suffix for suffix, _ in parts]
            self.guards.append(
                Guard(
                    "TYPE",
                    name,
                    f"ignore_arg:{name}",
                    want,
                    lambda frame: (
                        (type(frame[i]), [suffix for suffix, _ in children(frame[i]) or ()]) == want
                    ),
                )
            )
            self.objects.append(i)
            for suffix, part in () if again else parts:
                self._argument(part, name + suffix)
        self._live(first, "arg")

    def _live(self, first, home):
        """The guards from number `first` look at something of this home, if at nothing else."""
        for guard in self.guards[first:]:
            guard.home = guard.home or home

    def _slot(self, home, box, key, source):
        value, i, fault = box.get(key, MISSING), len(self.frame), f"ignore_{home}:{key}"
        first = len(self.guards)
        self.frame.append(value)
        self.slots.append((box, key))
        if home == "attr" and key == "training":
            self.guards.append(
                Guard("TRAINING", source, "ignore_training", value, lambda frame: frame[i] is value)
            )
        else:
            self._leaf(value, source, fault, i)
            if isinstance(value, Tensor) and f"stale_tensor:{key}" in faults:
                self.stale.append(value)
        self._live(first, home)

    def _leaf(self, value, source, fault, i):
        if isinstance(value, Tensor):
            self.tensors[i] = source
            self.guards += tensor_guards(source, i, value)
        elif type(value) in PLAIN:
            self.guards.append(equals_guard(source, fault, i, value))
        else:
            same = Guard("IDENTITY", source, fault, value, lambda frame: frame[i] is value)
            self.guards.append(same)
            self._inside(value, source)

    def _inside(self, value, source):
        """What can be read by way of a value that itself stays the same object."""
        if id(value) in self.seen:
            return
        self.seen.add(id(value))
        if isinstance(value, dict):
            self.guards.append(keys_guard(source, "dict", value, tuple))
            for key in value:
                self._slot("dict", value, key, f"{source}[{key!r}]")
        elif isinstance(value, (list, tuple)):
            size, reader = len(value), _Reader(value.__getitem__)
            self.guards.append(Guard("KEYS", source, "", size, lambda frame: len(value) == size))
            for i in range(size):
                self._slot("item", reader, i, f"{source}[{i}]")
        elif isinstance(value, FunctionType):
            if id(value.__globals__) in self.roots:
                self._function(value)
        elif isinstance(value, (MethodType, staticmethod, classmethod)):
            self._inside(value.__func__, source)
            self._inside(getattr(value, "__self__", None), source)
        elif isinstance(value, property):
            self._inside(value.fget, source)
        elif isinstance(value, type):
            if any(value.__module__ == g.get("__name__", "builtins") for g in self.roots.values()):
                self._class(value)
        elif hasattr(value, "__wrapped__"):  # another compiled callable, traced through
            self._inside(value.__wrapped__, source)
        elif hasattr(value, "__dict__") and not isinstance(value, ModuleType):
            self._object(value, source)

    def _object(self, value, source):
        cls, fields = type(value), vars(value)
        forward = getattr(cls, "forward", None) if isinstance(value, Module) else None
        if isinstance(forward, FunctionType):
            self.roots[id(forward.__globals__)] = forward.__globals__
        self.guards.append(keys_guard(source, "attr", fields, len))
        for key in fields:
            if key != "_buffers":
                self._slot("attr", fields, key, f"{source}.{key}")
        for base in cls.__mro__:
            self._class(base)

    def _class(self, cls):
        held, ours = vars(cls), f"{cls.__module__}.".startswith(f"{_PACKAGE}.")
        if not ours and cls.__flags__ & _HEAP_TYPE and ("class", id(cls)) not in self.seen:
            self.seen.add(("class", id(cls)))
            self.guards.append(keys_guard(cls.__name__, "class", held, len))
            for key in held:
                if not key.startswith("__") or key == "__call__":
                    self._slot("class", held, key, f"{cls.__name__}.{key}")

    def _function(self, fn):
        code, scope, names = fn.__code__, fn.__globals__, _names_in(fn.__code__)
        self._slot("code", _Reader(lambda _: fn.__code__), fn.__name__, fn.__name__)
        for name in names:
            if name in scope and (id(scope), name) not in self.seen:
                self.seen.add((id(scope), name))
                self._slot("global", scope, name, name)
        absent = {name for name in names if name not in scope}
        self.guards.append(absent_guard(fn.__name__, scope, absent))
        for name, cell in zip(code.co_freevars, fn.__closure__ or (), strict=True):
            self._slot("closure", _Reader(lambda _, cell=cell: cell.cell_contents), name, name)
        last = code.co_argcount
        names = code.co_varnames[last - len(fn.__defaults__ or ()) : last]
        for name in names:
            reader = _Reader(lambda name: fn.__defaults__[names.index(name)])
            self._slot("default", reader, name, name)
        for name in fn.__kwdefaults__ or ():
            self._slot("default", _Reader(lambda name: fn.__kwdefaults__[name]), name, name)
