"""Programs for the tests of mk, the toy compiler of the mock framework, and the means to play them.

A *program* is a generator: given a function that wraps callables, it yields what each of its calls
shows. So one text serves for the uncompiled run, the compiled one, and the one with a reset
between calls, which is how the fuzzer itself looks at a compiler.
"""

import pathlib
import sys
import types
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "frameworks" / "mock"))
import mk

GAIN = 2.0


def values(*shape, seed=0, dtype=mk.float32):
    return mk.tensor(np.random.default_rng(seed).normal(size=shape) * 3, dtype)


def bits(result):
    """Everything that must agree, bit for bit."""
    if isinstance(result, mk.Tensor):
        return result.shape, str(result.dtype), result.data.tobytes()
    if isinstance(result, (list, tuple)):
        return [bits(r) for r in result]
    return result


def play(program, wrap=mk.compile, reset=False):
    """What the calls of `program` show, and the compiler's events."""
    mk.reset()
    mk.set_grad_enabled(True)
    shown, events = [], []
    for result in program(wrap):
        shown.append(bits(result))
        events.append(mk.last_event())
        if reset:
            mk.reset()
    mk.set_grad_enabled(True)
    return shown, events


def uncompiled(program):
    return play(program, lambda f: f)[0]


class Model(mk.Module):
    power = 2

    def __init__(self):
        super().__init__()
        mk.manual_seed(1)
        self.scale, self.table, self.fn = 1.5, {"k": 3, "t": values(3, seed=5)}, mk.relu
        self.box, self.steps = types.SimpleNamespace(shift=0.5), [1.0]
        self.norm, self.drop = mk.BatchNorm(3), mk.Dropout(0.5)
        self.inner = mk.Linear(3, 3)
        self.register_buffer("seen", mk.tensor(np.zeros(3)))

    def forward(self, x):
        self.seen.add_(1)
        h = self.fn(self.inner(self.norm(x))) * self.scale + self.table["t"] * self.table["k"]
        h = self.drop(h) * self.power * GAIN
        return h + self.seen + self.box.shift + self.steps[0]


def calls_model(*changes):
    """A program that calls the model before and after each of `changes`, and shows its state."""

    def program(wrap):
        m, x = Model().eval(), values(4, 3)
        f = wrap(m)
        for change in (None, *changes):
            if change:
                change(m)
            mk.manual_seed(7)
            yield [f(x), *(t for _, t in m.named_state())]

    return program


def calls(fn, *arguments):
    """A program that calls `fn` with each of `arguments`, tuples or makers of one."""

    def program(wrap):
        f = wrap(fn)
        for a in arguments:
            a = a() if callable(a) else a
            yield [f(*a), *a]

    return program


def closure_program(wrap):
    gain = 2.0

    def fn(x):
        return x * gain

    f = wrap(fn)
    yield f(values(2))
    gain = 3.0
    yield f(values(2))


def default_program(wrap):
    def fn(x, gain=2.0):
        return x * gain

    f = wrap(fn)
    yield f(values(2))
    fn.__defaults__ = (3.0,)
    yield f(values(2))


def global_program(wrap):
    global GAIN
    f = wrap(lambda x: x * GAIN)
    try:
        yield f(values(2))
        GAIN = 5.0
        yield f(values(2))
    finally:
        GAIN = 2.0


def class_program(wrap):
    try:
        yield from calls_model(lambda m: setattr(Model, "power", 4))(wrap)
    finally:
        Model.power = 2


def switch_grad(wrap):
    f = wrap(lambda x: x + 1 if mk.is_grad_enabled() else x)
    yield f(values(2))
    with mk.no_grad():
        yield f(values(2))


def add_to_first(a, b):
    a.add_(1)
    return a + b


def pair():
    return values(3), values(3, seed=1)


def same_pair():
    t = values(3)
    return t, t


def overlapping_pair():
    base = values(5)
    return base[:3], base[1:4]


def is_f32(x):
    return x + 1 if x.dtype == mk.float32 else x


# Fault -> a program whose second call it spoils.
STATEFUL = {
    "ignore_shape": calls(lambda x: x.sum() / x.shape[0], (values(2, 3),), (values(4, 3),)),
    "ignore_dtype": calls(is_f32, (values(2),), (values(2, dtype=mk.float64),)),
    "ignore_layout": calls(
        lambda x: x.contiguous().add_(1),
        lambda: (values(3, 3),),
        lambda: (values(3, 3).transpose(0, 1),),
    ),
    "ignore_identity": calls(add_to_first, pair, same_pair),
    "ignore_training": calls_model(lambda m: m.train()),
    "ignore_grad_mode": switch_grad,
    "ignore_attr:scale": calls_model(lambda m: setattr(m, "scale", -1.0)),
    "ignore_attr:fn": calls_model(lambda m: setattr(m, "fn", mk.tanh)),
    "ignore_attr:inner": calls_model(lambda m: vars(m).update(inner=mk.Linear(3, 3))),
    "ignore_attr:shift": calls_model(lambda m: setattr(m.box, "shift", 9.0)),
    "ignore_dict:k": calls_model(lambda m: m.table.update(k=4)),
    "ignore_class:power": class_program,
    "ignore_global:GAIN": global_program,
    "ignore_closure:gain": closure_program,
    "ignore_default:gain": default_program,
    "ignore_item:0": calls_model(lambda m: m.steps.__setitem__(0, 7.0)),
    "ignore_arg:n": calls(lambda x, n: x * n, (values(2), 2), (values(2), 3)),
    "stale_tensor:t": calls_model(lambda m: m.table["t"].mul_(2)),
    "stale_tensor:weight": calls_model(lambda m: m.inner.weight.mul_(2)),
    "stale_tensor:seen": calls_model(lambda m: None),
}


class MkTest(unittest.TestCase):
    def setUp(self):
        mk.faults.clear()
        mk.counters.clear()
        self.addCleanup(mk.faults.clear)

    def assertSound(self, program, *events):
        """Compiled calls show what uncompiled ones show, and were served as `events` says."""
        want = uncompiled(program)
        got, happened = play(program)
        self.assertEqual(got, want)
        if events:
            self.assertEqual(happened, list(events))
