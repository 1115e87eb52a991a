"""PyTorch behind the interface of host.py. Internals of torch are used here and nowhere else.

Recipes: reset follows torch 2.13's own sources (torch/_dynamo/__init__.py::reset); whatever a
release lacks is left out. What the compiler did on a call is read in signals.py.
"""

import gc
import logging
import os
import random
import shutil
import tempfile
import time
import warnings
import zlib

PREFIX = "reprise-torch-"


def _private_cache():
    """An empty cache directory for this process. Targets leave by abort or _exit, which clean
    nothing up: directories of processes that are gone are removed here."""
    root = tempfile.gettempdir()
    for name in os.listdir(root):
        pid = name.removeprefix(PREFIX).split("-")[0]
        if name.startswith(PREFIX) and pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
            shutil.rmtree(os.path.join(root, name), ignore_errors=True)
    return tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")


_cache = _private_cache()


def _environment():
    """Settings that torch reads at import: one thread, compilation in this process."""
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = _cache
    try:
        with open("/proc/cpuinfo") as info:
            if "avx2" in info.read():
                # Skips a probe that compiles and starts an interpreter per instruction set.
                os.environ["TORCHINDUCTOR_VEC_ISA_OK"] = "1"
    except OSError:
        pass


_environment()
import torch  # noqa: E402
import torch._dynamo  # noqa: E402
import torch._functorch.config  # noqa: E402
import torch._inductor.config  # noqa: E402
from native_store import install as install_native_store  # noqa: E402
from signals import Signals  # noqa: E402
from torch._dynamo.utils import counters  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode  # noqa: E402

DTYPES = {
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.bool: "bool",
    torch.complex64: "c64",
    torch.complex128: "c128",
    torch.float8_e4m3fn: "f8e4m3",
    torch.float8_e5m2: "f8e5m2",
}
# Element types that NumPy has not, and what their bits are read as.
BITS = {
    torch.bfloat16: torch.int16,
    torch.float8_e4m3fn: torch.uint8,
    torch.float8_e5m2: torch.uint8,
}

# Documented unsound shortcuts (torch/_dynamo/config.py, torch/_inductor/config.py), as
# (module, name, sound value).
SHORTCUTS = (
    (torch._dynamo.config, "skip_nnmodule_hook_guards", False),
    (torch._dynamo.config, "skip_no_tensor_aliasing_guards_on_parameters", False),
    (torch._dynamo.config, "skip_tensor_guards_with_matching_dict_tags", False),
    (torch._dynamo.config, "assume_dunder_attributes_remain_unchanged", False),
    (torch._inductor.config, "freezing", False),
)

SECOND_LOOK = 4
# Every so many cases a collection looks at everything that is alive.
FULL_COLLECTION = 500


