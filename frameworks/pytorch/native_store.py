"""A store of compiled native kernels, shared by processes.

On CPU, inductor compiles and links a kernel with one g++ command, most of what the first compile of
a kernel takes. Each process of ours has a cache directory of its own (runtime.py) and would build
again what others have built. g++ is not under test: what it makes of the same command and source
is kept here, and copied to where the command would have put it. Nothing else of inductor changes.

Recipe: torch 2.13, torch/_inductor/cpp_builder.py::_run_compile_cmd, which every build goes
through. Only "one .cpp in, one .so out" is stored. Precompiled headers are left to torch: processes
share them already, and their names, thus our keys, hold a hash of all that they include.

REPRISE_NATIVE_STORE names the folder; empty turns the store off. Whatever goes wrong here, the
command runs as if there were no store.
"""

import contextlib
import hashlib
import os
import shlex

LIMIT = 512 << 20
# Nothing else is ever deleted, whatever folder a user names.
SUFFIX = ".kernel"
SEAL = hashlib.sha256().digest_size
# Read by compilers behind the command's back.
VARIABLES = ("CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX")
# What -march=native goes by; /proc/cpuinfo also has values that change by the second.
CPU_FIELDS = ("vendor_id", "cpu", "model", "stepping", "cache size", "flags", "CPU", "Features")


def folder_of_user():
    """Where the store lies; None where there is none."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.environ.get("REPRISE_NATIVE_STORE", os.path.join(cache, "reprise", "native"))
    return os.path.abspath(folder) if folder and not folder.startswith("~") else None


def processor():
    with open("/proc/cpuinfo") as info:
        first = info.read().split("\n\n")[0].split("\n")
    return [line for line in first if line.startswith(CPU_FIELDS) and "MHz" not in line]


def question(command):
    """(words without the paths of this process, source, output), or None if none of ours."""
    words = shlex.split(command)
    files = [word for word in words if word.endswith((".cpp", ".o", ".a", ".so"))]
    if len(files) != 2 or words.count("-o") != 1:
        return None
    source, output = files
    placed = words[words.index("-o") + 1 :][:1] == [output]
    if not (placed and source.endswith(".cpp") and output.endswith(".so")):
        return None
    names = {source: "SOURCE", output: "OUTPUT"}
    return [names.get(word, word) for word in words], source, output


def write(path, data):
    """Whole or not at all, and always a new file: the old one may be mapped into a process."""
    temporary = f"{path}.{os.getpid()}{SUFFIX}"
    try:
        with open(temporary, "wb") as out:
            out.write(data)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        return False
    return True


class Store:
    def __init__(self, folder, identity=(), limit=LIMIT):
        """`identity`: what results depend on beside the command, its source and its compiler."""
        self.folder = folder
        self.identity = identity
        self.limit = limit
        self.written = 0
        with contextlib.suppress(OSError):
            os.makedirs(folder, mode=0o700, exist_ok=True)
        self._drop_oldest()

    def run(self, real, command, version):
        """Has `command` done: by a copy of what it made before, else by real()."""
        key = output = library = None
        with contextlib.suppress(OSError, ValueError):
            if version and (asked := question(command)):
                words, source, output = asked
                with open(source, "rb") as text:
                    parts = (self.identity, version, words, text.read())
                key = hashlib.sha256(repr(parts).encode()).hexdigest() + SUFFIX
                library = self._load(key)
        if library and write(output, library):
            return
        real()
        if key:
            with contextlib.suppress(OSError), open(output, "rb") as made:
                self._keep(key, made.read())

    def _load(self, key):
        path = os.path.join(self.folder, key)
        with open(path, "rb") as entry:
            seal, library = entry.read(SEAL), entry.read()
        if seal != self._seal(key, library):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return library

    def _keep(self, key, library):
        if write(os.path.join(self.folder, key), self._seal(key, library) + library):
            self.written += len(library)
        if self.written > self.limit // 8:
            self.written = 0
            self._drop_oldest()

    def _seal(self, key, library):
        return hashlib.sha256(key.encode() + library).digest()

    def _drop_oldest(self):
        with contextlib.suppress(OSError):
            ours = [entry for entry in os.scandir(self.folder) if entry.name.endswith(SUFFIX)]
            excess = sum(entry.stat().st_size for entry in ours) - self.limit
            for entry in sorted(ours, key=lambda e: e.stat().st_mtime):
                if excess > 0:
                    os.unlink(entry.path)
                    excess -= entry.stat().st_size


def install():
    """Puts the store in front of the native compiler, where this release has the place for it."""
    folder = folder_of_user()
    if not folder:
        return
    try:
        import torch
        from torch._inductor import cpp_builder as builder

        variables = [os.environ.get(name) for name in VARIABLES]
        identity = (torch.__version__, torch.version.git_version, processor(), variables)
        real, version = builder._run_compile_cmd, builder.get_compiler_version_info
    except (ImportError, AttributeError, OSError):
        return
    store = Store(folder, identity)

    def run(cmd_line, *rest, **named):
        compiler = version(cmd_line.split(maxsplit=1)[0])
        store.run(lambda: real(cmd_line, *rest, **named), cmd_line, compiler)

    builder._run_compile_cmd = run
