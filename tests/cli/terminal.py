"""Runs a program in a pseudo-terminal."""
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

LIMIT = 600  # seconds until a program that does not end is a failure
SGR = re.compile("\x1b\\[[0-9;]*m")


class Terminal:
    """Runs `command` on a terminal of its own."""

    def __init__(self, command, rows=24, columns=80, **variables):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
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
            os.execve(command[0], command, environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.master)
        os.close(self.slave)

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            self.written += self.decoder.decode(os.read(self.master, 1 << 16))

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