class Runtime:
    def __init__(self):
        warnings.filterwarnings("ignore")
        torch._logging.set_logs(all=logging.CRITICAL)
        logging.disable(logging.CRITICAL)
        torch.set_num_threads(1)
        install_native_store()
        # Random operators draw as uncompiled code does: a documented difference otherwise.
        torch._inductor.config.fallback_random = True
        torch._inductor.config.emulate_precision_casts = True
        # Times guards for a log that nobody reads; a tenth of a small compile.
        if hasattr(torch._dynamo.guards, "profile_guard_manager"):
            torch._dynamo.guards.profile_guard_manager = lambda *args, **kwargs: 0.0
        # Garbage is collected between cases, at fixed points.
        if hasattr(torch._dynamo.config, "run_gc_after_compile"):
            torch._dynamo.config.run_gc_after_compile = False
        gc.collect()
        gc.freeze()
        gc.disable()
        self.cases = 0
        self.collecting = 0.0  # seconds spent on the compiler's garbage
        # By the full name of the option.
        self.shipped = {
            f"{module.__name__}.{name}": (module, name, sound, getattr(module, name))
            for module, name, sound in SHORTCUTS
            if hasattr(module, name)
        }
        self.flags = self._get_flags()
        # Options that a program may change.
        self.config = [
            (module, name, getattr(module, name))
            for module, name in (
                (torch._dynamo.config, "recompile_limit"),
                (torch._inductor.config, "freezing"),
            )
            if hasattr(module, name)
        ]
        self.compiles = True
        self.observed = Signals()

    def banner(self):
        return f"torch {torch.__version__}"

    def begin_case(self):
        self.reset(1)
        self.cases += 1
        start = time.perf_counter()
        if self.cases % FULL_COLLECTION == 0:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        else:
            # A compile leaves some 2,000 objects that stay for long: a collection looks at what is
            # new, and once more at what was new a few cases ago.
            gc.collect(1 if self.cases % SECOND_LOOK == 0 else 0)
        self.collecting += time.perf_counter() - start

    def settle(self):
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def begin_mode(self):
        self._set_flags(self.flags)
        torch.manual_seed(0)
        random.seed(0)
        for module, name, value in self.config:
            setattr(module, name, value)
        self.observed.forget()

    def _get_flags(self):
        return (
            torch.is_grad_enabled(),
            torch.get_default_dtype(),
            torch.is_autocast_enabled("cpu"),
            torch.get_autocast_dtype("cpu"),
            torch.are_deterministic_algorithms_enabled(),
            torch.get_num_threads(),
            torch.get_float32_matmul_precision(),
            getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None),
        )

    def _set_flags(self, flags):
        torch.clear_autocast_cache()
        if self._get_flags() == flags:
            return
        grad, dtype, autocast, autocast_dtype, deterministic, threads, precision, device = flags
        torch.set_grad_enabled(grad)
        torch.set_default_dtype(dtype)
        torch.set_autocast_enabled("cpu", autocast)
        torch.set_autocast_dtype("cpu", autocast_dtype)
        torch.use_deterministic_algorithms(deterministic)
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
        torch.set_float32_matmul_precision(precision)
        if device is not None or getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None):
            torch.set_default_device(None if device is None else device.device)

    def suspend(self):
        self.suspended = (
            self._get_flags(),
            torch.get_rng_state(),
            random.getstate(),
            [getattr(module, name) for module, name, _ in self.config],
            self.compiles,
        )

    def resume(self):
        flags, generator, python_generator, config, compiles = self.suspended
        self._set_flags(flags)
        torch.set_rng_state(generator)
        random.setstate(python_generator)
        for (module, name, _), value in zip(self.config, config, strict=True):
            setattr(module, name, value)
        self.compiling(compiles)
        self.observed.forget()

    def compiling(self, on):
        self.compiles = on
        torch.compiler.set_stance("default" if on else "force_eager")

    def reset(self, tier):
        torch._dynamo.reset()
        FakeTensorMode.cache_clear()
        if not os.listdir(_cache):  # nothing was ever compiled that uses what follows
            return
        from torch._functorch._aot_autograd.autograd_cache import AOTAutogradCache
        from torch._inductor.codecache import FxGraphCache
        from torch._inductor.utils import clear_caches

        if tier > 0:
            FxGraphCache.clear()
            AOTAutogradCache.clear()
        clear_caches()

    def shortcuts(self):
        return list(self.shipped)

    def turn_off(self, names):
        for option, (module, name, sound, shipped) in self.shipped.items():
            setattr(module, name, sound if option in names else shipped)

    def tensor(self, value):
        if not isinstance(value, torch.Tensor):
            return None
        shape = tuple(value.shape)
        dtype = DTYPES.get(value.dtype, str(value.dtype))
        if isinstance(value, FakeTensor) or value.is_meta:
            return "fake", dtype, shape, (), value.requires_grad, None, b""
        stride = value.stride()
        wide = [d for d in range(len(shape)) if shape[d] > 1 and stride[d] != 0]
        order = tuple(sorted(wide, key=lambda d: (-stride[d], d)))
        storage = value.untyped_storage().data_ptr() if value.numel() else None
        flat = value.detach().contiguous()
        if value.dtype in BITS:
            flat = flat.view(BITS[value.dtype])
        return "tensor", dtype, shape, order, value.requires_grad, storage, flat.numpy().tobytes()

    def model_state(self, model):
        for name, value in model.named_parameters():
            yield name, value
            yield name + ".grad", value.grad
        yield from model.named_buffers()
        for name, module in model.named_modules():
            yield (name + "." if name else "") + "training", module.training

    def process_state(self):
        return (
            ("grad mode", torch.is_grad_enabled()),
            ("inference mode", torch.is_inference_mode_enabled()),
            ("default dtype", str(torch.get_default_dtype())),
            ("autocast", torch.is_autocast_enabled("cpu")),
            ("autocast dtype", str(torch.get_autocast_dtype("cpu"))),
            ("deterministic", torch.are_deterministic_algorithms_enabled()),
            ("threads", torch.get_num_threads()),
            ("default device", str(torch.get_default_device())),
            ("random state", zlib.crc32(torch.get_rng_state().numpy().tobytes())),
            ("random state of Python", hash(random.getstate()[1])),
            ("function modes", torch._C._len_torch_function_stack()),
            ("dispatch modes", torch._C._len_torch_dispatch_stack()),
        )

    def meter(self):
        return counters["frames"]["ok"], self.collecting

    def signals(self, call):
        return self.observed.read(call)
