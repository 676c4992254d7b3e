"""Trains by random configurations of optimizers, schedulers, loaders and random numbers in Python and in C++, and compares all
bits: steps_test.py STEPS [--cases N] [--seed S], with the program that steps.cpp makes.
"""
import argparse
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import warnings

import numpy
import torch
from torch.optim import lr_scheduler
from torch.utils import data

DTYPES = {"float32": torch.float32, "float64": torch.float64, "complex64": torch.complex64}
CALLS = ("random gauss uniform randint choice choices sample shuffle np.randn np.rand np.randint np.normal np.permutation "
         "state").split()


# ------------------------------------------------------------ configurations

def group(draw, name):
    options = {"lr": draw.choice([0.1, 0.01, 0.003, 1.0])}
    if draw.random() < 0.6:
        options["weight_decay"] = draw.choice([0.0, 0.01, 0.3])
    if name in ("Adam", "AdamW"):
        options |= {"betas": [draw.choice([0.9, 0.5, 0.85]), draw.choice([0.999, 0.95])], "amsgrad": draw.random() < 0.3,
                    "eps": draw.choice([1e-8, 1e-3])}
    elif name == "SGD":
        options |= {"momentum": draw.choice([0.0, 0.9, 0.5])}
        if options["momentum"]:
            options |= draw.choice([{"nesterov": True}, {"dampening": 0.25}, {}])
    elif name == "RMSprop":
        options |= {"momentum": draw.choice([0.0, 0.9]), "alpha": draw.choice([0.99, 0.5]), "centered": draw.random() < 0.5}
    else:
        options |= {"lr_decay": draw.choice([0.0, 0.1])}
    return options


def scheduler(draw, name, steps):
    return {"class": name, "arguments": {
        "StepLR": lambda: [draw.randint(1, 6), draw.choice([0.1, 0.7])],
        "MultiStepLR": lambda: [sorted(draw.randint(1, steps) for _ in range(draw.randint(0, 4))), draw.choice([0.1, 0.9])],
        "ExponentialLR": lambda: [draw.choice([0.9, 0.99])],
        "LinearLR": lambda: [draw.choice([0.1, 1 / 3]), draw.choice([1.0, 0.5]), draw.randint(1, 8)],
        "CosineAnnealingLR": lambda: [draw.randint(1, steps), draw.choice([0, 0.001])],
        "CosineAnnealingWarmRestarts": lambda: [draw.randint(1, 5), draw.randint(1, 3), draw.choice([0, 0.001])],
        "LambdaLR": lambda: [draw.random()],
        "OneCycleLR": lambda: [draw.choice([0.1, 0.5]), steps + draw.randint(1, 5), draw.choice([0.3, 0.25, 0.5]),
                               draw.choice(["cos", "linear"]), draw.random() < 0.4, draw.random() < 0.6],
    }[name]()}


SCHEDULERS = ("StepLR MultiStepLR ExponentialLR LinearLR CosineAnnealingLR CosineAnnealingWarmRestarts LambdaLR "
              "OneCycleLR").split()


