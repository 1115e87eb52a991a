"""What torch.compile did on one call, from its own signals.

Each signal is probed once and optional: a release that lacks one gives fewer facts. All of them
are read after a call and none takes part in compilation: the hook answers yes, which is what
Dynamo does without one. Words are those of frameworks/signals.cc.

    hook on guards    per frame that has entries: did one serve it? A miss that compiles nothing is
                      a frame at its limit of recompiles.
    metrics           one record per compile: was there a graph, how many entries were there before,
                      is it a backward
    guard_failures    per entry that did not serve a frame that was compiled again: why
    cache entries     most recently used first: guards of what was made, or of what ran
    automatic dynamic what is no longer taken for constant, where entries cannot be read
    counters          graph breaks, and frames and graphs where there are no metrics
"""

import re
from weakref import WeakKeyDictionary

import torch
import torch._dynamo
from torch._dynamo import convert_frame, utils

# Kinds of guards, by the text that states one or that says how it failed; the first that matches.
# The group is the expression guarded. Texts: torch/_dynamo/guards.py, torch/csrc/dynamo/guards.cpp.
KINDS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("tensor_type", r"expected type of '(.+)' to be a tensor type"),
        ("tensor_keys", r"tensor '(.+)' dispatch key set mismatch"),
        ("tensor_dtype", r"tensor '(.+)' dtype mismatch"),
        ("tensor_device", r"tensor '(.+)' Tensor device index mismatch"),
        ("tensor_grad", r"tensor '(.+)' requires_grad mismatch"),
        ("tensor_rank", r"tensor '(.+)' rank mismatch"),
        ("tensor_size", r"tensor '(.+)' size mismatch"),
        ("tensor_stride", r"tensor '(.+)' stride mismatch"),
        ("tensor", r"check_tensor\((.+?), \w+, DispatchKeySet"),
        ("no_alias", r"check_no_aliasing\(([^,]+)"),
        ("no_alias", r'Duplicate tensors? found.*?\["(.+?)"'),
        ("overlap", r"check_overlapping\(overlapping=\[\], non_overlapping=\[([^,\]]*)"),
        ("overlap", r"check_overlapping\(overlapping=\[([^,\]]+)"),
        ("type", r"___check_type_id\((.+), \d+\)"),
        ("code", r"___check_obj_id\((.+)\.__code__, \d+\)"),
        ("identity", r"___check_obj_id\((.+), \d+\)"),
        ("metadata", r"___check_metadata_\w+\(([^,)]*)"),
        ("iterator", r"___(?:tuple_iterator_len|normalize_\w+_iter)\((.+)\) =="),
        ("version", r"___dict_version\((.+)\) =="),
        ("contains", r"(?:not )?___dict_contains\(.+?, (.+)\)"),
        ("contains", r"(?:not )?set\.__contains__\((.+), .+\)"),
        ("mark", r"hasattr\((.+), '_dynamo_\w+'\)"),
        ("mark", r"\(\(getattr\((.+?), '_dynamo_\w+'"),
        ("hasattr", r"(?:not )?hasattr\((.+), .+\)"),
        ("keys", r"list\(dict\.keys\((.+?)\)\) =="),
        ("keys", r"list\((.+?)\.keys\(\)\) =="),
        ("length", r"len\((.+)\) =="),
        # An object that a guard looks for has died: which guard, is in its name.
        ("type", r"Cache line invalidated because type\((.+)\) got deallocated"),
        ("code", r"Cache line invalidated because (.+)\.__code__ got deallocated"),
        ("identity", r"Cache line invalidated because (.+) got deallocated"),
        ("missing", r"(?:KeyError|IndexError) on (.+)"),
        ("missing", r"getattr failed on source (.+)"),
        ("backend", r"BACKEND_MATCH"),
        ("unexpected", r"Unexpected recompilation"),
        ("default_device", r"utils_device\.CURRENT_DEVICE"),
        ("function_modes", r"___check_torch_function_mode_stack"),
        ("saved_tensors", r".*top_saved_tensors_hooks"),
        ("transforms", r".*compare_functorch_state"),
        ("forward_ad", r"torch\.autograd\.forward_ad"),
        ("global_state", r"___check_global_state"),
        # What is computed from sizes and from numbers that are not taken for constants.
        ("shape", r".*(?:\.size\(\)|\.stride\(\)|\.storage_offset\(\)|\.item\(\)|math\.isnan)"),
        ("shape", r".* (?:<|<=|>|>=|!=|%) "),
        ("none", r"(.+) is None$"),
        ("not_none", r"(.+) is not None$"),
        ("alias", r"(.+) is .+"),
        ("equals", r"(.+?) == "),
        ("equals", r"\(type\((.+?)\) is \w+ and __\w+_isnan"),
        ("length", r"not (.+)"),
    )
)

# What of the process has changed, by a word of "GLOBAL_STATE changed: ...".
STATES = (
    ("grad_mode", "grad_mode"),
    ("autocast", "autocast"),
    ("default_dtype", "default_dtype"),
    ("deterministic", "deterministic"),
    ("num_threads", "threads"),
    ("torch_function", "function_modes"),
    ("allow_", "precision"),
)

