"""Runs the commands that the documentation shows, and compares their output with what it shows.

A ```console block contains commands after `$ ` and, below each, exactly its output; a line `…` represents any lines. A ```sh
block contains commands that set up, build or test, and may have comments. .ci/run must run each of them, and also each
`./torchbook test` in a console block, because a test cannot run all tests. The output of a command is between
`<!-- printed by: COMMAND -->` and `<!-- end -->`.

Links between the pages must lead somewhere.

Usage: commands_test.py core|tools BIN PYTHON: which pages, the folder of the programs, and a Python that has PyTorch.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kernels
import programs

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TESTS = re.compile(r"\./torchbook test(?: (import|part|site|seed|regression|all))?(?P<options>(?: -[RL] \S+)*)")
PRINTED = re.compile(r"^<!-- printed by: ([^\n]*) -->\n(.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)


# Their commands need only the core.
OF_THE_CORE = [ROOT / page for page in ("README.md", "docs/building.md", "docs/running.md", "docs/printing.md", "docs/json.md")]


def pages(of_the_core):
    """Returns the pages whose commands need only the core, or all others."""
    return OF_THE_CORE if of_the_core else sorted({*(ROOT / "docs").rglob("*.md")} - {*OF_THE_CORE})


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
    printed = programs.without_progress(done.stdout)
    return done.returncode, printed.replace(binaries, "build/release/bin").replace(temporary, "/tmp/torchbook-")


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


def is_printed(printed, expected):
    """Returns whether a command printed what a page shows. A line `…` of the page represents any lines."""
    pattern = "".join("(?:.*\n)*" if line == "…\n" else re.escape(line) for line in expected.splitlines(keepends=True))
    return re.fullmatch(pattern, printed) is not None


def chosen_tests(options, binaries, folder):
    """Returns how many tests of this build CTest chooses by options. It lists them in a folder of its own, because CTest
    overwrites the log of the run to which this test belongs."""
    lists = pathlib.Path(folder) / "chosen_tests"
    lists.mkdir(exist_ok=True)
    (lists / "CTestTestfile.cmake").write_text(f'subdirs("{pathlib.Path(binaries).parent}")\n')
    listed = subprocess.run(f"ctest -N {options}", shell=True, cwd=lists, text=True, check=True, stdout=subprocess.PIPE).stdout
    return int(re.search(r"^Total Tests: (\d+)$", listed, re.MULTILINE)[1])


def is_run_by_ci(command, binaries, folder):
    """Returns whether .ci/run runs a command, maybe after it sets a variable. `./torchbook test all` runs every test."""
    lines = [re.sub(r"^(\w+=\S+ )*", "", line.strip()) for line in (ROOT / ".ci/run").read_text().splitlines()]
    tests = TESTS.fullmatch(command)
    if not tests:
        return command in lines
    return "./torchbook test all" in lines and (not tests["options"] or chosen_tests(tests["options"], binaries, folder) > 0)


def not_run_by_ci(page, command, binaries, folder):
    """Returns 1, and says so, if .ci/run does not run a command of a page, otherwise 0."""
    if is_run_by_ci(command, binaries, folder):
        return 0
    print(f"{page.name}: {command}\nis not run by .ci/run, or chooses no test")
    return 1


def check_console(page, release, binaries, python, folder):
    failures = count = 0
    shown = [pair for block in blocks(page, "console") if "=avx2 " not in block or kernels.has_avx2()
             for pair in commands(block)]
    for command, expected in shown + PRINTED.findall(page.read_text()):
        count += 1
        if TESTS.fullmatch(command):
            failures += not_run_by_ci(page, command, binaries, folder)
            continue
        code, printed = run(command, binaries, python, folder)
        if not release.startswith("1.13"):  # the pages show what << prints there; later ones differ
            expected = expected.replace("PyTorch 1.13.0a0", f"PyTorch {release}")
            printed, expected = without_stream(command, printed), without_stream(command, expected)
        if code != 0 or not is_printed(printed, expected):
            failures += 1
            print(f"{page.name}: $ {command}\nexit code {code}, prints\n{printed}instead of\n{expected}")
    return failures, count


def check_sh(page, binaries, folder):
    """Checks that .ci/run runs each command of the page's sh blocks."""
    lines = [re.sub(r" +# .*", "", line) for block in blocks(page, "sh") for line in block.splitlines()]
    commands_of_page = [line for line in lines if line]
    return sum(not_run_by_ci(page, command, binaries, folder) for command in commands_of_page), len(commands_of_page)


