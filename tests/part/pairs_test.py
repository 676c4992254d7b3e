"""Compares the programs of pairs.py. The arguments are the program torchbook, the folder of torchbook.py and a program, of
which this test has no need."""
import inspect
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
TORCHBOOK, MODULE = sys.argv[1:3]
del sys.argv[1:4]
sys.path[:0] = [MODULE, str(HERE), str(HERE.parent / "support/warm")]

import torch  # noqa: E402
import torchbook  # noqa: E402
import pairs  # noqa: E402
import warm_programs  # noqa: E402

PROGRAM = warm_programs.folder(pathlib.Path(TORCHBOOK).parent) / "torchbook"


class Pairs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def record(self, program, net=None):
        file = self.folder / f"{len(list(self.folder.iterdir()))}.trace"
        torch.manual_seed(1)
        with torchbook.trace(file, net):
            program(net) if inspect.signature(program).parameters else program()
        return file

    def report(self, here, there):
        run = subprocess.run([PROGRAM, "part", here, there, "--format", "json"], capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        report = json.loads(run.stdout)
        self.assertEqual(run.returncode, 1 if report["differences"] else 0)
        return report

    def compare(self, here, there, net=lambda: None):
        def made():
            torch.manual_seed(3)
            return net()

        return self.report(self.record(here, made()), self.record(there, made()))

    def test_order_of_evaluation_is_no_difference(self):
        self.assertEqual(len(pairs.ORDER), 10)
        for number, (here, there) in enumerate(pairs.ORDER):
            with self.subTest(number):
                report = self.compare(here, there)
                self.assertEqual([one["what"] for one in report["differences"]], [])
                self.assertEqual(report["without_effect"], [])
                self.assertGreater(report["pairs"], 5)

    def test_gradients_that_are_added_in_another_order(self):
        for number, (here, there) in enumerate(pairs.GRADIENTS):
            with self.subTest(number):
                differences = self.compare(here, there)["differences"]
                self.assertEqual([one["what"] for one in differences],
                                 ["gradients are added in another order, because operands ran in another order"])

    def test_the_forward_pass_comes_first(self):
        self.assertEqual(len(pairs.FORWARD), 10)
        for here, there, words in pairs.FORWARD:
            with self.subTest(words):
                differences = self.compare(here, there, pairs.layers)["differences"]
                self.assertIn(words, differences[0]["what"])
                self.assertEqual([one["what"] for one in differences[1:] if "Backward" in one["what"]], [])


if __name__ == "__main__":
    unittest.main()
