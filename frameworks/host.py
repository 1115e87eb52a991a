"""Runs the program of a case, piece by piece, once per mode.

The C++ side (frameworks/runtime.h) hands over a program as a dictionary and steps through it. Each
framework's folder has a module `runtime` with a class `Runtime` that offers

    banner()               name and version of what is under test
    begin_case()           forget everything that compilers keep, between cases
    settle()               the warm-up is over: what is alive now stays for ever
    begin_mode()           put the process's flags and generators where every mode starts
    suspend(), resume()    keep flags, generators, options, and whether things are compiled, while
                           another program runs in between
    reset(tier)            forget what was compiled. 0: by the framework's own reset, and in caches
                           in memory that are known to survive it; 1: also on disk
    tensor(value)          None, or (kind, dtype, shape, order, requires_grad, storage, data)
    model_state(model)     (name, value) pairs of what the model owns
    process_state()        (name, value) pairs of what the process was left with
    signals(call)          what the compiler did since the last signals(), on a call of something
                           compiled or on what follows one: (event, graph breaks, was a backward
                           compiled, [(kind, source, outcome) of guards]), in words of signals.h
    shortcuts()            names of the framework's options that are documented unsound shortcuts
    turn_off(names)        these are off, and the others as shipped
    meter()                since the start: compiles, seconds spent on collecting garbage
    compiling(on)          what a program compiles by itself is compiled, or runs uncompiled

An observation is a list of leaves (section, path, kind, dtype, shape, order, requires_grad, alias,
data). `order` lists dimensions from outermost to innermost in memory; `alias` is the index of the
first leaf in the same storage; `data` holds the raw bytes of a tensor, or text.
"""

import linecache
import random
import struct
import sys
import time
import zlib
from dataclasses import is_dataclass
from types import CodeType, ModuleType

# Seconds spent in the programs and in what they call, on this clock: what is not ours.
clock = time.perf_counter
inside = 0.0

MAX_DEPTH = 6
MAX_TEMPLATES = 500
_templates = {}

# Nothing but our own report may look like a traceback: crash parsers read standard error.
sys.unraisablehook = lambda unraisable: None


class Instance:
    """One execution of a program: its own names, its own code objects, its own file name.

    The file name differs between modes and cases, because compilers key what they remember by it.
    """

    def __init__(self, runtime, program, filename):
        self.runtime = runtime
        self.program = program
        self.filename = filename
        # A module of its own, for what is pickled is looked up by the name of its module.
        self.module = ModuleType(filename.strip("<>").replace(" ", "_"))
        sys.modules[self.module.__name__] = self.module
        self.names = vars(self.module)
        self.compiled = None
        text = program["text"]
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        self.line = 0
        self._run(program["setup"])
        # What stands for something compiled, by name: (line, compiled source, uncompiled source).
        self.bindings = {}
        self._note(program["binding"])
        self.step_lines = []
        for step in program["steps"]:
            self.line += 2
            self.step_lines.append(self.line)
            self.line += (step["prepare"] + step["source"]).count("\n")
            if step["binding"] is not None:
                self.line += step["binding"][1].count("\n")

    def close(self):
        linecache.cache.pop(self.filename, None)
        sys.modules.pop(self.module.__name__, None)

    def _note(self, binding):
        name, compiled, uncompiled = binding
        self.bindings[name] = self.line, compiled, uncompiled
        self.line += compiled.count("\n")

    def _run(self, source, line=None):
        global inside
        code = code_of(source, self.line if line is None else line, self.filename)
        start = clock()
        try:
            exec(code, self.names)
        finally:
            inside += clock() - start
        if line is None:
            self.line += source.count("\n")

    def bind(self, compiled):
        """Lets names stand for what is compiled, or for the same things uncompiled."""
        self.runtime.compiling(compiled)
        if compiled != self.compiled:
            self.compiled = compiled
            for name in self.bindings:
                self._bind(name)

    def _bind(self, name):
        line, compiled, uncompiled = self.bindings[name]
        self._run(compiled if self.compiled else uncompiled, line)

    def step(self, index, observe):
        """Runs one step. Returns (exception or None, leaves, signals)."""
        step = self.program["steps"][index]
        raised = None
        given = Leaves(self.runtime)
        try:
            line = self.step_lines[index]
            if step["prepare"]:
                self._run(step["prepare"], line)
                line += step["prepare"].count("\n")
            if observe and step["prepare"]:
                for label, expression in step["arguments"]:
                    given.watch("given", label, expression, self.names)
            self._run(step["source"], line)
            if step["binding"] is not None:
                name, compiled, uncompiled = step["binding"]
                self.bindings[name] = line + step["source"].count("\n"), compiled, uncompiled
                self._bind(name)
        except Exception as error:
            raised = describe(error)
        if not observe:
            return raised, [], ("", 0, False, ())
        try:
            signals = self.runtime.signals(step["call"])
        except Exception:  # what cannot be read must not look like a failing program
            signals = ("unreadable", 0, False, ())
        if raised is not None:
            signals = ("error", *signals[1:])
        leaves = Leaves(self.runtime)
        for name, value in self.runtime.process_state():
            leaves.add("process", name, value)
        if raised is None:
            for section in ("results", "arguments", "gradients"):
                for label, expression in step[section]:
                    leaves.watch(section, label, expression, self.names)
        for label, expression in self.program["state"]:
            leaves.watch("state", label, expression, self.names)
        if self.program["object"]:
            for name, value in self.runtime.model_state(self.names["model"]):
                leaves.add("state", "model." + name, value)
        return raised, leaves.list + [(*leaf[:7], -1, leaf[8]) for leaf in given.list], signals


