"""Tests of what guards' texts are taken for; every word is one of frameworks/signals.cc."""

import ast
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "frameworks" / "pytorch"))
import guard_text
from guard_text import Entry, facts_of

ROOT = pathlib.Path(__file__).parents[2]


def table(name):
    """The words of one of the tables of signals.cc."""
    text = (ROOT / "frameworks" / "signals.cc").read_text()
    rows = text.split(f"& {name}()")[1].split("return *rows")[0]
    return re.findall(r'\{"(\w+)",', rows)


def factory():
    cell = 1

    def forward(self, x, k, items, d):
        return cell

    return forward.__code__


CODE = factory()

# Texts as torch 2.13.0 wrote them.
TEXTS = (
    ("0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3", "tensor_size", "argument"),
    ("0/0: tensor 'x' stride mismatch at index 0. expected 3", "tensor_stride", "argument"),
    ("0/0: tensor 'x' rank mismatch. expected 1, actual 2", "tensor_rank", "argument"),
    ("0/0: tensor 'x' dtype mismatch. expected Float, actual Double", "tensor_dtype", "argument"),
    ("0/0: tensor 'x' dispatch key set mismatch. expected A, actual B", "tensor_keys", "argument"),
    (
        "0/4: tensor 'self._parameters['pa']' requires_grad mismatch. expected requires_grad=1. "
        "Guard failed on a parameter, consider using torch._dynamo.config...",
        "tensor_grad",
        "parameter",
    ),
    (
        "0/0: expected type of 'd['a']' to be a tensor type, ' but found <class 'float'>",
        "tensor_type",
        "element",
    ),
    (
        "check_tensor(L['self']._buffers['b'], Tensor, DispatchKeySet(CPU), torch.float32, "
        "device=None, requires_grad=False, size=[2], stride=[1])",
        "tensor",
        "buffer",
    ),
    ('0/0: Duplicate tensors found: ["x", "k"]', "no_alias", "argument"),
    ("check_no_aliasing(L['x'], L['k'])", "no_alias", "argument"),
    ("0/0: check_overlapping(overlapping=[], non_overlapping=[x, k])", "overlap", "argument"),
    ("check_overlapping(overlapping=[L['x'], L['k']], non_overlapping=[])", "overlap", "argument"),
    ("L['x'] is L['k']", "alias", "argument"),
    ("0/0: self.a == 1.5            #   # <p>:45 in forward", "equals", "attribute"),
    ("0/1: self._modules['inner'].sm == 1.5", "equals", "attribute"),
    ("0/2: dict(type(self).__dict__)['cl'] == 1.5", "equals", "class"),
    ("0/3: G['gl'] == 1.5", "equals", "global"),
    ("0/4: cell == 1", "equals", "closure"),
    ("0/5: k == 3\nUser stack trace:\n  x", "equals", "argument"),
    ("0/6: self.table['di'] == 1.5", "equals", "element"),
    ("0/7: self.levels[0] == 1.5", "equals", "element"),
    ("0/8: G['config'].ob == 1.5", "equals", "field"),
    ("0/0: i.item() == 1", "shape", "shape"),
    ("0/0: 2 <= x.size()[0]", "shape", "shape"),
    ("not math.isnan(L['k'])", "shape", "shape"),
    ("L['x'].size()[0] == L['y'].size()[0]", "shape", "shape"),
    ("0/0: len(items) == 1", "length", "argument"),
    ("not L['items']", "length", "argument"),
    ("0/0: list(dict.keys(d)) == ['a']", "keys", "argument"),
    ("not ___dict_contains('b', L['d'])", "contains", "argument"),
    ("not ___dict_contains('forward', L['self']._modules['am'].__dict__)", "contains", "attribute"),
    ("not ___dict_contains('me', L['self'].__dict__)", "contains", "model"),
    ("L['k'] is None", "none", "argument"),
    ("L['k'] is not None", "not_none", "argument"),
    ("0/0: KeyError on self.a", "missing", "attribute"),
    ("___check_type_id(L['self'], 17), type=<class 'prog.M'>", "type", "model"),
    ("___check_obj_id(G['gc'], 14), type=<class 'function'>", "identity", "global"),
    ("___check_obj_id(G['torch'].sin, 14), type=<class 'x'>", "identity", "library"),
    ("___check_obj_id(G['gc'].__code__, 14), type=<class 'code'>", "code", "global"),
    (
        "___check_obj_id(dict(type(self).__dict__)['pr'].fget.__code__, 14), type=<class 'code'>",
        "code",
        "class",
    ),
    ("0/0: CodeGuardAccessor: Not a function on G['gc'].__code__", "code", "global"),
    (
        "0/0: Cache line invalidated because G['gc'].__code__ got deallocated",
        "code",
        "global",
    ),
    (
        "0/0: Cache line invalidated because type(L['self']) got deallocated",
        "type",
        "model",
    ),
    ("hasattr(L['x'], '_dynamo_dynamic_indices') == False", "mark", "argument"),
    ("0/1: ___check_torch_function_mode_stack()", "function_modes", "process"),
    ("utils_device.CURRENT_DEVICE == None", "default_device", "process"),
    ("0/0: BACKEND_MATCH failure: torch.compile detected different ...", "backend", "other"),
    ("0/0: Unexpected recompilation: runtime guards failed even though", "unexpected", "other"),
    ("0/0: something that no release has said yet", "other", "other"),
    ("", "other", "other"),
)


