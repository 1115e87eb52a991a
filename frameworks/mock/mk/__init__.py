"""mk, a toy lazily caching compiler over NumPy, with faults that can be planted in it.

It stands in for torch.compile so that all that lies above a framework can be tested with no
framework installed. `compile(fn)` gives a callable that keeps up to `CACHE_LIMIT` entries. With
`faults` empty a compiled call equals the uncompiled one bit for bit; faults.py lists what may be
put into it.
"""

from .faults import faults  # like `tensor`, hides the submodule it comes from
from .functions import *
from .jit import CACHE_LIMIT as CACHE_LIMIT
from .jit import (
    Compiled,
    clear_disk,
    compile,
    counters,
    disk,
    last_event,
    last_guard_failure,
    last_guards,
    reset,
)
from .layers import *
from .layers import Module
from .tensor import *
from .tensor import Tensor

__all__ = [
    "Compiled",
    "Module",
    "Tensor",
    "clear_disk",
    "compile",
    "counters",
    "disk",
    "faults",
    "last_event",
    "last_guard_failure",
    "last_guards",
    "reset",
]
