"""Tensors over NumPy arrays, and the operators on them.

Every operator is an `Op`, a named kernel on plain arrays. The uncompiled run, the traced run and
the replay of a tape all execute that one kernel, which is why they agree bit for bit. A trace
hooks in through `set_trace`; without one an operator costs little more than its NumPy call.
"""

import math

import numpy as np

__all__ = [
    "Tensor",
    "bool_",
    "float32",
    "float64",
    "gelu",
    "graph_break",
    "int64",
    "is_grad_enabled",
    "no_grad",
    "relu",
    "set_grad_enabled",
    "sigmoid",
    "sin",
    "softmax",
    "tanh",
    "tensor",
]

np.seterr(all="ignore")  # infinities and NaNs are ordinary results here, not worth a warning

float32, float64, int64, bool_ = map(np.dtype, ("float32", "float64", "int64", "bool"))

_trace = None
_grad = True


def set_trace(trace):
    """Lets `trace` see every operator from here on; None ends that."""
    global _trace
    _trace = trace


def tracing():
    return _trace is not None


class Op:
    """A kernel with a name. In place: the result is the first operand itself, written over."""

    __slots__ = ("inplace", "kernel", "name", "writes")

    def __init__(self, name, kernel, inplace=False, writes=False):
        self.name, self.kernel, self.inplace, self.writes = name, kernel, inplace, writes or inplace

    def __call__(self, *args):
        if _trace is not None:
            return _trace.run(self, args)
        out = self.kernel(*[a.data if isinstance(a, Tensor) else a for a in args])
        return args[0] if self.inplace else Tensor(out)


def _unary(name, kernel):
    """The function for op(x). Skipping the general call halves its cost; so it does below."""
    op = Op(name, kernel)

    def function(x):
        return Tensor(kernel(x.data)) if _trace is None else _trace.run(op, (x,))

    function.__name__ = name
    return function


def _binary(name, kernel):
    """The method for `self op other`, and the reflected one for `number op self`."""
    op = Op(name, kernel)

    def forward(self, other):
        if _trace is None:
            return Tensor(kernel(self.data, other.data if isinstance(other, Tensor) else other))
        return _trace.run(op, (self, other))

    def reflected(self, other):
        return Tensor(kernel(other, self.data)) if _trace is None else _trace.run(op, (other, self))

    return forward, reflected


def _getitem(x, key):
    # The ellipsis makes NumPy return a view of one element, not a scalar that shares nothing.
    return x[key if Ellipsis in key else (*key, Ellipsis)]


def _mean(x, axis, dtype, keepdims, count):
    return np.add.reduce(x, axis, dtype, None, keepdims) / count


_ADD_ = Op("add_", lambda x, other: np.add(x, other, x), inplace=True)
_MUL_ = Op("mul_", lambda x, other: np.multiply(x, other, x), inplace=True)
_RESHAPE = Op("reshape", np.ndarray.reshape)
_FLATTEN = Op("flatten", np.ndarray.reshape)
_TRANSPOSE = Op("transpose", np.ndarray.swapaxes)
_CONTIGUOUS = Op("contiguous", np.ndarray.copy)
_CLONE = Op("clone", lambda x: x.copy("K"))
_SUM = Op("sum", lambda x, axis, dtype, keep: np.add.reduce(x, axis, dtype, None, keep))
_MEAN = Op("mean", _mean)
_AMAX = Op("amax", lambda x, axis, keep: np.maximum.reduce(x, axis, None, None, keep))
_GETITEM = Op("getitem", _getitem)
_EXPAND = Op("expand", np.broadcast_to)
_REPEAT = Op("repeat_interleave", np.ndarray.repeat)
_TENSOR = Op("tensor", np.ndarray.copy)


def _tuple(sizes):
    return tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes


def _axes(dims):
    return (tuple(dims) or None) if isinstance(dims, (tuple, list)) else (dims,)


