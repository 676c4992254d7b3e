"""Breaks one thing at a time in the sources, and counts what the tests find.

Usage: mutants.py [--count N] [--seed N] [--folder DIR] [--only PART]... [--again]

Writes a copy of the tree to DIR (build/mutants) in which N places are both right and broken: `(torchbook_mutant(7) ? a <= b :
a < b)`. It is built once, without tools. Then the tests of each part run once for each mutant in it, with TORCHBOOK_MUTANT=7:
first its programs, then its scripts, of one mutant at a time because they share folders. A mutant is found if one of them fails,
crashes or does not end. What survives is listed, and the exit code is 1 then. Needs Debian's python3-clang and the compilation
database of .ci/style in build/tidy. --again runs the tests of a copy that is built.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from clang import cindex
from clang.cindex import CursorKind, TypeKind

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The parts of the tree, and the tests that must find what is broken in them: programs, and scripts by their names in CTest. Left
# out are scripts of `./torchbook test` that take long, and those that show lines of ports, which a mutant in a port changes.
PARTS = {
    "src/torchbook/pyrepr": (["pyrepr_test", "pyrepr_module_test"], ["pyrepr_judged_by_pytorch", "pyrepr_differential"]),
    "src/torchbook/golden": (["golden_test", "notebook_test"], ["cli_test", "recordings", "check.cases"]),
    "src/torchbook/notebook/cells": (["cells_test"], ["cells_program", "twins_and_documents"]),
    "src/torchbook/notebook": (["notebook_test", "fingerprint_test"], ["cli_test", "recordings", "check.cases"]),
    "src/torchbook/report": (["report_test"], ["cli_test", "junit", "check.cases"]),
    "notebooks_ported": (["torchbook_cell_tests"], []),
}
LONGEST = 60  # seconds that a test may take
SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
           "+": "-", "-": "+", "*": "+", "/": "*", "%": "/"}
OF_NUMBERS = {"+", "-", "*", "/", "%"}
CHANGES = {CursorKind.CALL_EXPR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR, CursorKind.BINARY_OPERATOR, CursorKind.UNARY_OPERATOR,
           CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT}
QUIET = "-w -Wno-error -Wno-narrowing"
READ = re.compile(rb"nb\.(cell|note|restored|axis|not_ported)\(")  # what the reader of ports must find in them as it is
HEADER = """#pragma once
#include <cstdlib>
inline int torchbook_active_mutant() {
  static const char* const number = std::getenv("TORCHBOOK_MUTANT");
  static const int active = number == nullptr ? 0 : std::atoi(number);
  return active;
}
constexpr bool torchbook_mutant(int number) {
  return !__builtin_is_constant_evaluated() && torchbook_active_mutant() == number;
}
"""


class Site:
    """A place that can be broken: a range of bytes, and the text that replaces it."""

    def __init__(self, kind, start, end, line, pieces):
        self.kind, self.start, self.end, self.line, self.pieces = kind, start, end, line, pieces
        self.lines = 0  # more than one


def is_number(of):
    kind = of.get_canonical().kind
    return TypeKind.UCHAR.value <= kind.value <= TypeKind.LONGDOUBLE.value or kind == TypeKind.BOOL


class Reader:
    """Finds the sites of one source."""

    def __init__(self, source, unit):
        self.source, self.text, self.sites = source, source.read_bytes(), []
        for cursor in unit.cursor.get_children():
            if cursor.location.file and pathlib.Path(cursor.location.file.name) == source:
                self.visit(cursor, False, None)

    def bounds(self, cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def add(self, kind, cursor, *pieces):
        start, end = self.bounds(cursor)
        self.sites.append(Site(kind, start, end, cursor.extent.start.line, pieces))
        self.sites[-1].lines = self.text[start:end].count(b"\n")

    def visit(self, cursor, in_body, parent):
        kind = cursor.kind
        if kind in (CursorKind.STATIC_ASSERT, CursorKind.CASE_STMT, CursorKind.TYPE_REF, CursorKind.TEMPLATE_REF):
            return
        if kind == CursorKind.CALL_EXPR and READ.match(self.text, cursor.extent.start.offset):
            return
        if kind == CursorKind.VAR_DECL:
            if "constexpr" in [each.spelling for each in cursor.get_tokens()]:
                return
        if kind == CursorKind.COMPOUND_STMT:
            in_body = True
        if in_body:
            self.note(cursor, kind, parent)
        for child in cursor.get_children():
            self.visit(child, in_body, cursor)

    def note(self, cursor, kind, parent):
        start, end = self.bounds(cursor)
        children = list(cursor.get_children())
        if parent and parent.kind == CursorKind.COMPOUND_STMT and kind in CHANGES and self.text[end:end + 1] == b";" \
                and b".reserve(" not in self.text[start:end]:
            self.add("dropped", cursor, "if (!torchbook_mutant({n})) ", (start, end))
        if kind == CursorKind.BINARY_OPERATOR and len(children) == 2:
            self.operator(cursor, children)
        if kind == CursorKind.IF_STMT and children:
            conditions = [each for each in children if each.kind != CursorKind.DECL_STMT and each.kind.is_expression()]
            if conditions and children[0].kind.is_expression():
                s, e = self.bounds(conditions[0])
                self.add("negated", conditions[0], "(torchbook_mutant({n}) ? !(", (s, e), ") : bool(", (s, e), "))")
        if kind == CursorKind.INTEGER_LITERAL and re.fullmatch(rb"\d+U?L?", self.text[start:end]):
            self.add("constant", cursor, "(torchbook_mutant({n}) ? ", (start, end), " + 1 : ", (start, end), ")")
        if kind == CursorKind.CXX_BOOL_LITERAL_EXPR and self.text[start:end] in (b"true", b"false"):
            other = "false" if self.text[start:end] == b"true" else "true"
            self.add("constant", cursor, "(torchbook_mutant({n}) ? " + other + " : ", (start, end), ")")

    def operator(self, cursor, children):
        (start, end), left, right = self.bounds(cursor), self.bounds(children[0]), self.bounds(children[1])
        if not start <= left[0] < left[1] <= right[0] < right[1] <= end or left[0] != start or right[1] != end:
            return
        sign = self.text[left[1]:right[0]].strip().decode(errors="replace")
        if sign not in SWAPPED or b"[&" in self.text[start:end]:  # a lambda cannot be written twice
            return
        if sign in OF_NUMBERS and not all(map(is_number, (cursor.type, children[0].type, children[1].type))):
            return
        if sign in ("+", "-") and "*" in children[0].type.get_canonical().spelling:
            return
        self.add("operator", cursor, "(torchbook_mutant({n}) ? (", left, f" {SWAPPED[sign]} ", right, ") : (", left, f" {sign} ",
                 right, "))")


def flags_of(source):
    database = cindex.CompilationDatabase.fromDirectory(str(ROOT / "build/tidy"))
    commands = list(database.getCompileCommands(str(source)) or ())
    if not commands:
        return None
    arguments = list(commands[0].arguments)[1:]
    for name in ("-c", "-o"):
        if name in arguments:
            at = arguments.index(name)
            del arguments[at:at + 2]
    return [each for each in arguments if each not in (str(source), "--")]


def part_of(path):
    return next((part for part in PARTS if str(path).startswith(part + "/")), None)


def sites_in(source):
    """Returns the sites of a source: (path, site)."""
    flags = flags_of(source)
    if flags is None:
        return []
    unit = cindex.Index.create().parse(str(source), args=flags)
    return [(source.relative_to(ROOT), site) for site in Reader(source, unit).sites]


def sites_of(parts):
    """Returns all sites, in the order of the sources."""
    sources = sorted(each for part in parts for each in (ROOT / part).rglob("*.cpp") if part_of(each.relative_to(ROOT)) in parts)
    found = []
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for sites in pool.map(sites_in, dict.fromkeys(sources)):
            found += sites
            print(f"\r{len(found)} places", end="", file=sys.stderr)
    print(file=sys.stderr)
    return found


def sample(places, count, seed):
    """Returns `count` of the places, as if drawn. It is the same choice, except for what changed, after a change elsewhere."""
    times = collections.Counter()
    drawn = []
    for path, site in places:
        what = (seed, path, site.kind, (ROOT / path).read_bytes()[site.start:site.end])
        times[what] += 1
        drawn.append((hashlib.sha256(repr((what, times[what])).encode()).digest(), path, site))
    return [(path, site) for _, path, site in sorted(drawn, key=lambda each: each[0])[:count]]


def rendered(text, start, end, sites):
    """Returns the text of a range in which sites are replaced. Sites lie inside of each other, or apart; the outer ones come
    first."""
    result, at = "", start
    for place, (n, site) in enumerate(sites):
        if site.start < at or site.end > end:
            continue
        result += text[at:site.start].decode()
        for piece in site.pieces:
            result += piece.replace("{n}", str(n)) if isinstance(piece, str) else rendered(text, *piece, sites[place + 1:])
        at = site.end
    return result + text[at:end].decode()


def write(folder, paths, mutants):
    for path in paths:
        text = (ROOT / path).read_bytes()
        sites = [(n, site) for n, other, site in mutants if other == path]
        # Of those that replace the same text, the outer one is that which has the text as it is: a condition that is negated.
        sites.sort(key=lambda each: (each[1].start, -each[1].end, each[1].kind in ("operator", "constant")))
        # The lines keep their numbers, and a precompiled header must come before any other text.
        head = f'#include "{folder}/mutant.h"\n#line 1\n'
        (folder / path).write_text(head + rendered(text, 0, len(text), sites))


def copied(folder):
    """Writes a copy of what Git tracks."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    (folder / "mutant.h").write_text(HEADER)
    subprocess.run(["cmake", "--preset", "ci", f"-DCMAKE_CXX_FLAGS={QUIET}", "-DTORCHBOOK_TOOLS="], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def built(folder, mutants):
    """Builds the copy. Returns the mutants that compile."""
    paths = {path for _, path, _ in mutants}
    while True:
        write(folder, paths, mutants)
        # What is not broken comes from the compiler's cache, as options on warnings change nothing in it.
        done = subprocess.run(["cmake", "--build", "build/ci", "--", "-k", "0"], cwd=folder, capture_output=True, text=True,
                              env={**os.environ, "CCACHE_IGNOREOPTIONS": QUIET})
        if done.returncode == 0:
            return mutants
        wrong = {(name, int(line)) for name, line in re.findall(r"(\S+?\.cpp):(\d+):\d+: error", done.stdout)}
        # The copy has the same lines: no mutant adds or removes one.
        bad = {n for n, path, site in mutants for name, line in wrong
               if name.endswith(str(path)) and site.line <= line <= site.line + site.lines}
        print(f"{len(bad)} of {len(mutants)} do not compile", file=sys.stderr)
        if not bad:
            sys.exit(done.stdout[-3000:])
        mutants = [each for each in mutants if each[0] not in bad]


def passes(folder, number, command, longest):
    try:
        done = subprocess.run(command, env={**os.environ, "TORCHBOOK_MUTANT": str(number)}, cwd=folder / "build/ci",
                              timeout=longest, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def survives_programs(folder, number, path):
    return all(passes(folder, number, [folder / "build/ci/bin" / program, "--gtest_brief=1", "--gtest_fail_fast"], LONGEST)
               for program in PARTS[part_of(path)][0])


def survives_scripts(folder, number, path):
    scripts = PARTS[part_of(path)][1]
    return not scripts or passes(folder, number, ["ctest", "--stop-on-failure", "-j", str(os.cpu_count()), "-L", "core",
                                                  "-R", f"^({'|'.join(scripts)})$"], 20 * LONGEST)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/mutants")
    parser.add_argument("--only", action="append", choices=PARTS, default=[])
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    parts = options.only or list(PARTS)
    listed = options.folder / "mutants.json"
    if not options.again:
        places = sites_of(parts)
        chosen = sample(places, options.count, options.seed)
        mutants = [(n, path, site) for n, (path, site) in enumerate(sorted(chosen, key=lambda each: (str(each[0]), each[1].start)), 1)]
        print(f"{len(places)} places, {len(mutants)} of them broken", file=sys.stderr)
        copied(options.folder)
        mutants = built(options.folder, mutants)
        listed.write_text(json.dumps([[n, str(path), site.line, site.kind,
                                       (ROOT / path).read_bytes()[site.start:site.end].decode()] for n, path, site in mutants]))
    mutants = json.loads(listed.read_text())
    for part in parts:
        if not (survives_programs(options.folder, 0, f"{part}/") and survives_scripts(options.folder, 0, f"{part}/")):
            sys.exit(f"the tests of {part} fail without a mutant")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        alive = list(pool.map(lambda each: survives_programs(options.folder, *each[:2]), mutants))
    report(mutants, [each and survives_scripts(options.folder, *mutant[:2]) for mutant, each in zip(mutants, alive)])


def report(mutants, alive):
    counts = {}
    for (n, path, line, kind, text), survived in zip(mutants, alive):
        found, of = counts.get(part_of(path), (0, 0))
        counts[part_of(path)] = (found + (not survived), of + 1)
        if survived:
            print(f"{path}:{line}: {kind}: {' '.join(text.split())[:100]}")
    for part, (found, of) in sorted(counts.items()):
        print(f"{part}: {found} of {of} found")
    found = sum(each for each, _ in counts.values())
    print(f"{found} of {len(mutants)} found, {100 * found / len(mutants):.1f} %")
    sys.exit(1 if any(alive) else 0)


if __name__ == "__main__":
    main()
