"""Counts the lines of each part of torchbook, as a table in Markdown: lines.py [COMMIT]. Without a commit, it counts the files
of the working tree that git tracks. Fails if a part has more lines than its budget: whoever raises a number says why in the
commit, and whoever deletes lowers it."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CODE = (".cpp", ".h", ".py", ".js", ".mjs", ".css", ".mustache", ".in", ".sh", ".cmake", ".txt", ".cases", ".bash")
# The name of each part, the most lines that it may have, and its files. A file belongs to the first part that fits.
PARTS = [
    ("the training library", 5626, "src/torchbook/training/"),
    ("the core", 21343, "src/torchbook/"),
    ("tool import: runtime", 2512, ("src/tools/import/include/", "src/tools/import/runtime/")),
    ("tool import: translate", 20882, "src/tools/import/translate/"),
    ("tool import: the rest", 8725, "src/tools/import/"),
    ("tool part", 7358, "src/tools/part/"),
    ("tool site", 12064, "src/tools/site/"),
    ("tool seed", 2325, "src/tools/seed/"),
    ("tests", 42416, "tests/"),
    ("the five notebooks", 1314, "notebooks_ported/"),
    ("recordings of the suites", 6750, "suites/", ".json"),
    ("suites", 5239, "suites/"),
    ("building", 951, "cmake/"),
    ("benchmarks", 2374, "bench/"),
]


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True).stdout


def files(commit):
    """Yields the path and the bytes of each file of code."""
    names = git("ls-tree", "-r", "--name-only", "-z", commit) if commit else git("ls-files", "-z")
    for name in names.decode().split("\0"):
        if commit:
            yield name, git("show", f"{commit}:{name}")
        elif (ROOT / name).is_file():
            yield name, (ROOT / name).read_bytes()


def part_of(name):
    """Returns the part that a file belongs to, or None."""
    fitting = (part for part, _, folder, *kinds in PARTS if name.startswith(folder) and name.endswith(tuple(kinds) or CODE))
    return next(fitting, None)


def main():
    lines, count = ({part: 0 for part, *_ in PARTS} for _ in range(2))
    for name, text in files(sys.argv[1] if len(sys.argv) > 1 else None):
        if part := part_of(name):
            lines[part] += text.count(b"\n")
            count[part] += 1
    print("| part | files | lines | at most |\n| --- | ---: | ---: | ---: |")
    for part, most, *_ in PARTS:
        print(f"| {part} | {count[part]:,} | {lines[part]:,} | {most:,} |")
    over = [f"{part} has {lines[part]:,} lines, and its budget is {most:,}" for part, most, *_ in PARTS if lines[part] > most]
    for line in over:
        print(f"lines.py: {line}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
