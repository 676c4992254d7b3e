"""Runs the commands that the documentation shows, and compares their output with what it shows.

A ```console block contains commands behind `$ ` and, below each, exactly its output. A ```sh block contains commands
that set up or build. Each of them must be a line of .ci/run, which runs them. Between `<!-- printed by: … -->` and
`<!-- end -->` stands the output of the command that is named there.

Usage: commands_test.py BIN PYTHON: the folder of the programs, and a Python that has PyTorch.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


PRINTED = re.compile(r"^<!-- printed by: (.*) -->\n(.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)


def pages():
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page, language):
    return [body for name, body in FENCE.findall(page.read_text()) if name == language]


def commands(block):
    """Returns the commands of a console block, each with the output that the block shows."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    if parts[0]:
        raise SystemExit(f"a console block must start with a command: {block!r}")
    return [part.partition("\n")[::2] for part in parts[1:]]


def run(command, binaries, python, folder):
    """Returns the exit code and the output of a command, run with the programs of this build. Its files
    /tmp/torchbook-… are placed in `folder`."""
    temporary = f"{folder}/torchbook-"
    for shown, real in (("/tmp/torchbook-", temporary), ("build/release/bin", binaries),
                        ("./torchbook ", f"{binaries}/torchbook ")):
        command = command.replace(shown, real)
    command = re.sub(r"\bpython3\b", python, command)
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "GLOG_minloglevel": "2"})
    return done.returncode, done.stdout.replace(binaries, "build/release/bin").replace(temporary, "/tmp/torchbook-")


def without_stream(command, text):
    """Returns a text without the output of LibTorch's own <<: the first part of print_tensor, a column of
    printing_table.py.

    LibTorch also warns of a complex tensor, before the table.
    """
    if "print_tensor" in command:
        return text.partition("\n\n")[2]
    if "printing_table" in command:
        rows = [line.split(" | ") for line in text.splitlines() if line.startswith("|")]
        return "\n".join(" | ".join(row[:2] + row[3:]) for row in rows)
    return text


def check_console(page, binaries, python, folder):
    failures = count = 0
    shown = [pair for block in blocks(page, "console") for pair in commands(block)]
    release = run("python3 -c 'import torch; print(torch.__version__)'", binaries, python, folder)[1]
    for command, expected in shown + PRINTED.findall(page.read_text()):
        code, printed = run(command, binaries, python, folder)
        count += 1
        if not release.startswith("1.13"):  # the pages show what << prints there; later ones differ
            printed, expected = without_stream(command, printed), without_stream(command, expected)
        if code != 0 or printed != expected:
            failures += 1
            print(f"{page.name}: $ {command}\nexit code {code}, prints\n{printed}instead of\n{expected}")
    return failures, count


def check_sh(page):
    """Checks that .ci/run runs each command of the page's sh blocks. It may set a variable before the command."""
    run_lines = (ROOT / ".ci/run").read_text().splitlines()
    failures = count = 0
    for block in blocks(page, "sh"):
        for command in filter(None, block.splitlines()):
            count += 1
            if not any(re.fullmatch(r"(\w+=\S+ )*" + re.escape(command), line.strip()) for line in run_lines):
                failures += 1
                print(f"{page.name}: {command}\nis not run by .ci/run")
    return failures, count


def main():
    binaries, python = sys.argv[1:]
    os.environ["LC_ALL"] = "C.UTF-8"
    failures = count = 0
    with tempfile.TemporaryDirectory(prefix="torchbook-docs-") as folder:
        for page in pages():
            for failed, checked in (check_console(page, binaries, python, folder), check_sh(page)):
                failures += failed
                count += checked
    print(f"{count} commands in {len(pages())} pages: {count - failures} do what they say")
    return 1 if failures or count < 8 else 0


if __name__ == "__main__":
    sys.exit(main())
