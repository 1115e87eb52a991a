"""Tests of the store of native kernels: what it answers, what it must not, and what a hit is worth.

The last class compiles kernels, in child processes under the interpreter that has torch; without
one it is skipped.
"""

import contextlib
import importlib.util
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "frameworks" / "pytorch"))
import native_store
from native_store import Store

ROOT = pathlib.Path(__file__).parents[2]
RUNTIME = ROOT / "frameworks" / "pytorch"


class Compiler:
    """Stands in for g++: its product tells source and flags apart. Counts its runs."""

    def __init__(self, folder, name="a", size=0):
        self.source, self.output = f"{folder}/{name}.cpp", f"{folder}/{name}.so"
        self.padding = bytes(size)
        self.runs = 0

    def command(self, flags):
        return f"g++ {self.source} -D X {flags} -include /h/pch.h -o {self.output} -lm"

    def build(self, store, text="code", flags="-O3", version="12"):
        """Whether the compiler ran."""
        pathlib.Path(self.source).write_text(text)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.output)
        before, product = self.runs, f"{text} {flags}".encode() + self.padding

        def real():
            self.runs += 1
            pathlib.Path(self.output).write_bytes(product)

        store.run(real, self.command(flags), version)
        assert pathlib.Path(self.output).read_bytes() == product
        return self.runs > before


