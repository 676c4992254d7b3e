"""Tests that memory that runs out is told in one line. The limit of a program is set while it waits for its input, a
little above what it has then, so the test does not depend on how much LibTorch takes on this machine. Nothing computes under
a limit here: an OpenBLAS that gets no memory asks for it again without end.

Usage: memory_test.py BIN TORCHBOOK_CELLS: the folder of the programs, and the build's program.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import unittest

CELLS = pathlib.Path(sys.argv.pop()).resolve()
BIN = pathlib.Path(sys.argv.pop()).resolve()
MIB = 1 << 20
RAN_OUT = "the memory ran out; smaller inputs or fewer notebooks at once need less\n"


def size_of(process):
    """Returns the bytes of a process's address space."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmSize:")[2].split()[0]) * 1024


class Memory(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        os.mkfifo(self.folder / "much")

    def pipe_to(self, process):
        """Waits until the pipe is opened for reading. Returns its end for writing."""
        while process.poll() is None:
            try:
                writer = os.open(self.folder / "much", os.O_WRONLY | os.O_NONBLOCK)
                os.set_blocking(writer, True)
                return writer
            except OSError:
                time.sleep(0.02)
        self.fail(process.communicate()[1])

    def run_out(self, *command, room, text):
        """Runs a program that reads `text` from the pipe `much`. By then it can take `room` bytes more. Returns its
        exit code, its stdout and the last line of its stderr, which may have progress before that."""
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "OMP_NUM_THREADS": "1"})
        try:
            with open(self.pipe_to(process), "wb") as pipe:
                limit = size_of(process.pid) + room
                resource.prlimit(process.pid, resource.RLIMIT_AS, (limit, limit))
                pipe.write(text)
        except BrokenPipeError:
            pass
        out, err = process.communicate()
        lines = [line for line in err.splitlines(True) if " s, waiting for " not in line]
        return process.returncode, out, lines

    def test_by_a_golden(self):
        done = self.run_out(BIN / "torchbook", "check", "mathematical_trick", "--golden", "much", room=32 * MIB,
                            text=b"> 1\n" * (15 * MIB))
        self.assertEqual(done, (2, "", ["torchbook: " + RAN_OUT]))

    def test_by_a_port_while_building(self):
        done = self.run_out(CELLS, "book", "book.txt", "much", "/dev/null", "", "", "made.cpp", room=16 * MIB,
                            text=b"// a\n" * (8 * MIB))
        self.assertEqual(done, (1, "", ["torchbook-cells: " + RAN_OUT]))


if __name__ == "__main__":
    unittest.main()