# Kinds that say by themselves what they look at.
SOURCE_OF_KIND = {
    **dict.fromkeys((kind for _, kind in STATES), "process"),
    **dict.fromkeys(
        "default_device function_modes saved_tensors transforms forward_ad global_state".split(),
        "process",
    ),
    **dict.fromkeys(("backend", "unexpected"), "other"),
    "shape": "shape",
}

# Classes of sources, by the expression; the first that matches. The frame's own names come after.
SOURCES = tuple(
    (source, re.compile(pattern))
    for source, pattern in (
        ("library", r"(?:type\()?G\['(?:__import_|__builtins|torch'|nn'|np'|random')|__import__"),
        ("parameter", r".*\._parameters\["),
        ("buffer", r".*\._buffers\["),
        ("default", r".*\.__(?:kw)?defaults__"),
        ("closure", r".*(?:\.__closure__|\.cell_contents)"),
        ("class", r"(?:dict\()?type\(|.*\.__mro__|.*\.__class__"),
        ("element", r".*\w.*\[.*\]$"),
    )
)
_ENTRY = re.compile(r"\d+/\d+(?:_\d+)?: ")  # a reason begins with the entry's compile id
_LOCAL = re.compile(r"L\[\s*['\"](.*?)['\"]\s*\]")
_ROOT = re.compile(r"G\['\w+'\]|\w+")
_SUBMODULES = re.compile(r"(?:\._modules\['\w+'\])+")

# Each tensor has one such guard per kind of mark that it lacks.
_NO_MARK = re.compile(r"^hasattr\(.+, '_dynamo_\w+'\) == False")
# In a held tensor guard, a size or a stride that is not fixed; a number that only has its type.
_DYNAMIC_TENSOR = re.compile(r"check_tensor\(.*(?:size|stride)=\[[^\]]*None")
_DYNAMIC_NUMBER = re.compile(r"___check_type_id\((.+), \d+\), type=<class '(?:int|float)'>")


def source_of(expression, code):
    """Where a guarded value comes from, by the expression that Dynamo reads it with."""
    expression = expression.removesuffix(".__dict__")  # which attributes an object has
    root = _ROOT.match(expression)
    rest = expression[root.end() :] if root else expression
    for source, pattern in SOURCES:
        # An element is one of something: neither a global by its name nor a submodule.
        text = _SUBMODULES.sub("", "v" + rest) if source == "element" else expression
        if pattern.match(text):
            return source
    name = root.group() if root else ""
    if name == "self":
        return "attribute" if rest else "model"
    if rest.startswith("."):
        return "field"
    if name.startswith("G["):
        return "global"
    if name in code.co_freevars:
        return "closure"
    return "argument" if name in code.co_varnames else "other"


def facts_of(text, code):
    """(kind, source) pairs of one guard, or of one reason why an entry did not serve."""
    text = _LOCAL.sub(r"\1", text.split("\n")[0].split("  #")[0]).strip()
    text = text[_ENTRY.match(text).end() :] if _ENTRY.match(text) else text
    _, changed, states = text.partition("GLOBAL_STATE changed:")
    if changed:
        kinds = {kind for word in states.split() for prefix, kind in STATES if prefix in word}
        return [(kind, "process") for kind in kinds or {"global_state"}]
    for kind, pattern in KINDS:
        match = pattern.match(text)
        if match:
            source = SOURCE_OF_KIND.get(kind) or source_of(match.group(1), code)
            return [(kind, source)]
    return [("other", "other")]


class Entry:
    """What the guards of a cache entry say: parsed once, when first asked for."""

    def __init__(self, manager, code):
        self.facts, self.dynamic = set(), False
        parts = list(getattr(manager, "code_parts", ()))
        parts += self._epilogue(manager)
        for part in parts:
            if not _NO_MARK.search(part):
                self.facts.update(facts_of(part, code))
        # Guards on the process and on libraries are in every entry.
        self.facts = {f for f in self.facts if f[1] not in ("process", "library")}
        numbers = {m.group(1) for m in map(_DYNAMIC_NUMBER.match, parts) if m}
        fixed = {part.split(" == ")[0] for part in parts}
        self.dynamic = bool(numbers - fixed) or any(map(_DYNAMIC_TENSOR.match, parts))


    @staticmethod
    def _epilogue(manager):
        """Guards on sizes, and on several values at once, which are checked last."""
        guards = getattr(getattr(manager, "root", None), "get_epilogue_lambda_guards", None)
        return [part for guard in guards() for part in guard.verbose_code_parts()] if guards else []


