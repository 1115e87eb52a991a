"""Tests of the faults that can be planted in mk."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from mk_programs import STATEFUL, MkTest, calls, mk, play, uncompiled, values


class FaultsTest(MkTest):
    def test_faults_spoil_the_second_call_and_a_reset_cures(self):
        for fault, program in STATEFUL.items():
            with self.subTest(fault):
                want = uncompiled(program)
                self.assertEqual(play(program)[0], want)
                mk.faults.add(fault)
                spoilt, _ = play(program)
                self.assertEqual(spoilt[0], want[0])
                self.assertNotEqual(spoilt[1], want[1])
                self.assertEqual(play(program, reset=True)[0], want)
                mk.faults.clear()

    def test_operator_faults(self):
        program = calls(lambda x: mk.relu(x) * 2, *[lambda: (values(3),)] * 5)
        want = uncompiled(program)
        for fault, wrong in (
            ("wrong_op:mul", [1, 1, 1, 1, 1]),
            ("wrong_op:sin", [0, 0, 0, 0, 0]),
            ("cold_wrong:relu", [1, 0, 0, 0, 0]),
        ):
            mk.faults.add(fault)
            self.assertEqual([int(a != b) for a, b in zip(play(program)[0], want)], wrong, fault)
            mk.faults.clear()
        mk.faults.add("unstable:relu")
        off = [int(a != b) for a, b in zip(play(program)[0], want)]
        self.assertIn(off, ([0, 1, 0, 1, 0], [1, 0, 1, 0, 1]))

    def test_faults_of_a_reuse(self):
        f, x = mk.compile(lambda x: x + 1), values(3)
        f(x)
        mk.faults.add("leak_grad_mode")
        f(x)
        self.assertFalse(mk.is_grad_enabled())
        mk.set_grad_enabled(True)
        mk.faults.add("raise_on_reuse")
        with self.assertRaisesRegex(RuntimeError, "mk internal error"):
            f(x)


if __name__ == "__main__":
    unittest.main()
