"""Asks both sides, pyrepr and PyTorch, about the same file of cases."""

import collections
import pathlib
import subprocess
import tempfile
from typing import NamedTuple

from cases import Case
from record import Answer, case_record, read_answers

MOST_DEATHS = 5  # deaths of the program per file of cases
SECONDS = 600  # per file
KINDS_BY_DTYPE = ("dense", "requires_grad", "grad_fn", "parameter", "conj", "neg", "names")

MAY_RAISE = ("format_tensor", "format_float", "format_int", "format_bool", "round")  # if so, with Python's message


class Difference(NamedTuple):
    number: int
    case: Case
    expected: Answer  # PyTorch's answer
    actual: Answer  # pyrepr's answer


def died(process, errors):
    errors.seek(0)
    last = errors.read().decode(errors="replace")[-2000:]
    return Answer("died", f"exit status {process.returncode}\n{last}")


class Asked:
    """The program, which answers cases while this process does something else."""

    def __init__(self, program, cases):
        self.program, self.cases = program, cases
        self.folder = tempfile.TemporaryDirectory()
        self.errors = tempfile.TemporaryFile()
        self.out = pathlib.Path(self.folder.name, "answers")
        path = pathlib.Path(self.folder.name, "cases")
        path.write_bytes(b"".join(map(case_record, cases)))
        self.process = subprocess.Popen([program, path, self.out], stdin=subprocess.DEVNULL, stderr=self.errors)

    def answers(self, deaths=0):
        """Returns one answer per case. If the program dies, a new one continues after the case that killed it."""
        try:
            self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        given = read_answers(self.out.read_bytes()) if self.out.exists() else []
        if self.process.returncode != 0:
            given = given[: len(self.cases) - 1] + [died(self.process, self.errors)]
        self.errors.close()
        self.folder.cleanup()
        rest = self.cases[len(given) :]
        if rest and (deaths == MOST_DEATHS or self.process.returncode == 0):
            return given + [Answer("died", "not asked any more")] * len(rest)
        return given + (Asked(self.program, rest).answers(deaths + 1) if rest else [])


def differ(case, expected, actual):
    """Compares texts byte for byte, and exceptions by their messages if the case may raise one."""
    if expected.status == actual.status == "raises":
        message = expected.text.split(": ", 1)[1]
        return case.kind not in MAY_RAISE or message != actual.text
    return expected != actual


def compare(program, numbered, oracle):
    """Returns the differences between the program and the oracle, a function of a number and a case."""
    asked = Asked(program, [case for _, case in numbered])
    expectations = [oracle(number, case) for number, case in numbered]
    rows = zip(numbered, expectations, asked.answers())
    return [Difference(number, case, expected, actual) for (number, case), expected, actual in rows
            if differ(case, expected, actual)]


def tally(cases):
    """Counts the cases of each kind and, for strided tensors, of each dtype."""
    counts = collections.Counter()
    for case in cases:
        counts["kind", case.kind] += 1
        if case.kind in KINDS_BY_DTYPE:
            counts["dtype", case.tensors[0].dtype] += 1
            counts["rank", str(len(case.tensors[0].sizes))] += 1
    return counts