def optimizer_case(draw):
    name = draw.choice("SGD Adam AdamW RMSprop Adagrad".split())
    groups = [group(draw, name) for _ in range(draw.randint(1, 2))]
    case = {"kind": "optimizer", "class": name, "groups": groups, "seed": draw.randrange(1 << 30), "steps": 20,
            "dtype": draw.choices(list(DTYPES), [6, 2, 1 if name != "SGD" else 0])[0], "schedulers": []}
    if name == "Adagrad" and case["dtype"] != "complex64":
        groups[0]["initial_accumulator_value"] = draw.choice([0.0, 0.1])
        for other in groups[1:]:
            other["initial_accumulator_value"] = groups[0]["initial_accumulator_value"]
    if case["dtype"] == "complex64":  # PyTorch 1.13 has no maximum of complex numbers
        for each in groups:
            each.pop("amsgrad", None)
    which = draw.random()
    names = [each for each in SCHEDULERS if each != "OneCycleLR" or (name in ("Adam", "AdamW") or (
        name in ("SGD", "RMSprop") and all(each["momentum"] and not each.get("nesterov") for each in groups)))]
    if which < 0.5:
        case["schedulers"] = [scheduler(draw, draw.choice(names), 20)]
    elif which < 0.65:
        parts = [each for each in names if each != "OneCycleLR"]
        case["schedulers"] = [scheduler(draw, draw.choice(parts), 20) for _ in range(draw.randint(2, 3))]
        if draw.random() < 0.7:
            case["milestones"] = sorted(draw.sample(range(1, 20), len(case["schedulers"]) - 1))
    elif which < 0.75:
        case["plateau"] = [draw.choice(["min", "max"]), draw.choice([0.1, 0.5]), draw.randint(0, 4), draw.randint(0, 3),
                           draw.choice(["rel", "abs"])]
    if draw.random() < 0.3:
        case["clip"] = [draw.choice([0.5, 1.0, 10.0]), draw.choice([2.0, 1.0])]
    return case


def loader_case(draw):
    size = draw.randint(3, 40)
    case = {"kind": "loader", "size": size, "batch_size": draw.randint(1, 8), "seed": draw.randrange(1 << 30),
            "shuffle": draw.random() < 0.5, "drop_last": draw.random() < 0.4, "own": draw.random() < 0.5,
            "replacement": draw.random() < 0.5, "num_samples": draw.randint(1, size - 1)}
    if not case["shuffle"] and draw.random() < 0.7:
        case["sampler"] = draw.choice("RandomSampler WeightedRandomSampler SubsetRandomSampler".split())
    return case


def random_case(draw):
    return {"kind": "random", "seed": draw.randrange(1 << 32), "size": draw.randint(5, 90),
            "calls": draw.choices(CALLS, k=12)}


# ------------------------------------------------------------ Python's side

class Numbers:
    def __init__(self):
        self.bytes = b""

    def add(self, value):
        if isinstance(value, torch.Tensor):
            self.bytes += value.detach().contiguous().numpy().tobytes()
        elif isinstance(value, numpy.ndarray):
            self.bytes += value.tobytes()
        else:
            self.bytes += struct.pack("<q" if isinstance(value, int) else "<d", value)


def make_scheduler(optimizer, given):
    name, arguments = given["class"], given["arguments"]
    if name == "LambdaLR":
        return lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 / (1 + arguments[0] * epoch))
    if name == "OneCycleLR":
        most, total, part, strategy, three, cycle = arguments
        return lr_scheduler.OneCycleLR(optimizer, most, total_steps=total, pct_start=part, anneal_strategy=strategy,
                                       three_phase=three, cycle_momentum=cycle)
    return getattr(lr_scheduler, name)(optimizer, *arguments)


def run_optimizer(case, out):
    torch.manual_seed(case["seed"])
    parameters = [torch.randn(sizes, dtype=DTYPES[case["dtype"]]).requires_grad_()
                  for _ in case["groups"] for sizes in ((3, 7), (5,))]
    groups = [{"params": parameters[2 * i:2 * i + 2], **options} for i, options in enumerate(case["groups"])]
    first = {name: case["groups"][0][name] for name in ("initial_accumulator_value",) if name in case["groups"][0]}
    optimizer = getattr(torch.optim, case["class"])(groups, **({"lr": 0.1} if case["class"] == "SGD" else {}), **first)
    schedulers = [make_scheduler(optimizer, each) for each in case["schedulers"]]
    if "milestones" in case:
        schedulers.append(lr_scheduler.SequentialLR(optimizer, schedulers, case["milestones"]))
    plateau = None
    if "plateau" in case:
        mode, factor, patience, cooldown, threshold_mode = case["plateau"]
        plateau = lr_scheduler.ReduceLROnPlateau(optimizer, mode, factor=factor, patience=patience, cooldown=cooldown,
                                                 threshold_mode=threshold_mode)
    for _ in range(case["steps"]):
        for parameter in parameters:
            gradient = torch.randn_like(parameter.detach())
            parameter.grad = None if torch.rand(()).item() < 0.1 else gradient
        if "clip" in case:
            out.add(torch.nn.utils.clip_grad_norm_(parameters, *case["clip"]))
        optimizer.step()
        if schedulers:
            schedulers[-1].step()
        if plateau:
            plateau.step(torch.randn(()).item())
        for each in optimizer.param_groups:
            out.add(float(each["lr"]))
    for parameter in parameters:
        out.add(parameter)


