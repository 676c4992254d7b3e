"""Tests what bash offers for the words of torchbook's command line.

Usage: completion_test.py BIN: the folder of the programs.
"""
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(sys.argv.pop()).resolve()
ENVIRONMENT = dict(os.environ, PATH=f"{BIN}:{os.environ['PATH']}")
COMMANDS = "run check compare golden list doctor new import watch carry part site seed regression help".split()


def output(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=True, env=ENVIRONMENT).stdout


def options_of(command):
    """Returns the long options that the help of a command shows."""
    lines = re.findall(r"^ +(-.*?)(?:  |$)", output("torchbook", *command, "--help"), re.MULTILINE)
    return set(re.findall(r"--[a-z][\w-]*", "\n".join(lines)))


def offered(*words):
    """Returns what bash offers for the last word. Where that is nothing, readline completes names of files."""
    script = f'. {ROOT}/src/torchbook/cli/torchbook.bash; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _torchbook; ' \
             'printf "%s\\n" "${COMPREPLY[@]}"'
    return output("bash", "-c", script, "bash", "torchbook", *words).split()


class Bash(unittest.TestCase):
    def test_commands_and_options_are_offered(self):
        self.assertEqual(offered(""), COMMANDS)
        self.assertEqual({word for word in offered("-") if word.startswith("--")}, options_of([]))
        for command in ("run", "compare", "seed"):
            self.assertEqual({word for word in offered(command, "-") if word.startswith("--")}, options_of([command]))

    def test_values_are_offered(self):
        self.assertEqual(offered("run", "--format", ""), ["text", "json", "ipynb"])
        self.assertEqual(offered("check", "--format", "="), ["text", "json"])
        self.assertEqual(offered("check", "--format", "=", "j"), ["json"])
        self.assertEqual(offered("compare", "--reference", "bu"), ["built-in"])
        self.assertEqual(offered("help", "d"), ["doctor"])

    def test_notebooks_are_offered(self):
        self.assertEqual(sorted(offered("check", "--quiet", "attention_")), ["attention_as_alignment", "attention_by_hand"])

    def test_files_are_left_to_readline(self):
        for words in (("run", "--golden", "so"), ("check", "-o", ""), ("import", ""), ("compare", "--timeout", "3")):
            self.assertEqual(offered(*words), [])
        told = output("bash", "-c", f". {ROOT}/src/torchbook/cli/torchbook.bash; complete -p torchbook")
        self.assertEqual(told, "complete -o default -F _torchbook torchbook\n")


if __name__ == "__main__":
    sys.exit(unittest.main())