class Tensor:
    """An array with torch's method names. Views share memory exactly as NumPy's do."""

    __slots__ = ("data",)
    __array_ufunc__ = None  # `array + tensor` is ours to answer

    def __init__(self, data):
        self.data = data if type(data) is np.ndarray else np.asarray(data)

    shape = property(lambda self: self.data.shape)
    dtype = property(lambda self: self.data.dtype)
    ndim = property(lambda self: self.data.ndim)
    size = property(lambda self: self.data.size)

    __add__, __radd__ = _binary("add", np.add)
    __sub__, __rsub__ = _binary("sub", np.subtract)
    __mul__, __rmul__ = _binary("mul", np.multiply)
    __truediv__, __rtruediv__ = _binary("div", np.true_divide)
    __matmul__, __rmatmul__ = _binary("matmul", np.matmul)
    __neg__ = _unary("neg", np.negative)
    __abs__ = abs = _unary("abs", np.absolute)

    def add_(self, other):
        return _ADD_(self, other)

    def mul_(self, other):
        return _MUL_(self, other)

    def reshape(self, *shape):
        """Fills in -1 here: a tape must hold the traced size, as a specialised graph does."""
        shape = _tuple(shape)
        known = -math.prod(shape) if -1 in shape else 0
        if known > 0:
            shape = tuple(self.data.size // known if s == -1 else s for s in shape)
        return _RESHAPE(self, shape)

    def flatten(self, start=0):
        shape = self.data.shape
        start = start + len(shape) if start < 0 else start
        return _FLATTEN(self, (*shape[:start], math.prod(shape[start:])))

    def transpose(self, a, b):
        return _TRANSPOSE(self, a, b)

    def is_contiguous(self):
        if _trace is not None:
            _trace.read_layout(self)
        return self.data.flags.c_contiguous

    def contiguous(self):
        return self if self.is_contiguous() else _CONTIGUOUS(self)

    def sum(self, dims=(), keepdims=False):
        dtype = int64 if self.data.dtype.kind in "bi" else self.data.dtype
        return _SUM(self, _axes(dims), dtype, keepdims)

    def mean(self, dims=(), keepdims=False):
        axes, shape, dtype = _axes(dims), self.data.shape, self.data.dtype
        count = self.data.size if axes is None else math.prod(shape[d] for d in axes)
        return _MEAN(self, axes, int64 if dtype.kind in "bi" else dtype, keepdims, count)

    def amax(self, dims=(), keepdims=False):
        return _AMAX(self, _axes(dims), keepdims)

    def clone(self):
        return _CLONE(self)

    def __getitem__(self, key):
        return _GETITEM(self, key if isinstance(key, tuple) else (key,))

    def expand(self, *shape):
        shape = _tuple(shape)
        old = (1,) * (len(shape) - self.data.ndim) + self.data.shape
        return _EXPAND(self, tuple(o if s == -1 else s for s, o in zip(shape, old, strict=True)))

    def repeat_interleave(self, n, dim):
        return _REPEAT(self, n, dim)

    def numpy(self):
        graph_break()  # values leave the traced world here: nothing could guard on them
        return self.data

    def item(self):
        return self.numpy().item()

    def __bool__(self):
        return bool(self.item())

    def __repr__(self):
        return f"tensor({self.data.tolist()}, dtype={self.data.dtype})"


def tensor(values, dtype=float32):
    """A new tensor holding a copy of `values`."""
    data = np.array(values.numpy() if isinstance(values, Tensor) else values, dtype)
    return Tensor(data) if _trace is None else _TENSOR(data)


def _gelu(x):
    return 0.5 * x * (1.0 + np.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))


def _softmax(x, dim):
    e = np.exp(x - np.maximum.reduce(x, dim, keepdims=True))
    return e / np.add.reduce(e, dim, keepdims=True)


_SOFTMAX = Op("softmax", _softmax)
relu = _unary("relu", lambda x: np.maximum(x, 0))
tanh = _unary("tanh", np.tanh)
sigmoid = _unary("sigmoid", lambda x: 1.0 / (1.0 + np.exp(-x)))
gelu = _unary("gelu", _gelu)
sin = _unary("sin", np.sin)


def softmax(x, dim=-1):
    return _SOFTMAX(x, dim)


def graph_break():
    """Marks what is being traced as something that cannot be compiled."""
    if _trace is not None:
        _trace.stop("graph_break")


def is_grad_enabled():
    return _grad


def set_grad_enabled(flag):
    global _grad
    _grad = bool(flag)


class no_grad:
    """Context in which `is_grad_enabled()` is false."""

    def __enter__(self):
        self.before = _grad
        set_grad_enabled(False)

    def __exit__(self, *_):
        set_grad_enabled(self.before)
