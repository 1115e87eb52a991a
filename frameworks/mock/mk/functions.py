"""More functions of tensors: one operator each, called as `mk.exp(x)`.

Kernels keep f32 as it is: only Python numbers, which have no width of their own, meet the arrays.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .layers import _random
from .tensor import Op, float32, int64

__all__ = []


def _softplus(x):
    return np.logaddexp(x, x.dtype.type(0))


def _log_softmax(x, dim):
    x = x - np.maximum.reduce(x, dim, keepdims=True)
    return x - np.log(np.add.reduce(np.exp(x), dim, keepdims=True))


def _logsumexp(x, axes, keep):
    top = np.max(x, axes, keepdims=True)
    total = np.log(np.sum(np.exp(x - top), axes, keepdims=True)) + top
    return total if keep else total.squeeze(axes)


def _along(x, dim, key):
    """x indexed by `key` along one dimension; the ellipsis keeps a scalar a view."""
    return x[(*(slice(None),) * (dim % x.ndim), key, ...)]


def _glu(x, dim):
    half = x.shape[dim] // 2
    gate = _along(x, dim, slice(half, None))
    return _along(x, dim, slice(half)) / (1.0 + np.exp(-gate))


def _pad(x, left, right):
    return np.pad(x, [(0, 0)] * (x.ndim - 1) + [(left, right)])


def _positions(ids, dim):
    """Every position of an array of positions along `dim`, as an index of another array."""
    grid = list(np.indices(ids.shape))
    grid[dim] = ids
    return tuple(grid)


def _scatter_add(x, dim, ids, source):
    out = x.copy()
    np.add.at(out, _positions(ids % x.shape[dim], dim), source)
    return out


def _unfold(x, dim, size, step):
    return _along(sliding_window_view(x, size, dim), dim, slice(None, None, step))


def _index_add(x, dim, ids, source):
    out = x.copy()
    np.add.at(np.moveaxis(out, dim, 0), ids % x.shape[dim], np.moveaxis(source, dim, 0))
    return out


def _cross_entropy(x, ids):
    rows = np.arange(len(ids))
    return -np.mean(_log_softmax(x, 1)[rows, ids % x.shape[1]], dtype=x.dtype)


def _cosine_similarity(a, b, dim):
    lengths = np.sqrt(np.sum(a * a, dim) * np.sum(b * b, dim))
    return np.sum(a * b, dim) / np.maximum(lengths, 1e-8)


def _full(n, value):
    wide = getattr(value, "dtype", float32)  # a Python number has none
    return np.full(n, value, wide if isinstance(value, float) else int64)


def _copy_into_empty(x):
    out = np.empty_like(x)
    out[...] = x
    return out


_KERNELS = {
    # Elementwise.
    "relu6": lambda x: np.clip(x, 0, 6),
    "leaky_relu": lambda x, slope: np.where(x > 0, x, x * slope),
    "elu": lambda x, alpha: np.where(x > 0, x, np.expm1(np.minimum(x, 0)) * alpha),
    "selu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0)) * 1.6732632) * 1.0507010,
    "silu": lambda x: x / (1.0 + np.exp(-x)),
    "mish": lambda x: x * np.tanh(_softplus(x)),
    "hardtanh": lambda x: np.clip(x, -1, 1),
    "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "softplus": _softplus,
    "logsigmoid": lambda x: -_softplus(-x),
    "cos": np.cos,
    "exp": lambda x: np.exp(np.minimum(x, 4)),
    "log1p": lambda x: np.log1p(np.abs(x)),
    "sqrt": lambda x: np.sqrt(np.abs(x) + 0.1),
    "reciprocal": lambda x: 1 / (np.abs(x) + 1),
    "pow": lambda x, n: np.power(np.abs(x) + 0.1, n),
    "sign": np.sign,
    "floor": np.floor,
    "round": np.rint,
    "cast": lambda x, dtype: x.astype(dtype),
    "maximum": np.maximum,
    "minimum": np.minimum,
    "gt": np.greater,
    "lt": np.less,
    "eq": np.equal,
    "where": np.where,
    "masked_fill": lambda x, mask, value: np.where(mask, np.asarray(value, x.dtype), x),
    "lerp": lambda a, b, weight: a + (b - a) * weight,
    "square": np.square,
    "rsqrt": lambda x: 1 / np.sqrt(np.abs(x) + 0.1),
    "remainder": np.remainder,
    "addcmul": lambda a, b, c: a + b * c * 0.5,
    "logical_not": np.logical_not,
    "to_int": lambda x: np.nan_to_num(np.clip(x, -1000, 1000)).astype(int64),
    # Rearrangement.
    "split_size": lambda x, size, dim, take: _along(x, dim, slice(size * take, size * take + size)),
    "movedim": np.moveaxis,
    "tile": lambda x, n: np.concatenate([x] * n) if n else x[:0],
    "diagonal": np.diagonal,
    "unfold": _unfold,
    "stack": lambda a, b, dim: np.stack([a, b], dim),
    "t": lambda x: x.T,
    "detach": lambda x: x[...],
    "permute": lambda x, *dims: x.transpose(dims),
    "unsqueeze": np.expand_dims,
    "squeeze": lambda x, dim: x.squeeze(dim) if x.shape[dim] == 1 else x[...],
    "select": lambda x, dim, i: _along(x, dim, i),
    "narrow": lambda x, dim, i, n: _along(x, dim, slice(i, i + n)),
    "flip": lambda x, dim: np.flip(x, dim).copy(),
    "roll": np.roll,
    "tril": np.tril,
    "pad": _pad,
    # Reductions, scans, contractions.
    "amin": lambda x, axes, keep: np.min(x, axes, keepdims=keep),
    "var": lambda x, axes, keep: np.var(x, axes, keepdims=keep, ddof=1),
    "norm": lambda x, axes, keep: np.sqrt(np.sum(x * x, axes, keepdims=keep)),
    "logsumexp": _logsumexp,
    "argmax": np.argmax,
    "argmin": np.argmin,
    "cumsum": np.cumsum,
    "cumprod": np.cumprod,
    "sort": np.sort,
    "topk": lambda x, k, dim: _along(np.flip(np.sort(x, dim), dim), dim, slice(k)).copy(),
    "diff": lambda x, dim: np.diff(x, axis=dim),
    "log_softmax": _log_softmax,
    "glu": _glu,
    "outer": lambda a, b: a[:, :, None] * b[:, None, :],
    "cross_entropy": _cross_entropy,
    "mse_loss": lambda a, b: np.mean(np.square(a - b)),
    "max": np.max,
    "std": lambda x, dim: np.std(x, dim, ddof=1),
    "prod": np.prod,
    "any": lambda x, dim: np.any(x > 0, dim),
    "all": lambda x, dim: np.all(x > 0, dim),
    "cosine_similarity": _cosine_similarity,
    "cdist": lambda a, b: np.sum(np.abs(a[:, None] - b[None]), -1),
    # Indexing; all but the first take positions modulo the size.
    "checked_index": lambda x, ids: x[ids],
    "gather_rows": lambda x, ids: x[ids % x.shape[0]],
    "gather": lambda x, dim, ids: x[_positions(ids % x.shape[dim], dim)],
    "scatter_add": _scatter_add,
    "one_hot": lambda ids, classes: np.eye(classes, dtype=int64)[ids % classes],
    "index_select": lambda x, dim, ids: np.take(x, ids % x.shape[dim], dim),
    "index_add": _index_add,
    # Factories.
    "ones": lambda n, m: np.ones((n, m), float32),
    "new_zeros": lambda x, n: np.zeros(n, x.dtype),
    "zeros": lambda n: np.zeros(n, float32),
    "full": _full,
    "eye": lambda n: np.eye(n, dtype=float32),
    "arange": lambda n: np.arange(n, dtype=int64),
    "zeros_like": np.zeros_like,
    "copy_into_empty": _copy_into_empty,
    "full_like": lambda x, value: np.full(x.shape, value, x.dtype),
    "rand_like": lambda x: _random(x.shape).astype(x.dtype),
}

for _name, _kernel in _KERNELS.items():
    globals()[_name] = Op(_name, _kernel)
    __all__.append(_name)


def _in_place(write):
    def kernel(x, *args):
        write(x, *args)
        return x

    return kernel


for _name, _write in {
    "sub_": lambda x, other: np.subtract(x, other, x),
    "clamp_": lambda x, lo, hi: np.clip(x, lo, hi, x),
    "relu_": lambda x: np.maximum(x, 0, out=x),
    "copy_": lambda x, other: np.copyto(x, other),
    "fill_row": lambda x, row: x.__setitem__(0, row),
}.items():
    globals()[_name] = Op(_name, _in_place(_write), inplace=True)
    __all__.append(_name)
