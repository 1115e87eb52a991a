"""Tests of what mk's guards notice, and of which calls are compiled, reused or neither."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from mk_programs import (
    STATEFUL,
    MkTest,
    add_to_first,
    bits,
    calls,
    calls_model,
    mk,
    overlapping_pair,
    pair,
    play,
    same_pair,
    uncompiled,
    values,
)


class GuardsTest(MkTest):
    def test_each_change_is_noticed_by_its_guard(self):
        for fault, failure in (
            ("ignore_shape", "SHAPE x"),
            ("ignore_dtype", "DTYPE x"),
            ("ignore_layout", "CONTIGUOUS x"),
            ("ignore_identity", "IDENTITY of inputs"),
            ("ignore_training", "TRAINING self.training"),
            ("ignore_grad_mode", "GRAD_MODE process"),
            ("ignore_attr:scale", "EQUALS self.scale"),
            ("ignore_dict:k", "EQUALS self.table['k']"),
            ("ignore_attr:inner", "IDENTITY self.inner"),
            ("ignore_closure:gain", "EQUALS gain"),
            ("ignore_class:power", "EQUALS Model.power"),
            ("ignore_global:GAIN", "EQUALS GAIN"),
        ):
            with self.subTest(fault):
                _, events = play(STATEFUL[fault])
                self.assertEqual(events, ["compiled", "recompiled"])
                self.assertEqual(mk.last_guard_failure(), failure)

    def test_aliased_arguments(self):
        sound = self.assertSound
        sound(calls(add_to_first, pair, same_pair, pair), "compiled", "recompiled", "reused")
        sound(calls(add_to_first, same_pair, pair, same_pair), "compiled", "recompiled", "reused")
        sound(calls(add_to_first, pair, overlapping_pair, pair), "compiled", "recompiled", "reused")
        mk.faults.add("ignore_identity")
        program = calls(add_to_first, pair, overlapping_pair)
        self.assertNotEqual(play(program)[0], uncompiled(program))

    def test_slots_may_be_deleted_added_and_odd(self):
        def lookup(x, table):
            return x * table.get("k", 1.5) + 0

        f, x, table = mk.compile(lookup), values(2), {"k": 2.0}
        for change in (lambda: table.pop("k"), lambda: table.update(k=2.0), table.clear):
            self.assertEqual(bits(f(x, table)), bits(lookup(x, table)))
            change()
        self.assertSound(
            calls_model(
                lambda m: setattr(m, "power", 3),
                lambda m: delattr(m, "power"),
                *(lambda m, v=v: setattr(m, "scale", float(v)) for v in ("nan", "nan", "0", "-0")),
            ),
            "compiled",
            "recompiled",
            "reused",
            "recompiled",
            "reused",
            "recompiled",
            "recompiled",
        )

    def test_side_effects_and_unknown_tensors_are_not_compiled(self):
        class Counter(mk.Module):
            count, last = 0, None

            def forward(self, x):
                self.count, self.last = self.count + 1, x
                return x * self.count

        def program(wrap):
            m = Counter()
            f = wrap(m)
            for seed in (1, 2, 3):
                m.count = 0
                yield [f(values(2, seed=seed)), m.count, m.last]

        self.assertSound(program)
        self.assertEqual(mk.counters["hits"], 0)
        hidden = iter([values(2), values(2, seed=1)])
        f = mk.compile(lambda x: x + next(hidden))
        f(values(2))
        self.assertEqual(mk.last_event(), "break")

    def test_graph_break_runs_uncompiled_every_time(self):
        def fn(x):
            y = x + 1
            mk.graph_break()
            return y * 2

        self.assertSound(calls(fn, *[lambda: (values(2),)] * 2), "break", "break")
        self.assertEqual(mk.counters, {"graph_breaks": 2})
        self.assertSound(
            calls(lambda x: x * 2 if x.sum().item() > 0 else -x, (values(2),), (values(2) * -1,)),
            "break",
            "break",
        )

    def test_cache_limit_reset_and_counters(self):
        f = mk.compile(lambda x: x * 2)
        for n in range(1, mk.CACHE_LIMIT + 3):
            f(values(n))
        self.assertEqual((len(f.entries), mk.last_event()), (mk.CACHE_LIMIT, "fallback"))
        f(values(1))
        self.assertEqual((mk.last_event(), mk.last_guard_failure()), ("reused", "SHAPE x"))
        self.assertEqual(
            {k: mk.counters[k] for k in ("compiles", "hits", "fallbacks")},
            {"compiles": mk.CACHE_LIMIT, "hits": 1, "fallbacks": 2},
        )
        mk.reset()
        f(values(1))
        self.assertEqual((mk.last_event(), len(f.entries)), ("compiled", 1))

    def test_views_asked_for_their_layout_need_exact_strides(self):
        program = calls(
            lambda x: x + 1 if x[:, :2].is_contiguous() else x,
            (values(2, 2),),
            (values(2, 4)[:, :2],),
            (values(2, 4)[:, ::2],),
        )
        self.assertSound(program)

    def test_a_raising_call_is_not_cached(self):
        f = mk.compile(lambda x: x.reshape(7))
        with self.assertRaises(ValueError):
            f(values(2))
        self.assertEqual((f.entries, mk.last_event()), ([], "fallback"))
        self.assertEqual(f(values(7)).shape, (7,))


if __name__ == "__main__":
    unittest.main()
