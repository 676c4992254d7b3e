"""Tests that the porting guide, docs/porting, is true.

Usage: guide_test.py PORTING_GUIDE.

PORTING_GUIDE is the program that the build makes of the guide. Each row's C++ and Python must print the row's text.
What the guide says of itself and of the notebooks must hold. Every failure is shown.
Exit status: 0 if all is true, 1 if something is not, 2 if there is no PyTorch.
"""
import json
import pathlib
import re
import subprocess
import sys

try:
    import torch
except ImportError as error:
    print(f"guide_test: PyTorch is missing: {error}", file=sys.stderr)
    sys.exit(2)

import guide as porting
from twin import printed_by

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST_ROWS = 36  # rows that must name a cell of a notebook
CONTENTS_LINE = re.compile(r"^\| (?:\*\*)?\[([^]]+)\]\([\w-]+\.md#([^)]+)\)(?:\*\*)? \|(?: `(.+)` \| `(.+)`| \|) \|$")
SEEN = re.compile(r"\*Seen\s+in\s+`(\w+)`,\s+cell\s+(\w+)\.\*")


def report_of(program):
    """Returns the cells that a porting_guide program reports."""
    done = subprocess.run([program, "--format", "json"], stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1, 3):  # equal, different, threw; the report says which
        sys.exit(f"guide_test: {program} ended with status {done.returncode}")
    return json.loads(done.stdout)


def shown(cell):
    """Returns what a reported cell printed or displayed, as the guide shows it."""
    return cell["stdout"] + (cell["result"] + "\n" if cell["result"] is not None else "")


def cpp_failures(guide, report):
    reported = {cell["label"]: cell for cell in report["cells"]}
    if "error" in report:
        yield f"C++: {report['error']}"
    for cell in guide.cells():
        if cell.label not in reported:
            yield f"{cell.label}: C++ did not run"
        elif reported[cell.label]["source"] != cell.source():
            yield f"{cell.label}: the program was built of another block:\n{reported[cell.label]['source']}"
        elif shown(reported[cell.label]) != cell.text:
            yield f"{cell.label}: C++ prints\n{shown(reported[cell.label])}instead of\n{cell.text}"


def python_failures(guide):
    """Runs the rows in reverse order, unlike C++, so that a row fails if it needs what another one left behind."""
    for row in reversed(guide.rows):
        try:
            printed = printed_by(guide.contents.block("python"), row.python)
        except Exception as error:
            printed = f"{type(error).__name__}: {error}\n"
        if printed != row.cell.text:
            yield f"{row.cell.label}: Python prints\n{printed}instead of\n{row.cell.text}"
        if row.trap is not None and row.trap.text == printed:
            yield f"{row.trap.label}: prints what Python prints, so it is no trap"


def contents_failures(guide):
    rows = {row.title: row for row in guide.rows}
    listed = [line for line in map(CONTENTS_LINE.match, guide.contents.prose.splitlines()) if line]
    titles = [line[1] for line in listed]
    if titles != guide.headings:
        yield f"the contents list\n{titles}\ninstead of\n{guide.headings}"
    for title, link, python, cpp in (line.groups() for line in listed):
        if link != porting.anchor(title):
            yield f"the contents' link to '{title}' must end in #{porting.anchor(title)}"
        if title in rows and not (python and python in rows[title].python and cpp in rows[title].cell.code):
            yield f"the contents show {python} and {cpp} for '{title}', whose blocks do not hold both"


def cells_of(slug):
    """Returns the labels of a notebook's cells."""
    twin = ROOT / f"notebooks_ported/{slug}.py"
    return re.findall(r"^# %% \[(\w+)\]", twin.read_text(), re.MULTILINE) if twin.exists() else []


def seen_failures(guide):
    count = 0
    for row in guide.rows:
        for slug, label in SEEN.findall(row.prose):
            count += 1
            if label not in cells_of(slug):
                yield f"{row.cell.label}: {slug} has no cell {label}"
        if row.prose.count("Seen") != len(SEEN.findall(row.prose)):
            yield f"{row.cell.label}: 'Seen' is not followed by a notebook and a cell"
    if count < LEAST_ROWS:
        yield f"{count} rows name a cell of a notebook, at least {LEAST_ROWS} should"


def example_failures(guide):
    """Checks that the example's twin prints its golden, and that its line for CMake names it. Tests run its C++."""
    golden = guide.example.block("text")
    wanted = "".join(line[2:] for line in golden.splitlines(keepends=True) if line[0] in ">=")
    printed = printed_by("", guide.example.block("python"))
    if printed != wanted:
        yield f"{guide.slug()}: Python prints\n{printed}instead of\n{wanted}"
    if guide.example.block("cmake") != f"torchbook_add_notebook({guide.slug()})\n":
        yield f"{guide.slug()}: its line for CMake does not name it"


def failures(text, report):
    guide = porting.parse(text)
    for check in (cpp_failures(guide, report), python_failures(guide), contents_failures(guide),
                  seen_failures(guide), example_failures(guide)):
        yield from check


def main():
    text = porting.read()
    found = list(failures(text, report_of(sys.argv[1])))
    for failure in found:
        print(failure)
    guide = porting.parse(text)
    print(f"{len(guide.rows)} rows and {len(guide.cells()) - len(guide.rows)} traps, judged by PyTorch "
          f"{torch.__version__}: {len(found)} failures")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