class Signals:
    def __init__(self):
        extension = getattr(torch._C._dynamo, "eval_frame", None)
        self.entries_of = getattr(extension, "_debug_get_cache_entry_list", None)
        self.seen = getattr(getattr(convert_frame, "input_codes", None), "seen", None)
        self.metrics = getattr(utils, "get_compilation_metrics", None)
        if not hasattr(utils, "clear_compilation_metrics"):
            self.metrics = None
        self.failures = getattr(utils, "guard_failures", None)
        self.pgo = getattr(getattr(torch._dynamo, "pgo", None), "get_code_state", None)
        self.parsed = WeakKeyDictionary()  # by guard manager, which dies with its entry
        self.hits = []
        if hasattr(extension, "set_guard_complete_hook"):
            extension.set_guard_complete_hook(self._served)
        self.forget()

    def _served(self, hit):
        self.hits.append(hit)
        return True  # else Dynamo compiles although an entry serves

    def forget(self):
        """What has happened so far belongs to no call."""
        self.hits.clear()
        if self.metrics is not None:
            utils.clear_compilation_metrics()
        if self.failures is not None:
            self.failures.clear()
        self.counts = self._counts()
        self.generalised = self._generalised()

    def read(self, call):
        """(event, graph breaks, was a backward compiled, guard facts) since the last read. A
        backward, which no frame shows, reuses what its call compiled unless it compiles."""
        before, generalised, hits = self.counts, self.generalised, list(self.hits)
        metrics = list(self.metrics()) if self.metrics is not None else None
        failures = {code: list(texts) for code, texts in (self.failures or {}).items()}
        self.forget()
        frames, graphs, breaks = (now - then for now, then in zip(self.counts, before, strict=True))
        if not hits and not frames and not metrics:
            return ("skipped" if call else "reused"), breaks, False, []
        if metrics is None:
            made, again, backward = graphs > 0, False in hits, False
            limited, ids = False, None
        else:
            made = [m for m in metrics if m.has_guarded_code and m.graph_op_count]
            backward = any(m.is_forward is False for m in metrics)
            limited = any("recompile limit" in (m.fail_reason or "").lower() for m in metrics)
            again = any(m.cache_size for m in made)
            ids = {str(m.compile_id) for m in metrics}
            if backward and not call:
                made = metrics
                again = any(not i.endswith("/0") for i in ids)
        failed = {f for code, texts in failures.items() for t in texts for f in facts_of(t, code)}
        failed.update(self._dead(ids or (), failures))
        facts = [(*fact, "failed") for fact in sorted(failed)]
        if limited or (False in hits and not frames and not metrics):
            word = "fallback"
        elif made and again:
            dynamic = self._made_dynamic(ids, generalised)
            word = "recompiled_dynamic" if dynamic else "recompiled_static"
        elif made:
            word = "cold"
        elif frames:
            word = "skipped"
        else:
            word = "reused"
            facts += [(*fact, "held") for fact in sorted(self._held(hits))]
        return word, breaks, backward, facts

    @staticmethod
    def _counts():
        counters = utils.counters
        return (
            counters["frames"]["total"],
            counters["stats"]["unique_graphs"],
            sum(counters["graph_break"].values()),
        )

    def _entries(self):
        """Per code that has entries: the code and its entries, the one that ran last in front."""
        if self.entries_of is None or self.seen is None:
            return
        for reference in self.seen:
            code = reference()
            entries = self.entries_of(code) if code is not None else ()
            if entries:
                yield code, entries

    def _dead(self, ids, failures):
        """What failed entries that are in no list of failures, for a guarded object has died. That
        depends on what else holds the object, so an entry must tell the same in both lists."""
        facts = set()
        for code, entries in self._entries():
            if code in failures or any(str(entry.compile_id) in ids for entry in entries):
                for entry in entries:
                    reason = getattr(entry.guard_manager, "invalidation_reason", None)
                    facts.update(facts_of(reason, code) if reason else ())
        return facts

    def _parse(self, entry, code):
        manager = entry.guard_manager
        if manager not in self.parsed:
            self.parsed[manager] = Entry(manager, code)
        return self.parsed[manager]

    def _held(self, hits):
        """Guards of the entries that ran. The hook does not say of which code: where another code
        than those that ran has entries, nothing is known."""
        fronts = [
            (code, entries[0])
            for code, entries in self._entries()
            if not hasattr(entries[0].guard_manager, "invalidation_reason")
        ]
        if not all(hits) or len(hits) != len(fronts):
            return set()
        return {fact for code, entry in fronts for fact in self._parse(entry, code).facts}

    def _made_dynamic(self, ids, generalised):
        """Does one of the entries just made leave a size or a number open?"""
        if self.entries_of is None or self.seen is None or ids is None:
            return self._generalised() > generalised
        return any(
            str(entry.compile_id) in ids and self._parse(entry, code).dynamic
            for code, entries in self._entries()
            for entry in entries
        )

    def _generalised(self):
        """How much automatic dynamic shapes no longer take for constant; only asked for where the
        cache entries, which say more, cannot be read."""
        if self.pgo is None or (self.entries_of is not None and self.seen is not None):
            return 0
        states = self.pgo().values()
        return sum(str(e).count("?") for s in states for e in s.automatic_dynamic.values())
