"""Tests the manual page and the completions of torchbook in the shells that are installed here, bash in any case.

Usage: manual_test.py BIN MANUAL: the folders of the programs, and of what the build wrote.
"""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support/warm"))
import warm_programs

MANUAL, BIN = pathlib.Path(sys.argv.pop()), warm_programs.folder(sys.argv.pop())
ENVIRONMENT = dict(os.environ, PATH=f"{BIN}:{os.environ['PATH']}", LC_ALL="C.UTF-8", TERM="dumb")
NOTEBOOKS = ["attention_as_alignment", "attention_by_hand"]
COMMANDS = ["run", "check", "compare", "golden", "list", "doctor", "site", "new", "import", "watch", "carry", "part", "seed", "help"]
WITH_OPTIONS = COMMANDS[:-1]  # `help --help` shows the help of the program


def output(*command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=True, env=ENVIRONMENT, **options).stdout


def options_of(command):
    """Returns the long options that the help of a command shows."""
    lines = re.findall(r"^ +(-.*?)(?:  |$)", output(f"{BIN}/torchbook", *command, "--help"), re.MULTILINE)
    return set(re.findall(r"--[a-z][\w-]*", "\n".join(lines)))


def in_bash(*words, folder="/"):
    """Returns what bash offers for the last word."""
    script = f'. {MANUAL}/torchbook.bash; compopt() {{ :; }}; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _torchbook; ' \
             'printf "%s\\n" "${COMPREPLY[@]}"'
    return output("bash", "-c", script, "bash", "torchbook", *words, cwd=folder).split()


def in_fish(line, folder):
    script = f"source {MANUAL}/torchbook.fish; complete -C 'torchbook {line}'"
    return [offer.split("\t")[0] for offer in output("fish", "--no-config", "-c", script, cwd=folder).splitlines()]


def in_zsh(line, folder):
    """Types a line and a tabulator in zsh, and returns the line that it makes of it."""
    result = pathlib.Path(folder) / "line"
    result.unlink(missing_ok=True)
    setup = (f"fpath=({MANUAL} $fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word; "
             f"told() {{ print -r -- \"$BUFFER\" >{result}.new; mv {result}.new {result} }}; zle -N told; "
             "bindkey '^X' told; PS1='rea''dy> '\n")  # so that the echo of this line is no prompt
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe("zsh", ["zsh", "-f", "-i"], ENVIRONMENT)
    try:
        os.write(terminal, setup.encode())
        seen, end = "", time.monotonic() + 60
        typed = False
        while not result.exists() and time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                seen += os.read(terminal, 4096).decode(errors="replace")
            if not typed and "ready> " in seen:
                os.write(terminal, f"torchbook {line}\t\x18".encode())
                typed = True
        return result.read_text().strip() if result.exists() else seen
    finally:
        os.close(terminal)
        os.waitpid(child, 0)


class Manual(unittest.TestCase):
    def test_the_page_has_every_command_and_option(self):
        page = (MANUAL / "torchbook.1").read_text()
        sections = dict(zip(COMMANDS, re.split(r"^\.SS ", page, flags=re.MULTILINE)[1:]))
        for command in WITH_OPTIONS:
            self.assertTrue(sections[command].startswith(command))
            shown = set(re.findall(r"--[a-z][\w-]*", sections[command].replace("\\-", "-").split("\n.SH")[0]))
            self.assertLessEqual(options_of([command]), shown)
        self.assertIn(r"2 wrong usage, missing or broken input", page)

    @unittest.skipUnless(shutil.which("groff"), "no groff here")
    def test_groff_reads_it_without_a_warning(self):
        self.assertEqual(output("groff", "-man", "-ww", "-z", MANUAL / "torchbook.1"), "")
        text = re.sub(r".\x08|\x1b\[\d*m", "", output("groff", "-man", "-Tutf8", MANUAL / "torchbook.1"))
        self.assertIn("show each cell's C++ source", " ".join(text.split()))


class Bash(unittest.TestCase):
    def test_every_command_and_option_is_offered(self):
        self.assertEqual(in_bash(""), COMMANDS)
        self.assertEqual({word for word in in_bash("-") if word.startswith("--")}, options_of([]))
        for command in WITH_OPTIONS:
            self.assertEqual({word for word in in_bash(command, "-") if word.startswith("--")}, options_of([command]))

    def test_values_are_offered(self):
        self.assertEqual(in_bash("run", "--format", ""), ["text", "json", "ipynb"])
        self.assertEqual(in_bash("check", "--format", "="), ["text", "json"])
        self.assertEqual(in_bash("check", "--format", "=", "j"), ["json"])
        self.assertEqual(in_bash("compare", "--reference", "bu"), ["built-in"])
        self.assertEqual(in_bash("help", "d"), ["doctor"])

    def test_notebooks_are_offered(self):
        self.assertEqual(sorted(in_bash("check", "--quiet", "attention_")), NOTEBOOKS)

    def test_files_are_offered(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "some file.txt").write_text("")
            self.assertEqual(" ".join(in_bash("run", "--golden", f"{folder}/so")), f"{folder}/some file.txt")


@unittest.skipUnless(shutil.which("fish"), "no fish here")
class Fish(unittest.TestCase):
    def test_completes(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "some.txt").write_text("")
            self.assertEqual(sorted(in_fish("", folder)), sorted(COMMANDS))
            for command in WITH_OPTIONS:
                offered = {word.split("=")[0] for word in in_fish(f"{command} --", folder)}
                self.assertEqual(offered, options_of([command]))
            self.assertEqual(in_fish("check --format ", folder), ["json", "text"])
            self.assertEqual(in_fish("check attention_", folder), NOTEBOOKS)
            self.assertIn("some.txt", in_fish("run --golden so", folder))


@unittest.skipUnless(shutil.which("zsh"), "no zsh here")
class Zsh(unittest.TestCase):
    def test_completes(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "some.txt").write_text("")
            for typed, completed in (("doc", "doctor"), ("check --form", "check --format="),
                                     ("check --format=j", "check --format=json"),
                                     ("run --accept p", "run --accept printed"),
                                     ("compare math", "compare mathematical_trick"),
                                     ("run --golden so", "run --golden some.txt"), ("help si", "help site")):
                self.assertEqual(in_zsh(typed, folder), f"torchbook {completed}")


if __name__ == "__main__":
    sys.exit(unittest.main())
