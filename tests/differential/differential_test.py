"""Prints the same random cases with PyTorch and with pyrepr, and compares them byte for byte.

differential_test.py PROGRAM [--cases N] [--seed S] [--first NUMBER] [--kinds KIND…] [--jobs N]
PROGRAM is pyrepr_differential. A seed and a number define a case, so that --seed S --first NUMBER --cases 1 runs it
again. Both sides read files of raw values, one per chunk of cases, so that memory stays bounded.
Exit status: 0 if all are equal; 1 if one differs; 2 for wrong usage or a missing PyTorch.
"""

import argparse
import collections
import functools
import multiprocessing
import os
import sys
import time

try:
    import oracle
    from kinds import NAMES, make_case
    from sides import compare, tally
    from tree_text import python_text
    from values import DTYPES
except ImportError as error:
    print(f"differential_test: PyTorch is missing: {error}", file=sys.stderr)
    sys.exit(2)

CHUNK = 5000  # cases per file
MOST_SHOWN = 2  # differences per kind


def honest(number, case):
    return oracle.answer(case)


def sees_faults(program, seed):
    """Returns whether a flipped bit in one of PyTorch's answers, and a program that dies, are differences."""
    def spoiled(number, case):
        answer = oracle.answer(case)
        return answer._replace(text=chr(ord(answer.text[0]) ^ 1) + answer.text[1:]) if number == 1 else answer

    numbered = [(number, make_case(seed, number)) for number in range(3)]
    flipped = [difference.number for difference in compare(program, numbered, spoiled)]
    return flipped == [1] and len(compare("/bin/false", numbered, honest)) == 3


def run_chunk(program, seed, kinds, numbers):
    """Compares the cases of some numbers. Returns their differences and their counts by kind."""
    numbered = [(number, make_case(seed, number, kinds)) for number in numbers]
    return compare(program, numbered, honest), tally(case for _, case in numbered)


def worth_showing(differences):
    """Returns the first few differences of each kind."""
    shown = collections.defaultdict(list)
    for difference in differences:
        shown[difference.case.kind].append(difference)
    return [difference for alike in shown.values() for difference in alike[:MOST_SHOWN]]


def run(arguments):
    """Runs all cases in chunks. Returns the first differences, how many there are, and what was run."""
    end = arguments.first + arguments.cases
    chunks = [range(start, min(start + CHUNK, end)) for start in range(arguments.first, end, CHUNK)]
    work = functools.partial(run_chunk, arguments.program, arguments.seed, arguments.kinds)
    shown, found, counts, begin = [], 0, collections.Counter(), time.monotonic()
    with multiprocessing.get_context("fork").Pool(arguments.jobs) as pool:
        for done, (differences, tallied) in enumerate(pool.imap(work, chunks), 1):
            shown = worth_showing(shown + differences)
            found += len(differences)
            counts += tallied
            if done % 20 == 0:
                seconds = time.monotonic() - begin
                print(f"{done * CHUNK} cases, {found} differ, {seconds:.0f} s", file=sys.stderr, flush=True)
    return shown, found, counts


def show_difference(arguments, difference):
    print(f"case {difference.number} of seed {arguments.seed} differs:\n")
    print(difference.case)
    for tree in difference.case.trees:
        print(f"\nPython: {python_text(tree, [f't[{place}]' for place in range(len(difference.case.tensors))])}")
    for name, answer in (("PyTorch", difference.expected), ("pyrepr", difference.actual)):
        print(f"\n{name} ({answer.status}):\n{answer.text}")
    script = os.path.relpath(sys.argv[0])
    words = f"--seed {arguments.seed} --first {difference.number} --cases 1"
    words += f" --kinds {' '.join(arguments.kinds)}" if arguments.kinds else ""
    print(f"\nagain: python3 {script} {arguments.program} {words}\n")


def table(counts):
    """Returns a table of how many cases of each kind, dtype and rank were run."""
    rows = {"kind": NAMES, "dtype": DTYPES, "rank": "012345"}
    return "\n".join(
        f"{title}: " + ", ".join(f"{name} {counts[title, name]}" for name in names) for title, names in rows.items()
    )


def parsed(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--kinds", nargs="+", choices=NAMES, metavar="KIND", help="only these kinds, each as often")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args(words)
    if not os.access(arguments.program, os.X_OK):
        parser.error(f"cannot run {arguments.program}")
    if arguments.cases < 1 or arguments.jobs < 1:
        parser.error("--cases and --jobs are at least 1")
    return arguments


def main(words):
    arguments = parsed(words)
    begin = time.monotonic()
    shown, found, counts = run(arguments)
    for difference in shown:
        show_difference(arguments, difference)
    print(table(counts))
    verdict = f"{found} differ" if found else "all equal"
    print(f"{arguments.cases} cases of seed {arguments.seed}, {time.monotonic() - begin:.0f} s: {verdict}")
    if not sees_faults(arguments.program, arguments.seed):
        print("a planted fault was not seen")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
