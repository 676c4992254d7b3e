"""Plants faults in twins. `torchbook compare` must report all of them; compare.cases has Pythons that fail.

Usage: twin_faults_test.py BIN: the folder of the programs. The Python that runs the test must have PyTorch.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from comparing import PORTS, PROGRAM, TWINS, compare, programs
from make_faulty_ports import spread

NEXT_ULP = "torch.nextafter({0}, torch.full_like({0}, 9e9))"

# Each fault: its name, the text that it replaces, and the replacement.
FAULTS = [
    ("wrong seed", r"manual_seed\((\d+)\)", r"manual_seed(1\1)"),
    ("transpose left out", r"\.T\b", ""),
    ("softmax along another dim", r"dim=-1\)", "dim=0)"),
    ("softmax along another dim", r"dim=1\)", "dim=0)"),
    ("double for float", r"\.float\(\)", ".double()"),
    ("operands swapped", r"\b(\w+) @ (\w+)(?=\n)", r"\2 @ \1"),
    ("dimension not kept", r"keepdim=True", "keepdim=False"),
    ("mask of the other triangle", r"torch\.tril\(", "torch.triu("),
    ("another scale", r"\*\* 0\.5", "** 0.25"),
    ("an extra blank line", r"^(?=print\()", "print()\n"),
    ("a word too many", r"^(?=print\()", 'print("so")\n'),
    ("one ulp", r"^(\w+)\n(?=\n# %%)", NEXT_ULP.format(r"\1") + "\n"),
    ("one ulp", r"^(\w+\[\d\])\n(?=\n# %%)", NEXT_ULP.format(r"\1") + "\n"),
    ("a double of the same numbers", r"^(\w+)\n(?=\n# %%)", r"\1.double()" + "\n"),
    ("nothing displayed", r"^(\w+)\n(?=\n# %%)", "pass\n"),
]


def faulty_copies(text):
    """Yields the fault and the text of each faulty copy of a twin."""
    for name, pattern, replacement in FAULTS:
        for place in re.finditer(pattern, text, re.MULTILINE):
            line = text.count("\n", 0, place.start()) + 1
            yield f"{name}, line {line}", text[: place.start()] + place.expand(replacement) + text[place.end() :]


def verdicts(done):
    """Returns the verdicts of each notebook in a json report."""
    notebooks = json.loads(done.stdout)["notebooks"]
    return {one["notebook"]: {cell["verdict"] for cell in one["cells"]} for one in notebooks}


def cells_of(text):
    """Returns the cells of a twin as torchbook asks a Python to run them."""
    places = list(re.finditer(r"^# %% \[(.*?)\].*\n((?:(?!# %% ).*\n)*)", text, re.MULTILINE))
    return [{"label": None if place[1] == "restored" else place[1], "source": place[2].strip("\n"),
             "line": text.count("\n", 0, place.start(2)) + 1} for place in places]


def asked_of_python():
    """Returns the arguments with which torchbook starts a Python, and what it asks of it."""
    with tempfile.TemporaryDirectory() as folder:
        python = pathlib.Path(folder, "python")
        python.write_text(f"#!{sys.executable}\nimport json, sys\n"
                          f"json.dump([sys.argv[1:], json.load(sys.stdin)], open({folder + '/asked'!r}, 'w'))\n")
        python.chmod(0o755)
        compare("--once", python=python)
        return json.loads(pathlib.Path(folder, "asked").read_text())


def recorded(arguments, request, twins):
    """Runs twins, given by name and text, in one Python that forks for each. Returns their recordings by name."""
    twins = {name: {**next(iter(request["twins"].values())), "file": f"{name}.py", "cells": cells_of(text)}
             for name, text in twins.items()}
    with tempfile.TemporaryFile("w+") as answers:
        subprocess.run(["sh", "-c", f'exec "$@" 3>&{answers.fileno()}', "sh", sys.executable, *arguments], text=True, check=True,
                       input=json.dumps({**request, "twins": twins}), pass_fds=[answers.fileno()])
        answers.seek(0)
        return {name: recording for line in answers for name, recording in json.loads(line).items()}


class PlantedInTwins(unittest.TestCase):
    PER_TWIN = 16

    def test_each_is_caught(self):
        """One Python runs all faulty twins. Each round compares the notebooks with one of each; the first has no fault.
        CausesTest tests what compare does without --once."""
        arguments, request = asked_of_python()
        self.assertEqual({slug: twin["cells"] for slug, twin in request["twins"].items()},
                         {slug: cells_of(text) for slug, text in TWINS.items()})
        rounds = [[("none", text) for text in TWINS.values()],
                  *zip(*(spread(list(faulty_copies(text)), self.PER_TWIN) for text in TWINS.values()))]
        recordings = recorded(arguments, request, {f"{slug}.{number}": text for number, faults in enumerate(rounds)
                                                   for slug, (_, text) in zip(TWINS, faults)})
        planted = caught = 0
        for number, faults in enumerate(rounds):
            with tempfile.TemporaryDirectory() as folder:
                for slug in TWINS:
                    pathlib.Path(folder, f"{slug}.json").write_text(
                        json.dumps({**recordings[f"{slug}.{number}"], "notebook": slug}))
                done = compare("--format", "json", "--once", "--reference", folder)
            self.assertIn(done.returncode, (1, 3) if number else (0,), done.stderr)
            seen = verdicts(done)
            for slug, (fault, _) in zip(TWINS, faults):
                told = seen[slug] & {"different", "equal-as-printed", "threw"}
                with self.subTest(slug=slug, fault=fault):
                    self.assertEqual(bool(told), bool(number))
                    if fault.startswith("an extra blank line"):
                        self.assertIn("equal-as-printed", seen[slug])
                planted += bool(number)
                caught += bool(told)
        print(f"planted in twins: {planted} faults, {caught} caught")
        self.assertEqual(planted, caught)
        self.assertGreaterEqual(planted, 50)

    def test_without_one_nothing_is_found(self):
        done = compare("--twins", PORTS)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.splitlines(keepends=True)[-1], programs.summary_of_equal(), done.stdout)

    def test_a_python_that_waits_is_announced(self):
        with tempfile.TemporaryDirectory() as folder:
            python, told = pathlib.Path(folder, "python"), pathlib.Path(folder, "told")
            python.write_text(f"#!/bin/sh\nwhile [ ! -e {told} ]; do sleep 0.1; done; exit 1\n")
            python.chmod(0o755)
            with subprocess.Popen([PROGRAM, "compare", "--python", python], stderr=subprocess.PIPE, text=True) as running:
                line = running.stderr.readline()
                told.touch()
            self.assertRegex(line, rf"^torchbook: \d+ s, waiting for {python} to run the twins\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
