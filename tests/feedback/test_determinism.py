"""The same cases execute the same lines in every process, in every order (bench/determinism.py)."""

import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(os.environ.get("REPRISE_BUILD", ROOT / "build" / "dev"))


class Determinism(unittest.TestCase):
    def check(self, framework, backend, sequences):
        if not (BUILD.parent / "venv" / framework).exists():
            self.skipTest(f"no {framework} here")
        command = [sys.executable, ROOT / "bench" / "determinism.py", BUILD]
        command += [ROOT / "corpus" / "architectures", f"--framework={framework}"]
        command += [f"--backend={backend}", f"--sequences={sequences}"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_mock(self):
        self.check("mock", "jit", 12)

    def test_pytorch(self):
        self.check("pytorch", "eager", 1)


if __name__ == "__main__":
    unittest.main()
