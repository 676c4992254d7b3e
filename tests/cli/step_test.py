"""Tests `--step` in a pseudo-terminal: its keys, its screens, and that it always restores the terminal.

Usage: step_test.py BIN: the folder of the programs.
"""
import array
import contextlib
import fcntl
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import termios
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import programs
from terminal import SGR, Terminal

BIN = sys.argv[1]
PROGRAM = f"{BIN}/mathematical_trick"
SUMMARY = "1 notebook, 14 cells, 12 outputs: 12 equal\n"


def step(*arguments, program=PROGRAM, **options):
    return Terminal([program, *arguments, "--step"], **options)


class Keys(unittest.TestCase):
    def test_any_key_goes_on(self):
        with step("--source", "none") as terminal:
            terminal.wait_for("@1 of 14, In .62., no-output")
            for position, key in enumerate([" ", "\r", "n", "\x1b[C", "\x1b[B", "\x1bOC", "x", "\x1b[6~"], start=2):
                terminal.press(key, f"@{position} of 14")

    def test_back_is_back(self):
        with step("--source", "none") as terminal:
            terminal.wait_for("@1 of 14")
            terminal.press("7\r", "@7 of 14")
            for position, key in zip([6, 5, 4, 3, 2], ["b", "k", "\x1b[D", "\x7f", "\x1b[A"]):
                terminal.press(key, f"@{position} of 14")
            terminal.press("g", "@1 of 14")
            terminal.press("b", "@1 of 14.*this is the first cell")
            terminal.press("G", "@14 of 14")
            terminal.press("\x1b[H", "@1 of 14")
            terminal.press("\x1b[F", "@14 of 14")
            terminal.press("\x1b[5~", "@13 of 14")
            terminal.press("\x1b[4~", "@14 of 14")

    def test_a_number_jumps(self):
        with step("--source", "none") as terminal:
            terminal.wait_for("@1 of 14")
            terminal.press("1", "to @1$")
            terminal.press("2", "to @12$")
            terminal.press("\x7f", "to @1$")
            terminal.press("0g", "@10 of 14, In .45., equal")
            terminal.press("99\r", "@10 of 14.*there is no cell @99 here")
            terminal.press("3\x1b[C", "@11 of 14")  # another key forgets the number
            terminal.press("5\r", "@5 of 14")

    def test_escape_forgets_a_number(self):
        with step("--source", "none") as terminal:
            terminal.wait_for("@1 of 14")
            terminal.press("1", "to @1$")
            terminal.press("\x1b", "@1 of 14.*help, q quit$")
            terminal.press("2\r", "@2 of 14")
            terminal.type("\x1b")
            self.assertEqual(terminal.end(), 0)

    def test_a_key_that_is_none_does_nothing(self):
        with step("--source", "none") as terminal:
            terminal.wait_for("@1 of 14")
            terminal.press("\x1b[15~", "@1 of 14")
            terminal.press("\x1bx", "@1 of 14")
            terminal.press("n", "@2 of 14")

    def test_help_is_shown_until_the_next_key(self):
        with step() as terminal:
            terminal.wait_for("@1 of 14, .*\\? help, q quit")
            screen = terminal.press("?", "press any key to continue")
            self.assertIn("  q  Esc  Ctrl-D  quit", screen)
            terminal.press("q", "@1 of 14")

    def test_several_notebooks_follow_each_other(self):
        with step("run", "--source", "none", program=f"{BIN}/torchbook") as terminal:
            terminal.wait_for("attention_by_hand @1 of 39")
            terminal.press("39\r", "attention_by_hand @39 of 39")
            terminal.press("n", "keys_queries_values @1 of 53")
            terminal.press("53\r", "keys_queries_values @53 of 53")
            terminal.press("G", "mathematical_trick @14 of 14")
            terminal.type("q")
            self.assertEqual(terminal.end(), 0)
            self.assertEqual(terminal.after_screen(), programs.summary_of_equal())


