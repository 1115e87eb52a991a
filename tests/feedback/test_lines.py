"""The line engine under plain interpreters: CPython 3.11 as it was built for, and whatever newer
ones are on this machine, for which it is compiled here. What is checked is in
lines/line_checks.py."""

import functools
import glob
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
CHECKS = pathlib.Path(__file__).parent / "lines"
BUILD = pathlib.Path(os.environ.get("REPRISE_BUILD", ROOT / "build" / "dev"))
SKIPPED = 77
QUESTION = """
import os, sys, sysconfig
header = os.path.join(sysconfig.get_path("include"), "Python.h")
print(sys.implementation.name, sys.version_info[0], sys.version_info[1], os.path.exists(header),
      sysconfig.get_path("include"), sep="\\n")
"""


def ask(python):
    """(minor version, include folder), or None for what is no CPython with headers."""
    try:
        command = [python, "-I", "-c", QUESTION]
        answer = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = answer.stdout.split("\n")
    if answer.returncode != 0 or words[0] != "cpython" or words[3] != "True":
        return None
    return (int(words[1]), int(words[2])), words[4]


@functools.cache
def interpreters():
    """One interpreter per minor version from 3.11 on: {(3, 12): (path, include folder)}."""
    found = {}
    names = [sys.executable, *filter(None, (shutil.which(f"python3.{n}") for n in range(11, 16)))]
    names += sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python")))
    for python in names:
        answer = ask(python)
        if answer and answer[0] >= (3, 11):
            found.setdefault(answer[0], []).append((python, answer[1]))
    return found


def compiler():
    names = ("clang++-19", "clang++-20", "clang++-18", "clang++-17", "clang++-16", "clang++", "g++")
    return next(filter(None, map(shutil.which, names)), None)


@functools.cache
def extension(version):
    """Folder with the extension module for a minor version."""
    built = BUILD / "lines"
    if version == sys.version_info[:2] and (built / "reprise_lines.so").exists():
        return str(built)
    folder = tempfile.mkdtemp(prefix="reprise-lines-")
    sources = [str(path) for path in sorted((ROOT / "feedback" / "lines").glob("*.cc"))]
    command = [compiler(), "-std=c++20", "-O1", "-shared", "-fPIC", f"-I{ROOT}"]
    command += [f"-I{interpreters()[version][0][1]}", *sources, "-o", f"{folder}/reprise_lines.so"]
    subprocess.run(command, check=True)
    return folder


class Lines(unittest.TestCase):
    def check(self, name):
        ran = 0
        for version, candidates in interpreters().items():
            for python, _ in candidates:
                command = [python, CHECKS / "line_checks.py", extension(version), name]
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode == SKIPPED:
                    continue
                with self.subTest(python=python):
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                print(f"{name}, {'.'.join(map(str, version))}: {done.stdout.strip()}")
                ran += 1
                break
        if not ran:
            self.skipTest("no interpreter here has what this check needs")

    def test_sets_are_those_of_a_tracer(self):
        self.check("features")

    def test_wide_code(self):
        self.check("wide")

    def test_the_standard_library_is_the_same_when_put_together_again(self):
        self.check("roundtrip")

    def test_cpythons_own_tests_pass(self):
        self.check("cpython")

    def test_where_lines_cannot_be_told_none_are(self):
        self.check("refusal")


def framework_python():
    python = ROOT / "build" / "venv" / "pytorch" / "bin" / "python"
    return str(python) if python.exists() else None


@unittest.skipIf(framework_python() is None, "no torch here")
@unittest.skipIf(sys.version_info[:2] != ask(sys.executable)[0], "no headers")
class Dynamo(unittest.TestCase):
    """TorchDynamo does the same with the cases of tests/data when its lines are counted."""

    def record(self, extension_folder, programs, sources):
        command = [framework_python(), CHECKS / "dynamo_record.py", extension_folder, *programs]
        environment = os.environ | {"PYTHONHASHSEED": "0", "REPRISE_SOURCES": sources}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return dict(map(json.loads, done.stdout.splitlines()))

    def test_dynamo_does_not_notice(self):
        tool = BUILD / "reprise_cli"
        sources = subprocess.run([tool, "sources"], check=True, capture_output=True, text=True)
        with tempfile.TemporaryDirectory() as folder:
            programs = []
            for case in sorted((ROOT / "tests" / "data" / "pytorch").glob("*.reprise")):
                shown = subprocess.run([tool, "show", case], capture_output=True, text=True)
                self.assertEqual(shown.returncode, 0, f"{case.name}: {shown.stderr}")
                if '"inductor"' in shown.stdout:
                    continue  # minutes of g++; its own Python is counted in the same way
                programs.append(f"{folder}/{case.stem}.py")
                pathlib.Path(programs[-1]).write_text(shown.stdout)
            programs.append(str(CHECKS / "dynamo_features.py"))
            without = self.record("none", programs, "null")
            counted = self.record(extension(sys.version_info[:2]), programs, sources.stdout)
        for program, record in without.items():
            self.assertEqual(counted[program], record, program)
        self.assertGreater(sum(len(r["events"]) for r in without.values() if "events" in r), 300)


if __name__ == "__main__":
    unittest.main()
