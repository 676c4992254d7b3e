"""Counts the lines of each part of torchbook, as a table in Markdown: lines.py [COMMIT]. Without a commit, it counts the files
of the working tree that git tracks."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CODE = (".cpp", ".h", ".py", ".js", ".mjs", ".css", ".mustache", ".in", ".sh", ".cmake", ".txt", ".cases", ".bash")
# The first prefix that fits a file names its part.
PARTS = [
    ("the core", "src/torchbook/"),
    ("tool import: runtime", "src/tools/import/include/"),
    ("tool import: runtime", "src/tools/import/runtime/"),
    ("tool import: translate", "src/tools/import/translate/"),
    ("tool import: the rest", "src/tools/import/"),
    ("tool part", "src/tools/part/"),
    ("tool site", "src/tools/site/"),
    ("tool seed", "src/tools/seed/"),
    ("tests", "tests/"),
    ("the five notebooks", "notebooks_ported/"),
    ("suites", "suites/"),
    ("building", "cmake/"),
    ("benchmarks", "bench/"),
]


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True).stdout


def files(commit):
    """Yields the path and the bytes of each file of code."""
    names = git("ls-tree", "-r", "--name-only", "-z", commit) if commit else git("ls-files", "-z")
    for name in names.decode().split("\0"):
        if not name.endswith(CODE):
            continue
        if commit:
            yield name, git("show", f"{commit}:{name}")
        elif (ROOT / name).is_file():
            yield name, (ROOT / name).read_bytes()


def main():
    lines, count = {part: 0 for part, _ in PARTS}, {part: 0 for part, _ in PARTS}
    for name, text in files(sys.argv[1] if len(sys.argv) > 1 else None):
        part = next((part for part, prefix in PARTS if name.startswith(prefix)), None)
        if part:
            lines[part] += text.count(b"\n")
            count[part] += 1
    print("| part | files | lines |\n| --- | ---: | ---: |")
    for part in lines:
        print(f"| {part} | {count[part]:,} | {lines[part]:,} |")


if __name__ == "__main__":
    main()
