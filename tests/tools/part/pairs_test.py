"""Compares the programs of pairs.py. The arguments are the program torchbook-part, the folder of torchbook.py and a program, of
which this test has no need."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
PROGRAM, MODULE = sys.argv[1:3]
del sys.argv[1:4]
sys.path[:0] = [MODULE, str(HERE)]

import torch  # noqa: E402
import torchbook  # noqa: E402
import pairs  # noqa: E402
import parting  # noqa: E402


class Pairs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def record(self, program, net=None):
        file = self.folder / f"{len(list(self.folder.iterdir()))}.trace"
        torch.manual_seed(1)
        with torchbook.trace(file, net):
            program() if net is None else program(net)
        return file

    def report(self, here, there):
        return parting.report(self, PROGRAM, here, there)

    def compare(self, here, there, net=lambda: None):
        def made():
            torch.manual_seed(3)
            return net()

        return self.report(self.record(here, made()), self.record(there, made()))

    def test_order_of_evaluation_is_no_difference(self):
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
        for here, there, words in pairs.FORWARD:
            with self.subTest(words):
                differences = self.compare(here, there, pairs.layers)["differences"]
                self.assertIn(words, differences[0]["what"])
                self.assertEqual([one["what"] for one in differences[1:] if "Backward" in one["what"]], [])

    def expect_first(self, table, net=lambda: None, only=False):
        self.assertGreater(len(table), 4)
        for number, (here, there, (kind, words, advice)) in enumerate(table):
            with self.subTest(number):
                differences = self.compare(here, there, net)["differences"]
                self.assertEqual(differences[0]["kind"], kind, differences[0]["what"])
                self.assertEqual([one["what"] for one in differences[1:] if only], [])
                self.assertIn(words, differences[0]["what"])
                self.assertIn(advice, differences[0]["advice"] or "")

    def test_exchanged_operands(self):
        self.expect_first(pairs.OPERANDS)

    def test_transposed_weights(self):
        self.expect_first(pairs.TRANSPOSED, pairs.Weight)

    def test_other_views_of_results(self):
        self.expect_first(pairs.OTHER_VIEWS, lambda: torch.nn.Linear(8, 24))

    def test_a_forgotten_transpose_is_told_where_it_is(self):
        program, other = (pairs.attention_of(**change) for change in ({}, {"heads": False}))
        difference = self.compare(program, other, lambda: torch.nn.Linear(8, 24))["differences"][0]
        self.assertEqual([one["name"] for one in difference["here"]], ["aten::transpose.int"])
        self.assertIn(".transpose(", (HERE / "pairs.py").read_text().splitlines()[int(difference["here"][0]["line"].split(":")[1]) - 1])

    def test_numbers_that_follow(self):
        difference = self.compare(lambda: (pairs.A * 2).sum().item(), lambda: (pairs.A * 2).sum(dtype=torch.float64).item())["differences"][0]
        here, there = (pairs.A * 2).sum().item(), (pairs.A * 2).sum(dtype=torch.float64).item()
        self.assertEqual([one["text"] for one in difference["growth"]], [f"{here} here, {there} there"])

    def test_other_constants(self):
        self.expect_first(pairs.CONSTANTS)

    def test_dtypes_that_promote(self):
        self.expect_first(pairs.DTYPES)

    def test_generators_of_loaders(self):
        self.expect_first(pairs.LOADERS)

    def test_other_parameters_and_changed_memory(self):
        self.expect_first(pairs.OTHER_MEMORY, pairs.Layers, only=True)

    def test_draws_of_one_side(self):
        self.expect_first(pairs.DRAWN, only=True)

    def test_a_seed_set_before_the_trace(self):
        def trace(name, seed):
            torch.manual_seed(1)
            torch.rand(4)
            if seed:
                torch.manual_seed(1)
            with torchbook.trace(self.folder / name):
                (torch.rand(4) + torch.rand(4)) * torch.rand(4)
            return self.folder / name

        differences = self.report(trace("here.trace", True), trace("there.trace", False))["differences"]
        self.assertEqual([one["what"] for one in differences],
                         ["other random numbers were drawn before rand there, and none here since the seed 1 was set"])

    def test_what_only_one_side_has(self):
        for here, there, words in pairs.ONE_SIDED:
            with self.subTest(words):
                differences = self.compare(here, there)["differences"]
                self.assertEqual(differences[0]["what"], words)
                self.assertEqual([one["what"] for one in differences[1:]], [])

    def test_overwritten_memory_is_no_input(self):
        difference = self.compare(lambda: torch.empty(3).uniform_(), lambda: (torch.manual_seed(2), torch.empty(3).uniform_()))
        (difference,) = difference["differences"]
        self.assertEqual([one["what"] for one in difference["tensors"]], ["output"])

    def test_what_follows_is_no_difference(self):
        for here, there, words in pairs.FOLLOWED:
            with self.subTest(words):
                report = self.compare(here, there, pairs.Layers)
                self.assertEqual(len(report["differences"]), 1, [one["what"] for one in report["differences"]])
                self.assertIn(words, report["differences"][0]["what"])
                self.assertEqual(report["without_effect"], [])

    def test_seeds_set_again(self):
        self.expect_first(pairs.SEEDS)

    def test_layers_made_in_another_order(self):
        for here, there, words in pairs.MAKING:
            with self.subTest(words):
                nets = []
                for make in (here, there):
                    torch.manual_seed(3)
                    nets.append(make())
                differences = self.report(*(self.record(lambda net: net(pairs.A), net) for net in nets))["differences"]
                self.assertEqual([(one["kind"], one["what"]) for one in differences], [("argument", words)])
                self.assertIn("statement of its own", differences[0]["advice"])

    def test_operations_that_change_no_bit_have_one_line(self):
        for number, (here, there) in enumerate(pairs.SAME_BITS):
            with self.subTest(number):
                files = self.record(here), self.record(there)
                run = subprocess.run([PROGRAM, "part", *files], capture_output=True, text=True)
                self.assertEqual(run.returncode, 0, run.stdout)
                about = [line for line in run.stdout.splitlines() if "ithout effect" in line or "only" in line]
                self.assertEqual(len(about), 1, run.stdout)
                self.assertRegex(about[0], r"^Without effect on the rest: \d+ operations? only (here|there), first .*\.$")


if __name__ == "__main__":
    unittest.main()