def run_loader(case, out):
    torch.manual_seed(case["seed"])
    size = case["size"]
    generator = torch.Generator().manual_seed(case["seed"]) if case["own"] else None
    whole = data.TensorDataset(torch.arange(size), torch.arange(size) * 0.5)
    part, _ = data.random_split(whole, [size - 1, 1], **({"generator": generator} if generator else {}))
    sampler = None
    if case.get("sampler") == "RandomSampler":
        sampler = data.RandomSampler(part, case["replacement"], case["num_samples"], generator)
    elif case.get("sampler") == "WeightedRandomSampler":
        sampler = data.WeightedRandomSampler(range(1, size), case["num_samples"], case["replacement"], generator)
    elif case.get("sampler"):
        sampler = data.SubsetRandomSampler(range(0, size - 1, 2), generator)
    loader = data.DataLoader(part, case["batch_size"], shuffle=case["shuffle"], drop_last=case["drop_last"],
                             generator=generator, sampler=sampler)
    for _ in range(3):
        for x, y in loader:
            out.add(x)
            out.add(y)
        out.add(torch.rand(()))
    if generator:
        out.add(torch.rand((), generator=generator))


def run_random(case, out):
    python, array = random.Random(case["seed"]), numpy.random.RandomState(case["seed"])
    values = list(range(case["size"]))
    calls = {
        "random": python.random, "gauss": lambda: python.gauss(1, 2), "uniform": lambda: python.uniform(-1, 3),
        "randint": lambda: python.randint(-5, 1_000_000_000_000), "choice": lambda: python.choice(values),
        "choices": lambda: python.choices(values, k=3), "sample": lambda: python.sample(values, 4),
        "shuffle": lambda: python.shuffle(values) or values, "np.randn": lambda: array.randn(3), "np.rand": array.rand,
        "np.randint": lambda: array.randint(-3, 1000, 5), "np.normal": lambda: array.normal(2, 0.5),
        "np.permutation": lambda: array.permutation(9), "state": list}
    for name in case["calls"]:
        result = calls[name]()
        for each in result if isinstance(result, list) else [result]:
            out.add(each)


RUN = {"optimizer": run_optimizer, "loader": run_loader, "random": run_random}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    draw = random.Random(given.seed)
    cases = [draw.choices((optimizer_case, loader_case, random_case), [6, 3, 1])[0](draw) for _ in range(given.cases)]
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        asked, answer = pathlib.Path(folder, "cases.json"), pathlib.Path(folder, "out")
        asked.write_text(json.dumps(cases))
        done = subprocess.run([given.program, asked, answer], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"steps_test.py: {done.stderr}")
        told = answer.read_bytes()
    differing, place = [], 0
    for case in cases:
        size, = struct.unpack_from("<Q", told, place)
        here, place = told[place + 8:place + 8 + size], place + 8 + size
        numbers = Numbers()
        RUN[case["kind"]](case, numbers)
        if here != numbers.bytes or not here:
            differing.append(case)
    if place != len(told):
        sys.exit("steps_test.py: C++ tells of more cases")
    for case in differing[:5]:
        print("differs:", json.dumps(case))
    print(f"{len(cases) - len(differing)} of {len(cases)} configurations have the same bits")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