class StoreTest(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.place = pathlib.Path(self.folder, "store")
        self.store = Store(str(self.place))
        self.compiler = Compiler(self.folder)

    def entries(self):
        return sorted(self.place.iterdir())

    def test_the_same_question_is_asked_once(self):
        self.assertTrue(self.compiler.build(self.store))
        self.assertFalse(self.compiler.build(self.store))
        self.assertFalse(self.compiler.build(Store(str(self.place))))

    def test_paths_of_a_process_are_no_part_of_the_question(self):
        self.assertTrue(self.compiler.build(self.store))
        with tempfile.TemporaryDirectory() as elsewhere:
            self.assertFalse(Compiler(elsewhere, "other").build(self.store))

    def test_all_else_is(self):
        self.compiler.build(self.store)
        self.assertTrue(self.compiler.build(self.store, text="code "))
        self.assertTrue(self.compiler.build(self.store, flags="-O2"))
        self.assertTrue(self.compiler.build(self.store, flags="-O3 -O3"))
        self.assertTrue(self.compiler.build(self.store, version="13"))
        self.assertTrue(self.compiler.build(Store(str(self.place), ("torch 9",))))

    def test_damaged_entries_are_not_used_and_are_replaced(self):
        self.compiler.build(self.store)
        (entry,) = self.entries()
        whole = entry.read_bytes()
        last = bytes([whole[-1] ^ 1])
        for damaged in (b"", whole[:7], whole[:-1], whole + b"x", whole[:-1] + last):
            entry.write_bytes(damaged)
            self.assertTrue(self.compiler.build(self.store))
            self.assertFalse(self.compiler.build(self.store))

    def test_an_entry_answers_its_own_question_only(self):
        self.compiler.build(self.store)
        (first,) = self.entries()
        self.compiler.build(self.store, text="other")
        (second,) = set(self.entries()) - {first}
        second.write_bytes(first.read_bytes())
        self.assertTrue(self.compiler.build(self.store, text="other"))

    def test_a_store_that_cannot_be_used_changes_nothing(self):
        plain = pathlib.Path(self.folder, "file")
        plain.write_text("")
        for folder in (plain, plain / "below", "/proc/store"):
            store = Store(str(folder))
            self.assertTrue(self.compiler.build(store))
            self.assertTrue(self.compiler.build(store))

    def test_a_disk_that_fills_up_leaves_nothing_behind(self):
        with mock.patch("native_store.os.replace", side_effect=OSError(28, "full")):
            self.assertTrue(self.compiler.build(self.store))
        self.assertEqual(self.entries(), [])
        self.assertTrue(self.compiler.build(self.store))
        with mock.patch("native_store.os.replace", side_effect=OSError(28, "full")):
            self.assertTrue(self.compiler.build(self.store))

    def test_failures_of_the_compiler_are_its_own(self):
        pathlib.Path(self.compiler.source).write_text("code")

        def fails():
            raise ValueError("no such type")

        for _ in range(2):
            with self.assertRaisesRegex(ValueError, "no such type"):
                self.store.run(fails, self.compiler.command(""), "12")
        self.assertEqual(self.entries(), [])

    def test_other_commands_are_left_alone(self):
        source, output = self.compiler.source, self.compiler.output
        for command in (
            f"g++ {source} -c -o {self.folder}/a.o",
            f"g++ {source} {self.folder}/b.so -o {output}",
            f"g++ {source} {source} -o {output}",
            f"g++ {self.folder}/a.o -o {output}",
            f"g++ -x c++-header {self.folder}/a.h -o {self.folder}/a.h.gch",
            f"g++ {source} {output}",
            f"g++ {source} {output} -o",
            "g++ 'unbalanced",
        ):
            with self.subTest(command):
                self.assertIsNone(self.asked(command))
        self.assertIsNotNone(self.asked(self.compiler.command("")))
        self.assertTrue(self.compiler.build(self.store, version=""))
        self.assertTrue(self.compiler.build(self.store, version=""))

    def asked(self, command):
        with contextlib.suppress(ValueError):
            return native_store.question(command)

    def test_the_oldest_used_are_dropped_and_nothing_of_others(self):
        other = self.place / "notes"
        other.write_bytes(bytes(100_000))
        compiler = Compiler(self.folder, size=1000)
        for age, text in enumerate("abcd"):
            before = set(self.entries())
            compiler.build(self.store, text=text)
            (entry,) = set(self.entries()) - before
            os.utime(entry, (age, age))
        self.assertFalse(compiler.build(self.store, text="a"))
        store = Store(str(self.place), limit=2500)
        self.assertEqual(
            [compiler.build(store, text=t) for t in "adbc"], [False, False, True, True]
        )
        self.assertTrue(other.exists())

    def test_a_long_run_stays_near_its_limit(self):
        store = Store(str(self.place), limit=50_000)
        for number in range(300):
            Compiler(self.folder, size=1000).build(store, text=str(number))
            size = sum(entry.stat().st_size for entry in self.entries())
            self.assertLess(size, 50_000 * 9 / 8 + 2000)

    def test_processes_share_it(self):
        def work():
            with tempfile.TemporaryDirectory() as folder:
                compiler = Compiler(folder, size=1000)
                for number in range(300):
                    # A limit below what they write: entries go while others read them.
                    store = Store(str(self.place), limit=4000)
                    compiler.build(store, text=str(number % 7))

        processes = [multiprocessing.get_context("fork").Process(target=work) for _ in range(4)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        self.assertEqual([process.exitcode for process in processes], [0] * 4)

    def test_where_it_lies(self):
        for variables, folder in (
            ({"REPRISE_NATIVE_STORE": "/s", "XDG_CACHE_HOME": "/x"}, "/s"),
            ({"REPRISE_NATIVE_STORE": "", "XDG_CACHE_HOME": "/x"}, None),
            ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x/reprise/native"),
            ({"XDG_CACHE_HOME": "", "HOME": "/h"}, "/h/.cache/reprise/native"),
        ):
            with mock.patch.dict(os.environ, variables, clear=True):
                self.assertEqual(native_store.folder_of_user(), folder)


CHILD = """
import json, os, shutil, subprocess, sys
run, links = subprocess.run, 0
def counting(command, *args, **kwargs):
    global links
    links += isinstance(command, list) and "-shared" in command
    return run(command, *args, **kwargs)
subprocess.run = counting
sys.path.insert(0, sys.argv[1])
import runtime, torch
tool, shown = runtime.Runtime(), []
def show(value):
    shown.append([value.detach().numpy().tobytes().hex(), links])
def model(x):
    return torch.tanh(x * 2 + 1).sum(-1)
def play():
    tool.reset(1)
    x = torch.linspace(0, 1, 12).reshape(3, 4).requires_grad_()
    y = torch.compile(model)(x)
    y.sum().backward()
    show(y), show(x.grad)
play()
# The kernels are loaded, and their files are gone: built anew at the same paths.
for name in os.listdir(runtime._cache):
    shutil.rmtree(os.path.join(runtime._cache, name))
play()
# And once more at paths of their own.
os.environ["TORCHINDUCTOR_CACHE_DIR"] = runtime._cache + "/other"
play()
print(json.dumps(shown))
"""


def interpreter():
    if importlib.util.find_spec("torch"):
        return sys.executable
    python = ROOT / "build" / "venv" / "pytorch" / "bin" / "python"
    return str(python) if python.exists() else None


@unittest.skipUnless(interpreter(), "needs torch")
class TorchTest(unittest.TestCase):
    def play(self, store):
        """What a process sees and how often it had linked by then, for each of three compiles."""
        command = [interpreter(), "-c", CHILD, str(RUNTIME)]
        environment = dict(os.environ, REPRISE_NATIVE_STORE=store)
        shown = json.loads(subprocess.check_output(command, env=environment))
        return [value for value, _ in shown], [links for _, links in shown]

    def test_a_hit_is_as_good_as_a_compile(self):
        with tempfile.TemporaryDirectory() as store:
            values, links = self.play("")
            self.assertGreater(links[-1], links[1])
            self.assertEqual(values[:2] * 3, values)
            cold_values, cold_links = self.play(store)
            self.assertEqual(cold_values, values)
            self.assertEqual(cold_links[1:], [links[1]] * 5)
            warm_values, warm_links = self.play(store)
            self.assertEqual(warm_values, values)
            self.assertEqual(warm_links, [0] * 6)


if __name__ == "__main__":
    unittest.main()
