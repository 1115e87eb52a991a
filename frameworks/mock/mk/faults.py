"""Faults: strings that, put into `faults`, break something in the compiler for real.

ignore_shape, ignore_dtype, ignore_layout, ignore_identity, ignore_training, ignore_grad_mode
                      guards of that kind are waived
ignore_attr:<name>    guards on that slot are waived; also ignore_global, ignore_closure,
                      ignore_dict, ignore_class, ignore_item, ignore_default, ignore_code,
                      ignore_arg
stale_tensor:<name>   an entry computes with a copy of the tensor in that slot
wrong_op:<op>         compiled code is off by 0.25
cold_wrong:<op>       so is only the run in which an entry is made
unstable:<op>         so is every second compiled run
raise_on_reuse        a replay raises RuntimeError
leak_grad_mode        a reuse leaves the process with gradients off
"""

import numpy as np

faults = set()  # planted by tests; empty in honest operation
_odd = True  # turns with every compiled run, for unstable faults


def turn():
    """Begins a compiled run."""
    global _odd
    _odd = not _odd


def spoil(op, out, cold=False):
    """What a run of compiled code makes of `out` under the planted faults."""
    name, out = op.name, np.asarray(out)
    wrong = f"wrong_op:{name}" in faults or (cold and f"cold_wrong:{name}" in faults)
    if not wrong and not (_odd and f"unstable:{name}" in faults):
        return out
    if out.dtype.kind == "b":
        return np.asarray(~out)
    delta = 0.25 if out.dtype.kind == "f" else 1
    return np.add(out, delta, out) if op.inplace else np.asarray(out + delta)
