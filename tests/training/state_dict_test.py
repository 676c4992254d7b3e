"""Carries weights from Python to C++ and back, and trains with them on both sides.

Usage: state_dict_test.py TRAINING: the program that training.cpp makes.
"""
import io
import os
import pathlib
import pickletools
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

import torch
import torch.nn.functional as F

TRAINING = sys.argv[1]


class Model(torch.nn.Module):
    """The module of training.cpp."""

    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(11, 8)
        self.hidden = torch.nn.Linear(8, 16)
        self.norm = torch.nn.LayerNorm(16)
        self.batch_norm = torch.nn.BatchNorm1d(16)
        self.dropout = torch.nn.Dropout(0.2)
        self.out = torch.nn.Linear(16, 11, bias=False)
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, tokens):
        self.calls += 1
        # flat, because the gradients of PyTorch 1.13's BatchNorm are others in each run if the channels are transposed
        channels = F.gelu(self.norm(self.hidden(self.embedding(tokens)))).flatten(0, 1)
        return self.out(self.dropout(self.batch_norm(channels))).unflatten(0, (2, 5))


OPTIMIZERS = {
    "SGD": lambda parameters: torch.optim.SGD(parameters, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01),
    "Adam": lambda parameters: torch.optim.Adam(parameters, lr=0.01, weight_decay=0.01, amsgrad=True),
    "AdamW": lambda parameters: torch.optim.AdamW(parameters, lr=0.01, betas=(0.8, 0.9)),
}


def train(model, optimizer):
    torch.manual_seed(7)
    optimizer = OPTIMIZERS[optimizer](model.parameters())
    for step in range(3):
        tokens = (torch.arange(10).view(2, 5) * (step + 3)) % 11
        optimizer.zero_grad()
        F.cross_entropy(model(tokens).flatten(0, 1), tokens.roll(-1, 1).flatten()).backward()
        optimizer.step()


def bits(tensor):
    return tensor.dtype, tensor.shape, tensor.detach().numpy().tobytes()


def pickled(path):
    """Returns the instructions of the pickle in a file of torch.save."""
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
        text = io.StringIO()
        pickletools.dis(archive.read(name), text)
        return text.getvalue()


class StateDict(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        torch.manual_seed(123)
        torch.set_num_threads(1)
        self.model = Model()

    def save(self, state):
        torch.save(dict(state), self.folder / "in.pt")

    def run_training(self, optimizer="SGD", *, out="out.pt"):
        return subprocess.run([TRAINING, "in.pt", out, optimizer], cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "OMP_NUM_THREADS": "1"})  # the same BLAS kernels as here

    def complaint(self, **options):
        done = self.run_training(**options)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["in.pt"])
        return done.stderr

    def test_three_steps_of_training_give_the_same_bits(self):
        for optimizer in OPTIMIZERS:
            with self.subTest(optimizer=optimizer):
                model = Model()
                self.save(model.state_dict())
                done = self.run_training(optimizer)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                before = {name: bits(tensor) for name, tensor in model.state_dict().items()}
                train(model, optimizer)
                trained = torch.load(self.folder / "out.pt")
                self.assertEqual({name: bits(tensor) for name, tensor in trained.items()},
                                 {name: bits(tensor) for name, tensor in model.state_dict().items()})
                self.assertNotIn(True, [bits(tensor) == before[name] for name, tensor in trained.items()])

    def test_python_loads_what_cpp_saved(self):
        self.save(self.model.state_dict())
        self.assertEqual(self.run_training().returncode, 0)
        other = Model()
        other.load_state_dict(torch.load(self.folder / "out.pt"))
        self.assertEqual(other.calls, 3)
        names = re.findall(r"GLOBAL +'(.*?)'", pickled(self.folder / "out.pt"))
        self.assertLess(1, len(names))
        # torch.load of PyTorch 2.6 and later takes nothing else from a file
        self.assertLessEqual(set(names), {"collections OrderedDict", "torch._utils _rebuild_tensor_v2",
                                          "torch FloatStorage", "torch LongStorage"})

    def test_names_and_sizes_that_do_not_fit_are_refused(self):
        state = self.model.state_dict()
        self.save({name: tensor for name, tensor in state.items() if name != "norm.bias"})
        self.assertEqual(self.complaint(), "in.pt: it has no norm.bias, which the module has\n")
        self.save({**state, "more": torch.ones(1)})
        self.assertEqual(self.complaint(), "in.pt: it has more, which the module does not have\n")
        self.save({**state, "norm.bias": torch.ones(3)})
        self.assertEqual(self.complaint(), "in.pt: norm.bias has the sizes torch.Size([3]), and in the module "
                                           "torch.Size([16])\n")

    def test_files_that_are_none_are_refused(self):
        unread = ("in.pt: LibTorch cannot read it as a dict of tensors; in Python, "
                  "torch.save(dict(module.state_dict()), path) writes one\n")
        for write in (lambda file: torch.save(self.model.state_dict(), file), lambda file: file.write_bytes(b"no zip"),
                      lambda file: torch.save(3, file), lambda file: torch.save({"norm.bias": 3}, file)):
            write(self.folder / "in.pt")
            self.assertEqual(self.complaint(), unread)
        (self.folder / "in.pt").unlink()
        self.assertEqual(self.run_training().stderr, "in.pt: cannot be read: No such file or directory\n")

    def test_a_file_that_cannot_be_written_is_told(self):
        self.save(self.model.state_dict())
        self.assertEqual(self.complaint(out="nowhere/out.pt"),
                         "nowhere/out.pt: cannot be written: No such file or directory\n")


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