class Screen(unittest.TestCase):
    def test_shows_a_cell_as_the_transcript_does(self):
        transcript = subprocess.run([PROGRAM], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True,
                                    universal_newlines=True).stdout
        with step(rows=60) as terminal:
            terminal.wait_for("@1 of 14")
            shown = ""
            for position in range(1, 15):
                screen = terminal.wait_for(f"@{position} of 14")
                shown += "\n" + "\n".join(screen[:-1]) + "\n"
                if position < 14:
                    terminal.press("n", f"@{position + 1} of 14")
        title, _, cells = transcript.partition("\n")
        self.assertEqual(title, "== mathematical_trick, from 004_dc603b281e79ef93.txt")
        # Lines that are wider than the screen are broken between words.
        self.assertEqual(shown.split(), cells.rpartition("\n\n")[0].split())

    def test_shows_the_cells_asked_for(self):
        with step("--cell", "26", "--cell", "@11", "--source", "both", "--heatmap") as terminal:
            self.assertEqual(terminal.wait_for("@7 of 14, In .26., equal"), [
                "In [26]:", "  C++", "    nb.display(torch::tril(torch::ones({3, 3})));  // (3, 3)", "  PyTorch",
                "    torch.tril(torch.ones(3, 3))", "", "tensor([[1., 0., 0.],", "        [1., 1., 0.],",
                "        [1., 1., 1.]])", "", "# Heatmap of (3, 3), torch.float32", "   1  0  0 ", "   1  1  0 ",
                "   1  1  1 ", "  lowest 0 │                │ highest 1",
                "mathematical_trick @7 of 14, In [26], equal    ? help, q quit"])
            terminal.press("1\r", "there is no cell @1 here")
            terminal.press("n", "@11 of 14")
            terminal.type("q")
            self.assertEqual(terminal.end(), 0)

    def test_a_long_cell_has_pages(self):
        with step("--source", "none", "--cell", "@9", rows=6) as terminal:
            first = terminal.wait_for("@9 of 14, In .40., equal, page 1 of 3")
            self.assertEqual(len(first), 6)
            second = terminal.press("n", "page 2 of 3")
            third = terminal.press("n", "page 3 of 3")
            terminal.press("b", "page 2 of 3")
            whole = subprocess.run([PROGRAM, "--source", "none", "--cell", "@9"], stdin=subprocess.DEVNULL, check=True,
                                   stdout=subprocess.PIPE, universal_newlines=True).stdout
            self.assertEqual("\n".join(first[:-1] + second[:-1] + third[:-1]),
                             whole.split("\n\n", 1)[1].rpartition("\n\n")[0])

    def test_a_narrow_terminal_breaks_no_word(self):
        words = subprocess.run([PROGRAM], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True,
                               universal_newlines=True).stdout.split()
        with step("--golden", os.path.join(ROOT, "notebooks_ported/mathematical_trick.golden"), rows=60, columns=40) as terminal:
            for position in range(1, 15):
                screen = terminal.wait_for(f"^@{position} of 14")
                self.assertLessEqual(len(screen[-1]), 39)
                for line in screen[:-1]:
                    self.assertTrue(len(line) <= 40 or " " not in line.strip(), line)
                    self.assertLessEqual(set(line.split()), {*words})
                if position < 14:
                    terminal.press("n", f"@{position + 1} of 14")
            terminal.press("9", "^@14 of 14.*    to @9$")
            terminal.press("9\r", "^@14 of 14.*    there is no cell @99 here$")
            self.assertLessEqual(len(terminal.screen()[-1]), 39)
            for line in terminal.press("?", "press any key to continue"):
                self.assertLess(len(line), 40)

    def test_a_resized_terminal_is_drawn_anew(self):
        with step("--source", "both", "--cell", "26") as terminal:
            self.assertIn("  C++", terminal.wait_for("@7 of 14"))
            terminal.written = ""
            terminal.resize(24, 120)
            self.assertIn("    nb.display(torch::tril(torch::ones({3, 3})));  // (3, 3)        torch.tril(torch.ones(3, 3))",
                          terminal.wait_for("@7 of 14"))

    def test_no_colour_where_none_is_wanted(self):
        arguments = ["--source", "both", "--heatmap", "--cell", "26"]
        with step(*arguments, NO_COLOR="1") as terminal:
            plain = terminal.wait_for("@7 of 14")
            self.assertEqual(SGR.findall(terminal.written), [])
        with step(*arguments) as terminal:
            self.assertNotEqual(terminal.wait_for("@7 of 14"), plain)  # colours instead of shades
            for code in ("36", "94", "2", "7", "48;5;231;38;5;16"):
                self.assertIn(f"\x1b[{code}m", terminal.written)


