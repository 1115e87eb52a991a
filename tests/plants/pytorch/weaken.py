"""What the planted faults share: ways to drop a check of torch 2.13 or to make it look at less.

All of them take effect on what is compiled later; a plant calls them before the first compile.
"""

import functools
import json

import torch
from torch._C._dynamo.guards import GlobalStateGuard
from torch._dynamo.guards import GuardBuilder
from torch._dynamo.source import DictGetItemSource, GetItemSource, LocalSource
from torch._functorch._aot_autograd import subclass_codegen
from torch.fx.experimental.symbolic_shapes import ShapeEnv

# Guards on the value of a constant; CONSTANT_MATCH hands over to one of the others.
CONSTANT_GUARDS = ("CONSTANT_MATCH", "EQUALS_MATCH", "BOOL_MATCH", "NONE_MATCH", "ID_MATCH")
FUNCTION_GUARDS = ("FUNCTION_MATCH", "CLOSURE_MATCH", "BUILTIN_MATCH", "ID_MATCH")


def drop_guards(kinds, unwanted=lambda guard, value: True):
    """Drops the guards of some kinds for which `unwanted(guard, guarded value)` holds."""
    for kind in kinds:
        _drop_kind(kind, unwanted)


def _drop_kind(kind, unwanted):
    original = getattr(GuardBuilder, kind)

    @functools.wraps(original)  # guards are looked up and reported by this name
    def weakened(self, guard, *args, **kwargs):
        value = self.get(guard) if guard.name else None
        if not unwanted(guard, value):
            return original(self, guard, *args, **kwargs)

    setattr(GuardBuilder, kind, weakened)


def is_argument(guard):
    """Whether a guard is on an argument of the compiled function, or on an item of one."""
    source = guard.originating_source
    while isinstance(source, (GetItemSource, DictGetItemSource)):
        source = source.base
    return isinstance(source, LocalSource) and source.is_input


def loosen_tensor_guards(*ignored, where=lambda: True):
    """Replaces the C++ guard on a tensor by one that ignores some of the fields of
    `_tensor_fields`, in compiles where `where()` holds. The guards on aliasing and on dimension
    marks stay."""
    original = GuardBuilder.TENSOR_MATCH

    @functools.wraps(original)
    def weakened(self, guard, value=None):
        if not where():
            return original(self, guard, value)
        stand_ins = []

        def stand_in(guard):
            stand_ins.append(_TensorGuardManager(find(guard), ignored))
            return stand_ins[-1]

        find = self.get_guard_manager
        self.get_guard_manager = stand_in
        try:
            original(self, guard, value)
        finally:
            del self.get_guard_manager
        managers = self.no_tensor_aliasing_guard_managers
        managers[:] = [m.real if m in stand_ins else m for m in managers]

    GuardBuilder.TENSOR_MATCH = weakened


class _TensorGuardManager:
    """Stands for a guard manager; adds a guard that ignores some fields of the tensor."""

    def __init__(self, real, ignored):
        self.real = real
        self.ignored = ignored

    def __getattr__(self, name):
        return getattr(self.real, name)

    def add_tensor_match_guard(self, value, size, stride, name, code, user_stack, pytype, keys):
        wanted = _tensor_fields(value) | {"class": pytype, "keys": _with_modes(keys)}
        wanted |= {"size": tuple(size), "stride": tuple(stride)}
        for field in self.ignored:
            del wanted[field]

        def check(tensor):
            if not isinstance(tensor, torch.Tensor):
                return False
            found = _tensor_fields(tensor)
            return all(_matches(found[field], wanted[field]) for field in wanted)

        ignored = ", ".join(self.ignored)
        self.real.add_lambda_guard(check, [f"tensor guard on {name} without {ignored}"], user_stack)


def _tensor_fields(tensor):
    return {
        "class": type(tensor),
        "dtype": tensor.dtype,
        "device": tensor.device,
        "requires_grad": tensor.requires_grad,
        "keys": _with_modes(torch._C._dispatch_keys(tensor)),
        "dim": tensor.dim(),
        "size": tuple(tensor.shape),
        "stride": tensor.stride(),
    }


def _with_modes(keys):
    """Dispatch keys as modes of the thread, autocast for one, change them."""
    included = torch._C._dispatch_tls_local_include_set()
    excluded = torch._C._dispatch_tls_local_exclude_set()
    return ((keys | included) - excluded).raw_repr()


def _matches(found, wanted):
    """Equality, where None in a size or a stride stands for a dynamic one."""
    if not isinstance(wanted, tuple):
        return found == wanted
    return len(found) == len(wanted) and all(w in (None, f) for f, w in zip(found, wanted))


def loosen_global_state_guard(*ignored):
    """Replaces the C++ guard on torch's global state by one that ignores some fields, which are
    named as in `GlobalStateGuard.__getstate__`."""

    def fields(state):
        return {k: v for k, v in json.loads(state.__getstate__()).items() if k not in ignored}

    @functools.wraps(GuardBuilder.GLOBAL_STATE)
    def weakened(self, guard):
        traced = self.check_fn_manager.output_graph.global_state_guard
        self.check_fn_manager.global_state = traced
        wanted = fields(traced)
        self.guard_manager.root.add_lambda_guard(
            lambda _: fields(GlobalStateGuard()) == wanted,
            [f"global state without {', '.join(ignored)}"],
            guard.user_stack,
        )

    GuardBuilder.GLOBAL_STATE = weakened


def drop_shape_guards(unwanted):
    """Drops the guard expressions on symbolic sizes for which `unwanted(expression, symbolic
    contexts of the inputs)` holds."""
    original = ShapeEnv.produce_guards_verbose

    @functools.wraps(original)
    def weakened(self, *args, input_contexts=None, **kwargs):
        helpers = original(self, *args, input_contexts=input_contexts, **kwargs)
        for helper in helpers:
            helper.exprs[:] = [e for e in helper.exprs if not unwanted(e, input_contexts or ())]
        return helpers

    ShapeEnv.produce_guards_verbose = weakened


def wrap_generated(name, wrap):
    """Puts `wrap(function)` in the place of each run-time function `name` that AOTAutograd
    generates as source text."""
    original = subclass_codegen._compile_and_exec_source

    @functools.wraps(original)
    def weakened(source, names, function_name, *args, **kwargs):
        function = original(source, names, function_name, *args, **kwargs)
        return wrap(function) if function_name == name else function

    subclass_codegen._compile_and_exec_source = weakened
