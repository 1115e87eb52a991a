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

from weakref import WeakKeyDictionary

import torch
import torch._dynamo
from guard_text import Entry, facts_of
from torch._dynamo import convert_frame, utils


def parts_of(manager):
    """The texts of an entry's guards; those on sizes and on several values at once come last."""
    parts = list(getattr(manager, "code_parts", ()))
    last = getattr(getattr(manager, "root", None), "get_epilogue_lambda_guards", None)
    for guard in last() if last is not None else ():
        parts += guard.verbose_code_parts()
    return parts


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
            self.parsed[manager] = Entry(parts_of(manager), code)
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
        """How much automatic dynamic shapes no longer take for constant; only asked for where new
        cache entries, which say more, cannot be told."""
        if self.pgo is None or None not in (self.entries_of, self.seen, self.metrics):
            return 0
        states = self.pgo().values()
        return sum(e.render().count("?") for s in states for e in s.automatic_dynamic.values())
