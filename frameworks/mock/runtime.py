"""The mock behind the interface of host.py."""

import mk

EVENTS = {
    "compiled": "cold",
    "reused": "reused",
    "recompiled": "recompiled_static",
    "fallback": "fallback",
    "break": "skipped",  # a broken function runs uncompiled
}
# Words of frameworks/signals.cc for the kinds of guards of mk, and for where slots live.
KINDS = {
    "EQUALS": "equals",
    "TRAINING": "equals",
    "SHAPE": "tensor_size",
    "DTYPE": "tensor_dtype",
    "CONTIGUOUS": "tensor_stride",
    "KEYS": "keys",
    "TYPE": "type",
    "IDENTITY": "identity",
    "GRAD_MODE": "grad_mode",
}
HOMES = {
    "attr": "attribute",
    "class": "class",
    "global": "global",
    "closure": "closure",
    "default": "default",
    "dict": "element",
    "item": "element",
    "arg": "argument",
}

DTYPES = {mk.float32: "f32", mk.float64: "f64", mk.int64: "i64", mk.bool_: "bool"}


class Runtime:
    def __init__(self):
        self.breaks = 0

    def banner(self):
        return "mock compiler"

    def begin_case(self):
        self.reset(1)

    def settle(self):
        pass

    def begin_mode(self):
        mk.set_grad_enabled(True)
        mk.manual_seed(0)
        self._start_counting()

    def _start_counting(self):
        self.before = sum(mk.counters.values())
        self.breaks = mk.counters["graph_breaks"]

    def suspend(self):
        self.suspended = mk.is_grad_enabled(), self.before, self.breaks

    def resume(self):
        grad, self.before, self.breaks = self.suspended
        mk.set_grad_enabled(grad)

    def reset(self, tier):
        mk.reset()
        if tier > 0:
            mk.clear_disk()

    def meter(self):
        return mk.counters["compiles"], 0.0

    def shortcuts(self):
        return []

    def turn_off(self, names):
        pass

    def compiling(self, on):
        pass

    def tensor(self, value):
        if not isinstance(value, mk.Tensor):
            return None
        data = value.data
        shape = data.shape
        wide = [d for d in range(data.ndim) if shape[d] > 1 and data.strides[d] != 0]
        order = tuple(sorted(wide, key=lambda d: (-data.strides[d], d)))
        base = data
        while base.base is not None and hasattr(base.base, "base"):
            base = base.base
        storage = id(base) if data.size else None
        dtype = DTYPES.get(data.dtype, str(data.dtype))
        return "tensor", dtype, shape, order, False, storage, data.tobytes()

    def model_state(self, model):
        yield from model.named_state()
        for name, module in model.named_modules():
            yield (name + "." if name else "") + "training", module.training

    def process_state(self):
        return (("grad mode", mk.is_grad_enabled()),)

    def signals(self, call):
        called = sum(mk.counters.values()) != self.before
        broke = mk.counters["graph_breaks"] - self.breaks
        self._start_counting()
        if not called:
            return ("skipped" if call else "reused"), 0, False, []
        event = EVENTS[mk.last_event()]
        failed, held = mk.last_guards()
        if held:
            broke = 0  # it broke when it was traced
        facts = {(*fact_of(guard), "failed") for guard in failed}
        if event == "reused":
            held = {fact_of(guard) for guard in held}
            # What looks at the process is in every entry.
            facts |= {(*fact, "held") for fact in held if fact[1] != "process"}
        return event, broke, False, sorted(facts)


def fact_of(guard):
    """(kind, source) of a guard."""
    if guard.source == "of inputs":
        return "alias", "argument"
    if guard.source == "process":
        return KINDS[guard.kind], "process"
    if guard.source == "arguments":  # their number and names
        return "length", "argument"
    if guard.home == "code":
        return "code", "global"
    home, text = guard.home, guard.source
    if text.endswith("]") and home in ("arg", "dict", "item"):
        source = "element"
    elif home in ("attr", "arg") and "." in text and not text.startswith("self."):
        source = "field"
    else:
        source = HOMES.get(home, "model" if text == "self" else "argument")
    return KINDS[guard.kind], source
