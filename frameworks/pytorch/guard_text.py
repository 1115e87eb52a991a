"""What the text of a guard of torch.compile, or of the reason why one failed, is about.

Texts: torch/_dynamo/guards.py and torch/csrc/dynamo/guards.cpp of torch 2.13. Words are those of
frameworks/signals.cc; a text that no pattern knows is ("other", "other").
"""

import re

# Kinds of guards, by the text that states one or that says how it failed; the first that matches.
# The group is the expression guarded.
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
        ("code", r"CodeGuardAccessor: Not a function on (.+)\.__code__"),
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
        ("missing", r"\w+GuardAccessor: .+ on (.+)"),
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
    **dict.fromkeys(("default_device", "function_modes", "saved_tensors"), "process"),
    **dict.fromkeys(("transforms", "forward_ad", "global_state"), "process"),
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
_NO_MARK = re.compile(r"hasattr\(.+, '_dynamo_\w+'\) == False")
# A tensor with a size or a stride that is not fixed; a number of which only the type is fixed.
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
    """What the guards of a cache entry say, by their texts: `facts`, and whether some size, stride
    or number is left open."""

    def __init__(self, parts, code):
        told = {f for part in parts if not _NO_MARK.match(part) for f in facts_of(part, code)}
        # Guards on the process and on libraries are in every entry.
        self.facts = {fact for fact in told if fact[1] not in ("process", "library")}
        numbers = {m.group(1) for m in map(_DYNAMIC_NUMBER.match, parts) if m}
        fixed = {part.split(" == ")[0] for part in parts}
        self.dynamic = bool(numbers - fixed) or any(map(_DYNAMIC_TENSOR.match, parts))