class GuardText(unittest.TestCase):
    def test_kind_and_source(self):
        for text, kind, source in TEXTS:
            with self.subTest(text):
                self.assertEqual(facts_of(text, CODE), [(kind, source)])

    def test_several_flags_of_the_process_are_several_facts(self):
        text = "0/1: GLOBAL_STATE changed: grad_mode autocast(cpu)_enabled num_threads "
        self.assertEqual(
            sorted(facts_of(text, CODE)),
            [("autocast", "process"), ("grad_mode", "process"), ("threads", "process")],
        )

    def test_an_entry_tells_whether_something_is_left_open(self):
        tensor = "check_tensor(L['x'], Tensor, DispatchKeySet(CPU), size={}, stride={})"
        for parts, dynamic in (
            ([tensor.format("[2, 3]", "[3, 1]")], False),
            ([tensor.format("[None, 3]", "[3, 1]")], True),
            ([tensor.format("[2, 3]", "[1, None]")], True),
            (["___check_type_id(L['k'], 9), type=<class 'int'>"], True),
            (["___check_type_id(L['k'], 9), type=<class 'int'>", "L['k'] == 3"], False),
            (["___check_type_id(L['k'], 9), type=<class 'dict'>"], False),
            (["L['k'] == 3"], False),
        ):
            with self.subTest(parts):
                self.assertEqual(Entry(parts, CODE).dynamic, dynamic)

    def test_an_entry_leaves_out_what_every_entry_has(self):
        parts = [text for text, kind, source in TEXTS if source in ("process", "library")]
        parts += ["hasattr(L['x'], '_dynamo_dynamic_indices') == False", "L['k'] == 3"]
        self.assertEqual(Entry(parts, CODE).facts, {("equals", "argument")})


class Words(unittest.TestCase):
    def test_of_pytorch_are_in_the_tables(self):
        kinds = {kind for kind, _ in guard_text.KINDS} | {kind for _, kind in guard_text.STATES}
        kinds |= set(guard_text.SOURCE_OF_KIND)
        sources = {source for source, _ in guard_text.SOURCES}
        sources |= set(guard_text.SOURCE_OF_KIND.values())
        self.assertLessEqual(kinds, set(table("GuardKinds")))
        self.assertLessEqual(sources, set(table("GuardSources")))

    def test_of_the_mock_are_in_the_tables(self):
        tree = ast.parse((ROOT / "frameworks" / "mock" / "runtime.py").read_text())
        tables = {
            statement.targets[0].id: ast.literal_eval(statement.value)
            for statement in tree.body
            if isinstance(statement, ast.Assign) and statement.targets[0].id != "DTYPES"
        }
        for name, words in (
            ("EVENTS", "CompilerEvents"),
            ("KINDS", "GuardKinds"),
            ("HOMES", "GuardSources"),
        ):
            self.assertLessEqual(set(tables[name].values()), set(table(words)))


if __name__ == "__main__":
    unittest.main()
