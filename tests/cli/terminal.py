"""Runs a program in a pseudo-terminal, which types keys and reads screens."""
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

LIMIT = 600  # seconds until a missing output is a failure
CLEAR = "\x1b[H\x1b[2J"
SGR = re.compile("\x1b\\[[0-9;]*m")


class Terminal:
    """Runs `command` on a terminal of its own. The slave side stays open here, so that the terminal's final settings
    can be read after the program ended."""

    def __init__(self, command, rows=24, columns=80, **variables):
        self.master, self.slave = pty.openpty()
        self.resize(rows, columns)
        self.settings = termios.tcgetattr(self.slave)
        self.written = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("NO_COLOR", "COLORTERM", "COLUMNS", "LINES")}
        environment.update({"TERM": "xterm", **variables})
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for descriptor in range(3):
                os.dup2(self.slave, descriptor)
            for number in (signal.SIGINT, signal.SIGQUIT):  # a shell in the background ignores these
                signal.signal(number, signal.SIG_DFL)
            os.execve(command[0], command, environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.master)
        os.close(self.slave)

    def resize(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            self.written += self.decoder.decode(os.read(self.master, 1 << 16))

    def screen(self):
        """Returns what was drawn last, without colours, as lines. The status line is the last."""
        return SGR.sub("", self.drawn()).replace("\r\n", "\n").split("\n")

    def drawn(self):
        return re.sub("\x1b\\[[0-9]+;1H", "", self.written.rpartition(CLEAR)[2])

    def wait_for(self, pattern):
        """Reads until the status line matches the regular expression. Returns the screen."""
        end = time.monotonic() + LIMIT
        while not re.search(pattern, self.screen()[-1]):
            assert time.monotonic() < end, f"no {pattern!r} on the last line of\n{self.written!r}"
            self.read(0.1)
        return self.screen()

    def press(self, keys, pattern):
        """Types keys, and reads until a new screen has such a status line."""
        self.written = ""
        os.write(self.master, keys.encode())
        return self.wait_for(pattern)

    def type(self, keys):
        os.write(self.master, keys.encode())

    def end(self):
        """Waits until the program ends. Returns its exit code, or 128 plus the number of the signal that killed it."""
        limit = time.monotonic() + LIMIT
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                break
            assert time.monotonic() < limit, f"it does not end; {self.written!r}"
            self.read(0.05)
        while select.select([self.master], [], [], 0)[0]:
            self.read(0)
        self.pid = 0
        return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)

    def is_as_before(self):
        return termios.tcgetattr(self.slave) == self.settings

    def after_screen(self):
        """Returns what was written after the program left the alternate screen."""
        return self.written.rpartition("\x1b[?1049l")[2].replace("\r\n", "\n")
