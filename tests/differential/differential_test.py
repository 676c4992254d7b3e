"""Prints the same random cases with PyTorch and with pyrepr, and compares them byte for byte.

differential_test.py PROGRAM [--cases N] [--seed S] [--first NUMBER] [--kinds KIND…] [--jobs N] [--plant]
PROGRAM is pyrepr_differential. A seed and a number define a case, so that --seed S --first NUMBER --cases 1 runs it
again. Both sides read files of raw values, one per chunk of cases, so that memory stays bounded.
Exit status: 0 if all are equal; 1 if one differs, which is shown shrunk; 2 for wrong usage or a missing PyTorch.
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
    from cases import numel
    from kinds import NAMES, make_case
    from shrink import shrunk
    from sides import compare, tally
    from tree_text import python_text
    from trees import nodes_of
    from values import DTYPES
except ImportError as error:
    print(f"differential_test: PyTorch is missing: {error}", file=sys.stderr)
    sys.exit(2)

CHUNK = 5000  # cases per file
MOST_SHOWN = 2  # differences per kind


def honest(number, case):
    return oracle.answer(case)


def parts(case):
    """Returns how many elements or nodes a case has."""
    if case.trees:
        return sum(1 for _ in nodes_of(case.trees[0]))
    return numel(case.tensors[0].sizes) if case.tensors else 1


def planted(wrong_number, number, case):
    """Returns PyTorch's answer. Flips a bit of one case, and of what it shrinks to, while it has three elements.

    A tree has nodes instead of elements.
    """
    answer = oracle.answer(case)
    if number != wrong_number or parts(case) < 3:
        return answer
    return answer._replace(text=chr(ord(answer.text[0]) ^ 1) + answer.text[1:])


def case_to_spoil(seed, first, kinds):
    """Returns the number of the first dense case of a few elements, or of the first tree of some nodes."""
    number = first
    while True:
        case = make_case(seed, number, kinds)
        sizes = case.tensors[0].sizes if case.kind == "dense" else ()
        if (case.trees and kinds and parts(case) > 5) or len(sizes) > 1 and all(2 <= size < 9 for size in sizes):
            return number
        number += 1


def run_chunk(program, seed, kinds, ask, numbers):
    """Compares the cases of some numbers. Returns their differences and their counts by kind."""
    numbered = [(number, make_case(seed, number, kinds)) for number in numbers]
    return compare(program, numbered, ask), tally(case for _, case in numbered)


def worth_showing(differences):
    """Returns the first few differences of each kind."""
    shown = collections.defaultdict(list)
    for difference in differences:
        shown[difference.case.kind].append(difference)
    return [difference for alike in shown.values() for difference in alike[:MOST_SHOWN]]


def run(arguments, ask):
    """Runs all cases in chunks. Returns the first differences, how many there are, and what was run."""
    end = arguments.first + arguments.cases
    chunks = [range(start, min(start + CHUNK, end)) for start in range(arguments.first, end, CHUNK)]
    work = functools.partial(run_chunk, arguments.program, arguments.seed, arguments.kinds, ask)
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


def show_difference(arguments, ask, difference):
    small = shrunk(arguments.program, difference, ask)
    print(f"case {difference.number} of seed {arguments.seed} differs; shrunk:\n")
    print(small.case)
    for tree in small.case.trees:
        print(f"\nPython: {python_text(tree, [f't[{place}]' for place in range(len(small.case.tensors))])}")
    for name, answer in (("PyTorch", small.expected), ("pyrepr", small.actual)):
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
    parser.add_argument("--plant", action="store_true", help="spoil the first expectation, to see that it is noticed")
    arguments = parser.parse_args(words)
    if not os.access(arguments.program, os.X_OK):
        parser.error(f"cannot run {arguments.program}")
    if arguments.cases < 1 or arguments.jobs < 1:
        parser.error("--cases and --jobs are at least 1")
    return arguments


def main(words):
    arguments = parsed(words)
    ask = honest
    if arguments.plant:
        arguments.first = case_to_spoil(arguments.seed, arguments.first, arguments.kinds)
        ask = functools.partial(planted, arguments.first)
    begin = time.monotonic()
    shown, found, counts = run(arguments, ask)
    for difference in shown:
        show_difference(arguments, ask, difference)
    print(table(counts))
    verdict = f"{found} differ" if found else "all equal"
    print(f"{arguments.cases} cases of seed {arguments.seed}, {time.monotonic() - begin:.0f} s: {verdict}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
