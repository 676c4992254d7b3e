"""Plants causes in small networks, and asks `torchbook part` for each. The arguments are the program torchbook-part, the folder of
torchbook.py and a program, of which this test has no need."""
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
PROGRAM, MODULE = sys.argv[1:3]
del sys.argv[1:4]
sys.path[:0] = [MODULE, str(HERE), str(HERE.parents[1] / "support")]

import torch  # noqa: E402
import torchbook  # noqa: E402
import kernels  # noqa: E402
import networks  # noqa: E402
import parting  # noqa: E402
import programs  # noqa: E402

SOURCE = (HERE / "networks.py").read_text().splitlines()
NETWORKS = {
    "attention": (networks.Attention, lambda: (torch.randn(2, 5, 16),)),
    "gpt": (networks.Gpt, lambda: (torch.randint(11, (2, 6)),)),
    "convolution": (networks.Convolution, lambda: (torch.randn(3, 1, 12, 12),)),
    "lstm": (networks.Lstm, lambda: (torch.randn(4, 7, 6),)),
    "training": (networks.Regression, lambda: (torch.randn(6, 5), torch.randn(6, 1))),
}

# Causes in the code of the network: network, its name, and what the difference must tell of.
OPERATIONS = [
    ("attention", "key is not transposed as it should be", "only there: flip"),
    ("attention", "scores are scaled before the mask", "only there: mul"),
    ("attention", "mask is filled with another number", "masked_fill is -inf here and -1e+09 there"),
    ("attention", "scale is another number", "div is 2.8284271247461903 here and 3.0 there"),
    ("attention", "softmax by its formula", "softmax here, exp, sum and div there"),
    ("attention", "softmax along another dimension", "softmax is -1 here and -2 there"),
    ("attention", "softmax in double precision", "softmax is float32 here and float64 there"),
    ("attention", "no dropout", "only here: dropout"),
    ("attention", "heads are joined in another order", "only there: flip"),
    ("gpt", "norm behind the attention", "layer_norm"),
    ("gpt", "no skip connection", "only here: add"),
    ("gpt", "norm by its formula", "layer_norm here, mean, sub, var, add, sqrt, div"),
    ("gpt", "another eps", "layer_norm is 1e-05 here and 0.001 there"),
    ("gpt", "gelu by tanh", "gelu is 'none' here and 'tanh' there"),
    ("gpt", "relu instead of gelu", "gelu here, relu there"),
    ("gpt", "positions begin at one", "arange is 0 here and 1 there"),
    ("convolution", "leaky relu", "relu here, leaky_relu there"),
    ("convolution", "average pooling", "max_pool2d here, avg_pool2d there"),
    ("convolution", "pooling by three", "max_pool2d takes 8 values here and 10 there"),
    ("convolution", "sigmoid instead of tanh", "tanh here, sigmoid there"),
    ("convolution", "channels last", "another view of what max_pool2d gave"),
    ("lstm", "time runs backward", "only there: flip"),
    ("lstm", "state begins with ones", "zeros here, ones and ones there"),
    ("lstm", "first step instead of the last", "argument input of linear is another view of what lstm gave"),
    ("lstm", "mean over time", "only there: mean"),
    ("training", "another learning rate", "add_ is -0.1 here and -0.2 there"),
    ("training", "weight decay", "only there: add"),
    ("training", "adam", "there"),
    ("training", "nesterov", "only there: add"),
    ("training", "gradients are not cleared", "zero"),
    ("training", "sum of squares", "mse_loss is 'mean' here and 'sum' there"),
    ("training", "absolute error", "mse_loss here, l1_loss there"),
    ("training", "half of the loss", "only there: div"),
    ("training", "gradients are clipped", "only there"),
]


def one_ulp(tensor, element=0):
    with torch.no_grad():
        flat = tensor.view(-1)
        flat[element] = torch.nextafter(flat[element], torch.tensor(9.0))


def changed(tensor, element):
    """Changes so much that no kernel rounds it away."""
    tensor.view(-1)[element] += 0.5


def exchanged(net, one, other):
    with torch.no_grad():
        a, b = (dict(net.named_parameters())[name] for name in (one, other))
        kept = a.clone()
        a.copy_(b)
        b.copy_(kept)


def first_floating(inputs):
    return next((one for one in inputs if one.is_floating_point()), None)


