"""Tests `--step` on a terminal that takes no output, and on one that belongs to another program.

Usage: blocked_test.py BIN: the folder of the programs.
"""
import array
import contextlib
import fcntl
import os
import signal
import sys
import termios
import unittest

from terminal import Terminal

PROGRAM = f"{sys.argv[1]}/mathematical_trick"


class Blocked(unittest.TestCase):
    def test_signals_while_nobody_reads(self):
        """Ctrl-S does the same to the terminal as a full buffer, but this one takes nothing from the first byte on."""
        for stop in (termios.TCOOFF, None):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(signal=number, stop=stop):
                    terminal = Terminal([PROGRAM, "--source", "none", "--step"])
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
