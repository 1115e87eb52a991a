"""`compile`: callables with a cache of entries, and what is told of their calls.

A call is served by the newest entry whose guards all hold: its tape is replayed. Otherwise the
function is traced: run once for real, its operators written down. A call that finds the cache full
falls back to the function itself.
"""

from collections import Counter
from operator import is_

from .faults import faults, turn
from .guards import flatten
from .layers import Module
from .scan import Scan
from .tape import Entry, Trace
from .tensor import set_grad_enabled, set_trace, tracing

CACHE_LIMIT = 8
disk = {}  # what outlives reset(); only planted faults keep anything in it
counters = Counter()  # compiles, hits, fallbacks, graph_breaks, guard_failures

_event, _generation = "", 0
_failures, _served = [], None  # of the last call: guards that failed, the entry that ran


class Compiled:
    """A callable with its cache, `entries`, newest first."""

    __slots__ = ("__wrapped__", "_generation", "_names", "entries")

    def __init__(self, fn):
        self.__wrapped__, self.entries, self._generation = fn, [], _generation
        code = getattr(fn.forward if isinstance(fn, Module) else fn, "__code__", None)
        bound = isinstance(fn, Module) or hasattr(fn, "__self__")
        self._names = code.co_varnames[bound : code.co_argcount] if code else ()

    def __call__(self, *args, **kwargs):
        global _event, _failures, _served
        if tracing():  # becomes a part of what is being traced
            return self.__wrapped__(*args, **kwargs)
        if self._generation != _generation:
            self.entries, self._generation = [], _generation
        leaves, _failures, _served = flatten(args, kwargs), [], None
        for entry in self.entries:
            frame = entry.frame(leaves)
            guard = entry.failing(frame)
            if guard is None:
                _served = entry
                return self._reuse(entry, frame, args, kwargs)
            counters["guard_failures"] += 1
            _failures.append(guard)
        if len(self.entries) < CACHE_LIMIT:
            return self._compile(args, kwargs)
        _event = "fallback"
        counters["fallbacks"] += 1
        return self.__wrapped__(*args, **kwargs)

    def _reuse(self, entry, frame, args, kwargs):
        global _event
        if entry.broken:
            _event = "break"
            counters["graph_breaks"] += 1
            return self.__wrapped__(*args, **kwargs)
        _event = "reused"
        turn()
        counters["hits"] += 1
        if "raise_on_reuse" in faults:
            raise RuntimeError("mk internal error")
        result = entry.replay(frame)
        if "leak_grad_mode" in faults:
            set_grad_enabled(False)
        return result

    def _compile(self, args, kwargs):
        global _event
        _event = "fallback"  # it remains a fallback if the function raises
        turn()
        names = [*self._names, *(f"arg{i}" for i in range(len(self._names), len(args)))]
        scan = Scan(self.__wrapped__, names[: len(args)], args, kwargs)
        trace = Trace(scan)
        set_trace(trace)
        try:
            result = self.__wrapped__(*args, **kwargs)
        finally:
            set_trace(None)
        entry = Entry(scan, trace, result)
        after = entry.frame(flatten(args, kwargs))
        same = len(after) == len(scan.frame) and all(map(is_, after[1:], scan.frame[1:]))
        if not same or entry.failing(after):
            entry.broken = entry.broken or "the call changed what it read"
        _event = "break" if entry.broken else "recompiled" if self.entries else "compiled"
        counters["graph_breaks" if entry.broken else "compiles"] += 1
        self.entries.insert(0, entry)
        return result


def compile(fn, backend="jit"):
    """`fn`, a function or a module, as a callable that compiles lazily."""
    if backend != "jit":
        raise ValueError(f"no such backend: {backend}")
    return Compiled(fn)


def reset():
    """Empties the cache of every compiled callable."""
    global _generation
    _generation += 1


def clear_disk():
    """Forgets what outlives reset()."""
    disk.clear()


def last_event():
    """What the last compiled call was: compiled, reused, recompiled, fallback or break."""
    return _event


def last_guard_failure():
    """The first guard that the last call failed on the newest entry, such as `SHAPE x`; or ""."""
    return str(_failures[0]) if _failures else ""


def last_guards():
    """Of the last call: the guard that each entry failed, the guards of the one that served it."""
    return _failures, _served.guards if _served else ()
