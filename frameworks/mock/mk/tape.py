"""The recorded program: a `Trace` writes the tape of a call, an `Entry` replays it for others."""

from itertools import combinations
from operator import itemgetter

import numpy as np

from .faults import faults, spoil
from .guards import MISSING, PLAIN, Guard
from .tensor import Tensor, set_trace


def _identity_guard(frame, who, memory):
    """Which objects at the positions `who` are one; with `memory` also which arrays overlap."""

    def owner(array):
        while isinstance(array.base, np.ndarray):
            array = array.base
        return id(array)

    def pattern(frame):
        first, owners = {}, {}
        same = [first.setdefault(id(frame[i]), i) for i in who]
        if not memory:
            return same
        for i in first.values():
            if isinstance(frame[i], Tensor):
                owners.setdefault(owner(frame[i].data), []).append(i)
        pairs = [pair for group in owners.values() for pair in combinations(group, 2)]
        return same, [p for p in pairs if np.may_share_memory(*(frame[i].data for i in p))]

    want = pattern(frame)
    return Guard("IDENTITY", "of inputs", "ignore_identity", want, lambda f: pattern(f) == want)


def _strides_guard(source, i, t):
    """For code that asks a view whether it is contiguous: only exact strides can tell."""
    want = t.data.strides
    return Guard("CONTIGUOUS", source, "ignore_layout", want, lambda f: f[i].data.strides == want)


class Trace:
    """Runs operators for real and writes them down.

    A register holds an array or a constant: inputs first, then what `rest` lists. Something that
    could escape the guards breaks the trace; the function then goes on uncompiled.
    """

    def __init__(self, scan):
        self.broken, self.exact, self.writes = "", False, False
        self.inputs, self.rest, self.tape, self.kept, self.index = [], [], [], [], {}
        stale = {id(t): t for t in scan.stale}
        self.given = {
            id(v): i
            for i, v in enumerate(scan.frame)
            if type(v) not in PLAIN and id(v) not in stale
        }
        for i in scan.tensors:
            if self.given.get(id(scan.frame[i])) == i:
                self.index[id(scan.frame[i])] = len(self.inputs)
                self.inputs.append(i)
        self.index |= {key: self._new(t.data.copy()) for key, t in stale.items()}

    def _new(self, value):
        self.rest.append(value)
        return len(self.inputs) + len(self.rest) - 1

    def _register(self, value):
        if not isinstance(value, Tensor):
            return self._new(value)
        if id(value) not in self.index:
            self.stop("a tensor from nowhere")
        return self.index.get(id(value))

    def run(self, op, args):
        registers = [self._register(a) for a in args]
        out = op.kernel(*[a.data if isinstance(a, Tensor) else a for a in args])
        if self.broken:
            return args[0] if op.inplace else Tensor(out)
        kernel = op.kernel
        if type(out) is not np.ndarray:  # a NumPy scalar, which a register must not hold

            def kernel(*args):
                return np.asarray(op.kernel(*args))

        if faults:
            out = spoil(op, out, cold=True)
        result = args[0] if op.inplace else Tensor(out)
        if not op.inplace:
            self.kept.append(result)  # else another tensor could get its id
            self.index[id(result)] = self._new(None)
        self.writes |= op.writes
        target, single = self.index[id(result)], len(registers) == 1
        self.tape.append((kernel, itemgetter(*registers), single, target, op))
        return result

    def stop(self, why):
        self.broken = why
        set_trace(None)

    def read_layout(self, t):
        self.exact |= id(t) not in self.given

    def builder(self, value):
        """A function that makes the like of the result `value` from a frame and registers.

        `made` holds the tensors it has made so far, so that one object stays one object.
        """
        if id(value) in self.given:
            i = self.given[id(value)]
            return lambda frame, registers, made: frame[i]
        if isinstance(value, Tensor):
            r = self._register(value)
            return lambda frame, registers, made: (
                made[r] if r in made else made.setdefault(r, Tensor(registers[r]))
            )
        if type(value) in (tuple, list):
            kind, parts = type(value), [self.builder(v) for v in value]
            return lambda *state: kind([part(*state) for part in parts])
        if type(value) is dict:
            parts = {key: self.builder(v) for key, v in value.items()}
            return lambda *state: {key: part(*state) for key, part in parts.items()}
        if type(value) not in PLAIN and not isinstance(value, np.dtype):
            self.stop("an unknown kind of result")
        return lambda frame, registers, made: value


class Entry:
    """Guards, and a tape for the calls that keep them; with `broken` those run uncompiled."""

    def __init__(self, scan, trace, result):
        self.guards, self.slots = scan.guards, scan.slots
        self.inputs, self.rest, self.tape = trace.inputs, trace.rest, trace.tape
        self.build, self.broken = trace.builder(result), trace.broken
        if trace.exact:
            self.guards += [_strides_guard(s, i, scan.frame[i]) for i, s in scan.tensors.items()]
        who = scan.tensors
        if scan.objects:  # with objects among the arguments, anything may be compared to anything
            who = [i for i, v in enumerate(scan.frame) if i and type(v) not in PLAIN]
        self.identity = _identity_guard(scan.frame, who, trace.writes)
        if len(who) > 1:
            self.guards.append(self.identity)

    def frame(self, leaves):
        return leaves + [box.get(key, MISSING) for box, key in self.slots]

    def failing(self, frame):
        """The first guard that does not hold, or None."""
        for guard in self.guards:
            try:
                holds = guard.check(frame)
            except AttributeError:  # not a tensor at all: a waived guard let it through
                holds = False
            if not holds and not (faults and guard.waived()):
                return guard
        return None

    def replay(self, frame):
        arrays = [frame[i].data for i in self.inputs]
        # Only a fault lets inputs overlap as they did not when traced. Each then counts as memory
        # of its own, as in compilers that first do away with in-place writes.
        split = faults and not self.identity.check(frame)
        registers = ([a.copy() for a in arrays] if split else arrays) + self.rest
        for kernel, get, single, target, op in self.tape:
            out = kernel(get(registers)) if single else kernel(*get(registers))
            registers[target] = spoil(op, out) if faults else out
        for array, copy in zip(arrays, registers) if split else ():
            if not np.array_equal(array, copy, equal_nan=True):
                array[...] = copy
        return self.build(frame, registers, {})
