"""Asks both sides, pyrepr and PyTorch, about the same file of cases."""

import collections
import os
import pathlib
import select
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


SERVERS = {}  # the running server of each program, by program and process


class Server:
    """A running program, which answers files of cases."""

    def __init__(self, program):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)

    def ask(self, cases, answers):
        try:
            self.process.stdin.write(os.fsencode(cases) + b"\n" + os.fsencode(answers) + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended, as `status` tells

    def status(self):
        """Waits for the answers. Returns the exit status of the child that gave them, or of the program if it ended."""
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        if not ready:
            self.process.kill()
        elif line := self.process.stdout.readline():
            return os.waitstatus_to_exitcode(int(line))
        return self.process.wait()

    def last_words(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")[-2000:]


def server_of(program):
    """Returns the server of a program, which this process starts once, because LibTorch takes long to start."""
    key = program, os.getpid()
    if key not in SERVERS or SERVERS[key].process.poll() is not None:
        SERVERS[key] = Server(program)
    return SERVERS[key]


class Asked:
    """The program, which answers cases while this process does something else."""

    def __init__(self, program, cases):
        self.program, self.cases = program, cases
        self.folder = tempfile.TemporaryDirectory()
        self.out = pathlib.Path(self.folder.name, "answers")
        path = pathlib.Path(self.folder.name, "cases")
        path.write_bytes(b"".join(map(case_record, cases)))
        self.server = server_of(program)
        self.server.ask(path, self.out)

    def answers(self, deaths=0):
        """Returns one answer per case. If the program dies, a new one continues after the case that killed it."""
        status = self.server.status()
        given = read_answers(self.out.read_bytes()) if self.out.exists() else []
        if status != 0:
            death = Answer("died", f"exit status {status}\n{self.server.last_words()}")
            given = given[: len(self.cases) - 1] + [death]
        self.folder.cleanup()
        rest = self.cases[len(given) :]
        if rest and (deaths == MOST_DEATHS or status == 0):
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
