"""Functions, modules and layers, named as torch names them.

A layer is one operator, as most compilers keep it; what its kernel needs to know of sizes is
computed in `forward`, so that a tape holds the numbers of the traced call.
"""

import numpy as np

from .tensor import Op, Tensor

__all__ = [
    "BatchNorm",
    "Conv2d",
    "Dropout",
    "LayerNorm",
    "Linear",
    "Module",
    "Parameter",
    "cat",
    "chunk",
    "clamp",
    "manual_seed",
    "max_pool2d",
]

_seed, _generator = 0, None


def _max_pool2d(x, k, high, wide):
    n, c = x.shape[:2]
    return x[:, :, : high * k, : wide * k].reshape(n, c, high, k, wide, k).max((3, 5))


_CLAMP = Op("clamp", lambda x, lo, hi: np.minimum(np.maximum(x, lo), hi))
_CAT = Op("cat", lambda dim, *parts: np.concatenate(parts, dim))
_CHUNK = Op("chunk", lambda x, key: x[key])
_MAX_POOL2D = Op("max_pool2d", _max_pool2d)


def clamp(x, lo, hi):
    return _CLAMP(x, lo, hi)


def cat(parts, dim=0):
    return _CAT(dim, *parts)


def chunk(x, parts, dim=0):
    """At most `parts` views of equal size, the last one smaller: torch.chunk."""
    size = x.data.shape[dim]
    step = -(-size // parts)
    before = (slice(None),) * (dim % x.data.ndim)
    starts = range(0, size, step) if size else [0] * parts
    return [_CHUNK(x, (*before, slice(s, min(s + step, size)))) for s in starts]


def max_pool2d(x, kernel):
    return _MAX_POOL2D(x, kernel, x.data.shape[2] // kernel, x.data.shape[3] // kernel)


def _set_seed(n):
    global _seed, _generator
    _seed, _generator = n, None
    return np.zeros(())


_MANUAL_SEED = Op("manual_seed", _set_seed)


def manual_seed(n):
    """Restarts the random numbers that dropout and new layers draw."""
    _MANUAL_SEED(n)


def _random(shape):
    global _generator
    if _generator is None:  # made on the first draw: most test cases never draw
        _generator = np.random.default_rng(_seed % 2**64)
    return _generator.random(shape, np.float32)


class Parameter(Tensor):
    """A tensor that `parameters()` lists; it shares the memory of the one it is made from."""

    __slots__ = ()

    def __init__(self, tensor):
        self.data = tensor.data


class Module:
    """Base of models and layers. Everything a module holds is a plain instance attribute."""

    _buffers = ()

    def __init__(self):
        self.training = True

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def register_buffer(self, name, tensor):
        self._buffers = (*self._buffers, name)
        setattr(self, name, tensor)

    def named_modules(self, prefix="", seen=None):
        """This module and all below it, each object once."""
        seen = set() if seen is None else seen
        if id(self) not in seen:
            seen.add(id(self))
            yield prefix, self
            for name, value in vars(self).items():
                if isinstance(value, Module):
                    path = f"{prefix}.{name}" if prefix else name
                    yield from value.named_modules(path, seen)

    def named_state(self, prefix=""):
        """Dotted name and tensor of every parameter and buffer, in the order of definition."""
        for name, value in vars(self).items():
            if isinstance(value, Module):
                yield from value.named_state(f"{prefix}{name}.")
            elif isinstance(value, Parameter) or name in self._buffers:
                yield prefix + name, value

    def parameters(self):
        seen = {id(v): v for _, v in self.named_state() if isinstance(v, Parameter)}
        return iter(seen.values())

    def train(self, mode=True):
        for _, module in list(self.named_modules()):
            module.training = mode
        return self

    def eval(self):
        return self.train(False)


def _uniform(shape, fan_in):
    return Parameter(Tensor((_random(shape) * 2 - 1) / np.float32(max(fan_in, 1) ** 0.5)))


def _filled(size, value):
    return Tensor(np.full(size, value, np.float32))


_LINEAR = Op("linear", lambda x, weight, bias: np.matmul(x, weight.T) + bias)


class Linear(Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = _uniform((out_features, in_features), in_features)
        self.bias = _uniform((out_features,), in_features)

    def forward(self, x):
        return _LINEAR(x, self.weight, self.bias)


def _conv2d(x, weight, bias, stride, padding):
    if padding:
        n, c, high, wide = x.shape
        padded = np.zeros((n, c, high + 2 * padding, wide + 2 * padding), x.dtype)
        padded[:, :, padding : padding + high, padding : padding + wide] = x
        x = padded
    windows = np.lib.stride_tricks.sliding_window_view(x, weight.shape[2:], (2, 3))
    windows = windows[:, :, ::stride, ::stride]
    out = np.tensordot(windows, weight, ((1, 4, 5), (1, 2, 3))) + bias  # channels last
    return np.ascontiguousarray(out.transpose(0, 3, 1, 2))


_CONV2D = Op("conv2d", _conv2d)


class Conv2d(Module):
    def __init__(self, in_channels, out_channels, kernel, stride=1, padding=0):
        super().__init__()
        self.stride, self.padding = stride, padding
        fan_in = in_channels * kernel * kernel
        self.weight = _uniform((out_channels, in_channels, kernel, kernel), fan_in)
        self.bias = _uniform((out_channels,), fan_in)

    def forward(self, x):
        return _CONV2D(x, self.weight, self.bias, self.stride, self.padding)


def _normalise(x, weight, bias, mean, var, eps):
    """Along dimension 1, with one number of each kind a channel."""
    shape = (-1,) + (1,) * (x.ndim - 2)
    scale = weight / np.sqrt(var + eps)
    return (x - mean.reshape(shape)) * scale.reshape(shape) + bias.reshape(shape)


def _batch_norm(x, weight, bias, running_mean, running_var, eps, momentum, count):
    axes = (0, *range(2, x.ndim))
    mean = np.add.reduce(x, axes, keepdims=True) / count
    var = np.add.reduce(np.square(x - mean), axes) / count
    mean = mean.ravel()
    running_mean *= 1 - momentum
    running_mean += momentum * mean
    running_var *= 1 - momentum
    running_var += momentum * (count / (count - 1)) * var
    return _normalise(x, weight, bias, mean, var, eps)


_BATCH_NORM = Op("batch_norm", _batch_norm, writes=True)
_BATCH_NORM_EVAL = Op("batch_norm", _normalise)


class BatchNorm(Module):
    """Any rank from 2 up; in training it moves its running statistics in place."""

    def __init__(self, channels):
        super().__init__()
        self.eps, self.momentum = 1e-5, 0.1
        self.weight = Parameter(_filled(channels, 1))
        self.bias = Parameter(_filled(channels, 0))
        self.register_buffer("running_mean", _filled(channels, 0))
        self.register_buffer("running_var", _filled(channels, 1))

    def forward(self, x):
        state = self.weight, self.bias, self.running_mean, self.running_var
        if not self.training:
            return _BATCH_NORM_EVAL(x, *state, self.eps)
        count = x.data.size // max(x.data.shape[1], 1)
        if count < 2:
            raise ValueError("batch_norm: more than one value per channel is needed in training")
        return _BATCH_NORM(x, *state, self.eps, self.momentum, count)


def _layer_norm(x, weight, bias, eps, count):
    x = x - np.add.reduce(x, -1, keepdims=True) / count
    var = np.add.reduce(np.square(x), -1, keepdims=True) / count
    return x / np.sqrt(var + eps) * weight + bias


_LAYER_NORM = Op("layer_norm", _layer_norm)


class LayerNorm(Module):
    def __init__(self, channels):
        super().__init__()
        self.eps = 1e-5
        self.weight = Parameter(_filled(channels, 1))
        self.bias = Parameter(_filled(channels, 0))

    def forward(self, x):
        return _LAYER_NORM(x, self.weight, self.bias, self.eps, x.data.shape[-1])


_DROPOUT = Op("dropout", lambda x, p, scale: x * (_random(x.shape) >= p) * scale)


class Dropout(Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, x):
        return _DROPOUT(x, self.p, 1 / (1 - self.p) if self.p < 1 else 0.0) if self.training else x