def code_of(source, line, filename):
    """Compiled source that begins at a line. The modes of a case share the work of the parser, but
    no code object."""
    template = _templates.get((source, line))
    if template is None:
        if len(_templates) > MAX_TEMPLATES:
            _templates.clear()
        template = compile("\n" * line + source, "", "exec")
        _templates[source, line] = template
    return renamed(template, filename)


def renamed(code, filename):
    constants = tuple(
        renamed(c, filename) if isinstance(c, CodeType) else c for c in code.co_consts
    )
    return code.replace(co_filename=filename, co_consts=constants)


class Leaves:
    """Flattens values into leaves."""

    def __init__(self, runtime):
        self.runtime = runtime
        self.list = []
        self.storages = {}

    def watch(self, section, label, expression, names):
        try:
            value = eval(expression, names)
        except Exception as error:
            self.list.append(
                (section, label, "missing", "", (), (), False, -1, type(error).__name__)
            )
            return
        self.add(section, label, value)

    def add(self, section, path, value, depth=0):
        tensor = self.runtime.tensor(value)
        if tensor is not None:
            kind, dtype, shape, order, requires_grad, storage, data = tensor
            alias = -1
            if storage is not None:
                alias = self.storages.setdefault(storage, len(self.list))
            self.list.append((section, path, kind, dtype, shape, order, requires_grad, alias, data))
        elif isinstance(value, (list, tuple)) and depth < MAX_DEPTH:
            self._plain(section, path, type(value).__name__, str(len(value)))
            for i, item in enumerate(value):
                self.add(section, f"{path}[{i}]", item, depth + 1)
        elif isinstance(value, dict) and depth < MAX_DEPTH:
            self._plain(section, path, "dict", ",".join(map(repr, value)))
            for key, item in value.items():
                self.add(section, f"{path}[{key!r}]", item, depth + 1)
        elif type(value) is float:
            data = struct.pack("<d", value)
            self.list.append((section, path, "float", "f64", (), (), False, -1, data))
        elif value is None or type(value) in (bool, int, str):
            self._plain(section, path, type(value).__name__, repr(value))
        elif is_dataclass(value) and not isinstance(value, type):
            self._plain(section, path, "dataclass", ",".join(vars(value)))
            for name, item in vars(value).items():
                self.add(section, f"{path}.{name}", item, depth + 1)
        elif isinstance(value, random.Random):
            self._plain(section, path, "random", str(zlib.crc32(repr(value.getstate()).encode())))
        elif hasattr(value, "get_state"):
            state = self.runtime.tensor(value.get_state())
            self._plain(section, path, "generator", str(zlib.crc32(state[-1])))
        else:
            self._plain(section, path, "object", type(value).__name__)

    def _plain(self, section, path, kind, text):
        self.list.append((section, path, kind, "", (), (), False, -1, text))


def describe(error):
    """Class of the root cause, its deepest frames inside installed packages, and its text."""
    outer = type(error).__name__
    seen = set()
    while id(error) not in seen:
        seen.add(id(error))
        error = error.__cause__ or error.__context__ or error
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if "site-packages" in code.co_filename:
            module = code.co_filename.rsplit("site-packages/", 1)[1].removesuffix(".py")
            frames.append(module.replace("/", ".") + "." + code.co_name)
        trace = trace.tb_next
    text = str(error).strip().split("\n")[0][:300]
    return outer, type(error).__name__, frames[-3:], text