class End(unittest.TestCase):
    def start(self, *arguments, **options):
        terminal = step("--source", "none", *arguments, **options)
        self.addCleanup(terminal.__exit__)
        terminal.wait_for("@1 of")
        self.assertFalse(termios.tcgetattr(terminal.slave)[3] & (termios.ICANON | termios.ECHO))
        return terminal

    def finish(self, terminal, code):
        self.assertEqual(terminal.end(), code)
        self.assertTrue(terminal.is_as_before())
        self.assertEqual(terminal.written.count("\x1b[?25h\x1b[?1049l"), 1)

    def test_quitting_shows_the_summary(self):
        for key in ("q", "\x1b", "\x04"):
            with self.subTest(key=key):
                terminal = self.start()
                terminal.type(key)
                self.finish(terminal, 0)
                self.assertEqual(terminal.after_screen(), SUMMARY)

    def test_the_last_cell_stays_until_the_user_quits(self):
        terminal = self.start()
        terminal.press("G", "@14 of 14")
        terminal.press(" ", "@14 of 14.*this is the last cell")
        terminal.press(" ", "@14 of 14.*this is the last cell")
        terminal.type("q")
        self.finish(terminal, 0)
        self.assertEqual(terminal.after_screen(), SUMMARY)

    def test_control_c(self):
        terminal = self.start()
        terminal.type("\x03")
        self.finish(terminal, 128 + signal.SIGINT)
        self.assertEqual(terminal.after_screen(), "")

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(signal=number):
                terminal = self.start()
                os.kill(terminal.pid, number)
                self.finish(terminal, 128 + number)

    def test_control_z_gives_the_terminal_back_for_a_while(self):
        script = '"$0" --source none --step; echo "stopped $?"; read go; fg >/dev/null; echo "code $?"'
        with Terminal(["/bin/sh", "-mc", script, PROGRAM]) as terminal:
            terminal.wait_for("@1 of 14")
            terminal.written = ""
            terminal.type("\x1a")
            while f"stopped {128 + signal.SIGTSTP}" not in terminal.written:
                terminal.read(0.1)
            self.assertTrue(terminal.is_as_before())
            self.assertIn("\x1b[?25h\x1b[?1049l", terminal.written)
            terminal.press("\n", "@1 of 14")
            terminal.press("n", "@2 of 14")
            terminal.type("q")
            self.assertEqual(terminal.end(), 0)
            self.assertTrue(terminal.after_screen().endswith("\ncode 0\n"), terminal.after_screen())
            self.assertTrue(terminal.is_as_before())

    def test_a_difference(self):
        with open(os.path.join(ROOT, "notebooks_ported/mathematical_trick.golden"), encoding="utf-8") as golden, \
                tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as changed:
            changed.write(golden.read().replace("4.6667", "4.6668"))
            changed.flush()
            terminal = self.start("--golden", changed.name)
            terminal.press("10\r", "@10 of 14, In .45., different")
            terminal.type("q")
            self.finish(terminal, 1)
            self.assertIn("    here            [4.6667, 5.3333]])\n", SGR.sub("", terminal.after_screen()))

    def test_a_cell_that_threw(self):
        terminal = self.start(program=f"{BIN}/throwing")
        screen = terminal.press("n", "@2 of 3, In .5., threw")
        self.assertTrue(any(line.startswith("threw: mat1 and mat2") for line in screen), screen)
        terminal.type("q")
        self.finish(terminal, 3)