def commands_in_help(text):
    """Returns the commands that a help shows, with what they do."""
    rows = re.search(r"^(?:Commands|Subcommands|SUBCOMMANDS):\n((?: +.*\n)+)", text, re.MULTILINE).group(1)
    rows = re.sub(r"\n {10,}(?=\S)", " ", rows)  # a description may have several lines
    return [(name, what.replace(" (./torchbook only)", ""))
            for name, what in re.findall(r"^  (\w+)(?: .*?)?  +(.*)$", rows, re.MULTILINE)]


def check_script_help(binaries, python, folder):
    """The help of the script ./torchbook, which must not need a build, must show the program's commands."""
    shown = subprocess.run([ROOT / "torchbook", "--help"], stdin=subprocess.DEVNULL, text=True, check=True,
                           stdout=subprocess.PIPE).stdout
    known = commands_in_help(run("build/release/bin/torchbook --help", binaries, python, folder)[1])
    different = set(known) ^ set(commands_in_help(shown))
    for name, what in sorted(different):
        print(f"{name}: {what}\nis in one of ./torchbook --help and torchbook --help only")
    return len(different), len(known)


def anchors(page):
    """Returns the anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(text):
    return re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", text))


def dead_links(page, text):
    """Returns the targets of the links in a page's text that are in this repository and do not exist."""
    dead = []
    for target in links(text):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        lost = not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file))
        if not re.match(r"\w+:", target) and lost:
            dead.append(target)
    return dead


def check_links(page):
    text = page.read_text()
    dead = dead_links(page, text)
    for target in dead:
        print(f"{page.name}: the link to {target} leads nowhere")
    return len(dead), len(links(text))


def check_the_checks(binaries, folder):
    """Dead links, other outputs, and commands that nothing runs must be seen."""
    page = ROOT / "docs/building.md"
    dead = ["none.md", "#none", "building.md#none"]
    alive = ["json.md", "#dependencies", "https://example.org/none"]
    assert dead_links(page, " ".join(f"[link]({target})" for target in dead + alive)) == dead
    assert is_printed("a\nb\nc\n", "…\nc\n") and is_printed("c\n", "…\nc\n")
    assert not is_printed("a\nb\n", "…\nc\n") and not is_printed("a\nc\nb\n", "…\nc\n")
    for command in ("./torchbook none", "./torchbook test none", "./torchbook test -R no_such_test"):
        assert not is_run_by_ci(command, binaries, folder), command


def main():
    part, binaries, python = sys.argv[1:]
    tested = pages(part == "core")
    os.environ["LC_ALL"] = "C.UTF-8"
    with tempfile.TemporaryDirectory(prefix="torchbook-docs-") as folder:
        check_the_checks(binaries, folder)
        results = []
        release = run("python3 -c 'import torch; print(torch.__version__)'", binaries, python, folder)[1].strip()
        for page in tested:
            results += [check_console(page, release, binaries, python, folder), check_sh(page, binaries, folder),
                        check_links(page)]
        if part == "core":
            others = [ROOT / "bench/README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("examples/*/README.md"),
                      *ROOT.glob("src/tools/*/README.md")]
            results += [check_script_help(binaries, python, folder), check_sh(ROOT / "CONTRIBUTING.md", binaries, folder),
                        *map(check_links, others)]
    failures, count = (sum(numbers) for numbers in zip(*results))
    print(f"{count} commands and links in {len(tested)} pages: {count - failures} are right")
    return 1 if failures or count < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