class Planted(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def trace(self, file, network, prepare=lambda net, inputs: None, seed=5):
        """Runs a network, and records it. Returns the file's path."""
        networks.plant(*self.plants)
        make, inputs_of = NETWORKS[network]
        torch.manual_seed(1)
        net = make()
        inputs = inputs_of()
        torch.manual_seed(seed)
        prepare(net, inputs)
        path = self.folder / file
        with torchbook.trace(path, net):
            networks.train(net, *inputs) if network == "training" else net(*inputs)
        return path

    def part(self, here, there):
        return parting.report(self, PROGRAM, here, there)

    def compare(self, network, plants=(), prepare=lambda net, inputs: None, seed=5):
        """Returns the differences between the network and what became of it."""
        self.plants = ()
        here = self.trace("here.trace", network)
        self.plants = plants
        return self.part(here, self.trace("there.trace", network, prepare, seed))["differences"]

    def test_equal_programs_do_not_part(self):
        self.plants = ()
        for network in NETWORKS:
            first = self.trace("first.trace", network)
            for threads in (1, 2):
                torch.set_num_threads(threads)
                for _ in range(int(os.environ.get("TORCHBOOK_ROUNDS", "1"))):
                    report = self.part(first, self.trace("again.trace", network))
                    self.assertEqual(report["differences"], [], network)
                    self.assertGreater(report["pairs"], 3)

    def test_traces_without_operations_are_not_equal(self):
        here, there = self.folder / "here.trace", self.folder / "there.trace"
        for path in (here, there):
            with torchbook.trace(path):
                pass
        run = subprocess.run([PROGRAM, "part", here, there], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr),
                         (2, "", f"torchbook: {here} and {there} have no operations, so there is nothing to compare\n"))

    def test_a_program_that_raises_has_no_whole_trace(self):
        paths = [self.folder / "here.trace", self.folder / "there.trace"]
        for path, divisor in zip(paths, (0, 1)):
            with contextlib.suppress(ZeroDivisionError), torchbook.trace(path):
                x = torch.ones(2).neg()
                x.exp() if 1 / divisor else None
        run = subprocess.run([PROGRAM, "part", *paths], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("The trace here was cut off", run.stdout)

    def test_operations(self):
        for network, name, words in OPERATIONS:
            with self.subTest(name):
                differences = self.compare(network, [name])
                self.assertGreater(len(differences), 0)
                first = differences[0]
                told = " is | takes |another view" + ("" if torch.__version__.startswith("1.") else "|^there$")  # 2.6 adds otherwise
                self.assertEqual(first["kind"], "argument" if re.search(told, words) else "operations", first["what"])
                self.assertIn(words, first["what"])
                lines = [i + 1 for i, line in enumerate(SOURCE) if line.endswith(f"# PLANT {name}")]
                if lines and first["there"]:
                    told = {int(one["line"].split(":")[-1]) for one in first["there"]}
                    self.assertIn(lines[0], told)

    def test_parameters(self):
        for network, name in [("attention", "W_key.weight"), ("gpt", "blocks.1.down.bias"), ("convolution", "norm.weight"),
                              ("lstm", "lstm.weight_hh_l1"), ("training", "second.weight"), ("gpt", "positions.weight")]:
            with self.subTest(name):
                first = self.compare(network, prepare=lambda net, _: one_ulp(dict(net.named_parameters())[name]))[0]
                self.assertEqual((first["kind"], first["what"]), ("argument", f"{name} differs before anything ran"))
                self.assertEqual(first["tensors"][0]["bits"]["differing"], 1)
                self.assertEqual(first["tensors"][0]["bits"]["largest_ulps"], 1)

    def test_buffers(self):
        for network, name in [("attention", "mask"), ("convolution", "norm.running_mean")]:
            with self.subTest(name):
                first = self.compare(network, prepare=lambda net, _: one_ulp(dict(net.named_buffers())[name], 5 if name == "mask" else 0))[0]
                self.assertEqual((first["kind"], first["what"]), ("argument", f"{name} differs before anything ran"))

    def test_exchanged_parameters(self):
        for network, one, other, words in [
                ("attention", "W_query.weight", "W_key.weight", "W_query.weight here is what W_key.weight is there: layers were made in another order"),
                ("gpt", "blocks.0.norm1.weight", "blocks.1.norm1.bias", "blocks.0.norm1.weight here is what blocks.1.norm1.bias is there: layers were made in another order")]:
            with self.subTest(one):
                first = self.compare(network, prepare=lambda net, _: exchanged(net, one, other))[0]
                self.assertEqual((first["kind"], first["what"]), ("argument", words))

    def test_inputs(self):
        for network, operation in [("attention", "linear"), ("convolution", "conv2d"), ("lstm", "lstm"), ("training", "linear")]:
            with self.subTest(network):
                first = self.compare(network, prepare=lambda _, inputs: changed(first_floating(inputs), 3))[0]
                self.assertEqual((first["kind"], first["what"]), ("argument", f"argument input of {operation} differs"))

    def test_tokens(self):
        def other_token(_, inputs):
            inputs[0][1, 2] = (inputs[0][1, 2] + 1) % 11

        first = self.compare("gpt", prepare=other_token)[0]
        self.assertEqual((first["kind"], first["what"]), ("argument", "argument indices of embedding differs"))

    def test_targets(self):
        first = self.compare("training", prepare=lambda _, inputs: changed(inputs[1], 2))[0]
        self.assertEqual((first["kind"], first["what"]), ("argument", "argument target of mse_loss differs"))

    def test_seeds(self):
        for network in ("attention", "gpt"):
            with self.subTest(network):
                first = self.compare(network, seed=6)[0]
                self.assertEqual(first["kind"], "random")
                self.assertIn("was seeded with 5 here and with 6 there", first["what"])

    def test_values(self):
        def trace(file, program, value):
            torch.manual_seed(2)
            path = self.folder / file
            with torchbook.trace(path):
                program(value)
            return path

        for program, here, there, kind, words in programs.PROGRAMS:
            with self.subTest(program.__name__):
                differences = self.part(trace("here.trace", program, here), trace("there.trace", program, there))["differences"]
                self.assertEqual((differences[0]["kind"], differences[0]["what"]), (kind, words))
                self.assertEqual({one["what"] for one in differences}, {words})

    def test_differences_that_are_alike_share_a_line(self):
        def trace(file, rate):
            torch.manual_seed(2)
            net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Linear(3, 1))
            optimizer = torch.optim.SGD(net.parameters(), lr=rate)
            with torchbook.trace(self.folder / file, net):
                net(torch.ones(2)).sum().backward()
                optimizer.step()
            return self.folder / file

        words = "other argument: argument alpha of add_ is -0.5 here and -0.25 there"
        run = subprocess.run([PROGRAM, "part", trace("here.trace", 0.5), trace("there.trace", 0.25)], capture_output=True, text=True)
        lines = [line for line in run.stdout.splitlines() if words in line]
        self.assertEqual(len(lines), 1, run.stdout)  # four parameters
        self.assertTrue(lines[0].endswith(", and 3 more like it"), lines[0])

    def test_order_of_draws(self):
        def trace(file, calls):
            torch.manual_seed(2)
            path = self.folder / file
            with torchbook.trace(path):
                values = {name: call() for name, call in calls}
                values["a"] @ values["b"]
            return path

        calls = [("a", lambda: torch.rand(2, 3)), ("b", lambda: torch.randn(3, 4))]
        first = self.part(trace("here.trace", calls), trace("there.trace", calls[::-1]))["differences"][0]
        self.assertEqual(first["kind"], "random")
        self.assertIn("in another order", first["what"])

    @kernels.needs_avx2
    def test_kernels(self):
        """The kernels run in processes of their own, which take them from the environment."""
        code = ("import os, sys, torch, torchbook\n"
                "torch.manual_seed(3)\n"
                "x = torch.arange(4096).view(64, 64) / 700\n"
                "torch.set_num_threads(int(os.environ.get('THREADS', '1')))\n"
                "for file in sys.argv[1:]:\n"
                "    name = os.path.basename(file)\n"
                "    with torchbook.trace(file):\n"
                "        y = x + 1\n"
                "        z = getattr(y, name)(*([-1] if name == 'softmax' else []))\n"
                "        z * 2\n")
        names, capabilities = ("softmax", "exp", "sigmoid"), ("avx2", "default")
        for capability in capabilities:
            folder = self.folder / capability
            folder.mkdir()
            subprocess.run([sys.executable, "-c", code, *(folder / name for name in names)], check=True,
                           env={**os.environ, "PYTHONPATH": MODULE, "ATEN_CPU_CAPABILITY": capability})
        for name in names:
            with self.subTest(name):
                report = self.part(*(self.folder / capability / name for capability in capabilities))
                first = report["differences"][0]
                self.assertEqual(first["kind"], "kernel")
                self.assertIn(f"{name} gives other bits of the same input", first["what"])
                self.assertEqual(report["here"]["fingerprint"]["cpu_capability"], "AVX2")
                self.assertEqual(report["there"]["fingerprint"]["cpu_capability"], "DEFAULT")


if __name__ == "__main__":
    unittest.main()