class Blocked(unittest.TestCase):
    """The terminal takes no output, or belongs to another program."""

    def test_signals_while_nobody_reads(self):
        """Ctrl-S does the same to the terminal as a full buffer, but this one takes nothing from the first byte on."""
        for stop in (termios.TCOOFF, None):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(signal=number, stop=stop):
                    terminal = step("--source", "none")
                    self.addCleanup(terminal.__exit__)
                    terminal.wait_for("@1 of")
                    if stop is not None:
                        termios.tcflow(terminal.slave, stop)
                    else:
                        os.set_blocking(terminal.slave, False)
                        with contextlib.suppress(BlockingIOError):
                            while True:
                                os.write(terminal.slave, b"x" * 1000)
                        os.set_blocking(terminal.slave, True)
                    os.write(terminal.master, b" ")  # draws the next cell, which does not get through
                    while self.keys_left(terminal):
                        pass
                    os.kill(terminal.pid, number)
                    self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(terminal.pid, 0)[1]), 128 + number)
                    terminal.pid = 0
                    self.assertTrue(terminal.is_as_before())

    @staticmethod
    def keys_left(terminal):
        """Returns whether the program has not yet read all that was typed."""
        waiting = array.array("i", [0])
        fcntl.ioctl(terminal.slave, termios.FIONREAD, waiting)
        return waiting[0] != 0

    def test_in_the_background_it_writes_nothing(self):
        script = ('"$0" --source none --step & wait $!; echo "stopped $?"; read go; fg >/dev/null; echo "code $?"')
        with Terminal(["/bin/bash", "-mc", script, PROGRAM]) as terminal:
            while f"stopped {128 + signal.SIGTTOU}" not in terminal.written:
                terminal.read(0.1)
            self.assertNotIn("\x1b", terminal.written)
            self.assertTrue(terminal.is_as_before())
            terminal.press("\n", "@1 of 14")
            terminal.type("q")
            self.assertEqual(terminal.end(), 0)
            self.assertTrue(terminal.after_screen().endswith("\ncode 0\n"), terminal.after_screen())

    def test_in_the_background_without_a_shell_that_waits_it_is_refused(self):
        script = 'trap "" TTOU; "$0" --step & wait $!; echo "code $?"'
        with Terminal(["/bin/bash", "-mc", script, PROGRAM]) as terminal:
            self.assertEqual(terminal.end(), 0)
            self.assertIn("mathematical_trick: --step reads the terminal, so it does not run in the background; fg "
                          "brings it back\r\n", terminal.written)
            self.assertIn("code 2\r\n", terminal.written)
            self.assertNotIn("\x1b", terminal.written)


class Refusals(unittest.TestCase):
    def refuse(self, terminal, message):
        with terminal:
            self.assertEqual(terminal.end(), 2)
            self.assertEqual(terminal.written.replace("\r\n", "\n"), f"mathematical_trick: {message}\n")
            self.assertTrue(terminal.is_as_before())

    def test_without_a_terminal(self):
        message = ("mathematical_trick: --step needs a terminal for its keys and its cells; without --step all cells "
                   "are shown at once\n")
        for redirection in ("</dev/null", ">/dev/null", "| cat"):
            with self.subTest(redirection=redirection):
                with Terminal(["/bin/sh", "-c", f'"$0" --step {redirection}', PROGRAM]) as terminal:
                    code = terminal.end()
                    self.assertEqual(code, 0 if redirection == "| cat" else 2)
                    self.assertEqual(terminal.written.replace("\r\n", "\n"), message)

    def test_a_dumb_terminal(self):
        self.refuse(step(TERM="dumb"), "--step draws on the terminal, but TERM says that this one cannot; without --step "
                                       "all cells are shown at once")


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
