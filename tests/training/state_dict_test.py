"""Carries checkpoints from Python to C++ and back, and continues the training on both sides.

Usage: state_dict_test.py CONTINUED: the program that continued.cpp makes.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import torch
import torch.nn.functional as F
from torch.optim import lr_scheduler

CONTINUED = sys.argv[1]


class Model(torch.nn.Module):
    """The module of continued.cpp."""

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
    "RMSprop": lambda parameters: torch.optim.RMSprop(parameters, lr=0.01, momentum=0.5, centered=True),
    "Adagrad": lambda parameters: torch.optim.Adagrad(parameters, lr=0.01, lr_decay=0.1),
}


class Training:
    """A training that may be saved and continued."""

    def __init__(self, optimizer):
        torch.manual_seed(123)
        self.model = Model()
        self.optimizer = OPTIMIZERS[optimizer](self.model.parameters())
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, 10)

    def state(self):
        return {"model": self.model.state_dict(), "optim": self.optimizer.state_dict(), "schedule": self.schedule.state_dict(),
                "notes": ["as it was", 3]}

    def load(self, state):
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optim"])
        self.schedule.load_state_dict(state["schedule"])

    def steps(self):
        torch.manual_seed(7)
        for step in range(3):
            tokens = (torch.arange(10).view(2, 5) * (step + 3)) % 11
            self.optimizer.zero_grad()
            F.cross_entropy(self.model(tokens).flatten(0, 1), tokens.roll(-1, 1).flatten()).backward()
            self.optimizer.step()
            self.schedule.step()


def bits(value):
    """Returns a value with its tensors as bytes; a Python of another release may keep an option more."""
    if isinstance(value, dict):
        return {name: bits(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [bits(item) for item in value]
    return (value.dtype, value.shape, value.numpy().tobytes()) if isinstance(value, torch.Tensor) else value


class StateDict(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        torch.set_num_threads(1)

    def run_training(self, state, optimizer="SGD", *, out="out.pt"):
        torch.save(state, self.folder / "in.pt")
        return subprocess.run([CONTINUED, "in.pt", out, optimizer], cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "OMP_NUM_THREADS": "1"})  # the same BLAS kernels as here

    def complaint(self, state, **options):
        done = self.run_training(state, **options)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["in.pt"])
        return done.stderr

    def test_each_language_continues_what_the_other_one_began(self):
        for optimizer in OPTIMIZERS:
            with self.subTest(optimizer=optimizer):
                python = Training(optimizer)
                first = {"model": python.model.state_dict(), "notes": ["as it was", 3]}
                self.assertEqual(self.run_training(first, optimizer).stderr, "")  # three steps in C++
                python.steps()
                from_cpp = torch.load(self.folder / "out.pt", weights_only=False)
                self.assertEqual(bits(from_cpp["model"]), bits(python.state()["model"]))
                self.assertEqual(from_cpp["notes"], ["as it was", 3])
                continued = Training(optimizer)
                continued.load(from_cpp)
                continued.steps()
                self.assertEqual(self.run_training(python.state(), optimizer).stderr, "")  # and three after Python's
                python.steps()
                from_cpp = torch.load(self.folder / "out.pt", weights_only=False)
                for other in (from_cpp["model"], continued.state()["model"]):
                    self.assertEqual(bits(other), bits(python.state()["model"]))
                theirs, own = python.state()["optim"], from_cpp["optim"]
                self.assertEqual(bits(own["state"]), bits(theirs["state"]))
                self.assertEqual([set(group) for group in own["param_groups"]], [set(group) for group in theirs["param_groups"]])
                self.assertEqual(own["param_groups"][0]["lr"], theirs["param_groups"][0]["lr"])

    def test_what_does_not_fit_is_refused(self):
        state = Training("SGD").state()
        model, optim = state["model"], state["optim"]

        def told(**parts):
            return self.complaint({**state, **parts})
        no_fit = "the state_dict does not fit: "
        self.assertEqual(told(model={name: tensor for name, tensor in model.items() if not name.startswith("norm.")}),
                         no_fit + "it has no norm.weight, norm.bias, which the module has\n")
        self.assertEqual(told(model={**model, **{f"more{i}": torch.ones(1) for i in range(12)}}),
                         no_fit + f"it has {', '.join(f'more{i}' for i in range(10))} and 2 more, which the module does not have\n")
        wrong = {**model, "norm.bias": torch.ones(3), "more": 2 * torch.ones(1)}
        self.assertEqual(told(model=wrong), no_fit + "it has more, which the module does not have; "
                         "norm.bias has the sizes torch.Size([3]), and in the module torch.Size([16])\n")
        self.assertEqual(told(model={**model, "norm.bias": 3}), "a dict of tensors is wanted; 'norm.bias' is none in it\n")
        group = optim["param_groups"][0]
        for wrong, why in ((3, "it is not a dict"), ({**optim, "param_groups": [group, group]},
                                                     "it has 2 groups of parameters, and the optimizer 1"),
                           ({**optim, "param_groups": [{**group, "params": [0]}]},
                            "its group 0 has 1 parameters, and that of the optimizer 8"),
                           ({**optim, "param_groups": [{**group, "maximize": True}]},
                            "it sets maximize, which C++ does not have"),
                           ({**optim, "state": {0: {"momentum_buffer": torch.ones(2)}}},
                            "momentum_buffer of the state of parameter 0 has the sizes torch.Size([2]), and the parameter "
                            "torch.Size([11, 8])")):
            self.assertEqual(told(optim=wrong), f"the state does not fit the optimizer: {why}\n")
        for wrong, why in ((3, "it is not a dict"), ({"last_epoch": "3"}, "last_epoch is not a number"),
                           ({}, "it has no last_epoch"), ({"last_epoch": 3, "T_max": 0}, "T_max is not positive"),
                           ({"last_epoch": 3, "base_lrs": [0.1, 0.1]}, "base_lrs is not a list of 1")):
            self.assertEqual(told(schedule=wrong), f"the state does not fit the scheduler: {why}\n")

    def test_a_scheduler_goes_on_as_the_saved_one(self):
        def saved(make):
            optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1, momentum=0.9)
            return optimizer, make(optimizer)

        def rates(name):
            return subprocess.run([CONTINUED, "in.pt", name], cwd=self.folder, capture_output=True, text=True, check=False)
        cases = {
            "MultiStepLR": lambda optimizer: lr_scheduler.MultiStepLR(optimizer, [4, 4, 7], 0.3),
            "SequentialLR": lambda optimizer: lr_scheduler.SequentialLR(
                optimizer, [lr_scheduler.ExponentialLR(optimizer, 0.9), lr_scheduler.ExponentialLR(optimizer, 0.8)], [5]),
            "ReduceLROnPlateau": lambda optimizer: lr_scheduler.ReduceLROnPlateau(
                optimizer, "max", 0.5, 1, threshold_mode="abs", min_lr=[0.02]),
        }
        for name, make in cases.items():
            with self.subTest(scheduler=name):
                optimizer, schedule = saved(make)
                argument = [3] if name == "ReduceLROnPlateau" else []
                schedule.step(*argument)
                torch.save({"optim": optimizer.state_dict(), "schedule": schedule.state_dict()}, self.folder / "in.pt")
                expected = ""
                for _ in range(12):
                    schedule.step(*argument)
                    expected += f"{optimizer.param_groups[0]['lr']!r}\n"
                done = rates(name)
                self.assertEqual((done.stdout, done.stderr), (expected, ""))
        for steps, more, attribute in (20, {"pct_start": 0.4}, "_schedule_phases"), (30, {}, "total_steps"):
            optimizer, schedule = saved(lambda each: lr_scheduler.OneCycleLR(each, 0.3, total_steps=steps, **more))
            state = {name: value for name, value in schedule.state_dict().items() if name != "anneal_func"}
            torch.save({"optim": optimizer.state_dict(), "schedule": state}, self.folder / "in.pt")
            self.assertEqual(rates("OneCycleLR").stderr,
                             f"the state does not fit the scheduler: {attribute} is not that of this scheduler\n")

    def test_a_file_that_cannot_be_written_is_told(self):
        self.assertEqual(self.complaint(Training("SGD").state(), out="nowhere/out.pt"),
                         "nowhere/out.pt: cannot be written: No such file or directory\n")


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
