"""Tests that reports neither destroy nor leave files that may not be written, or when signals come. output.cases has the rest.

Usage: files_test.py BIN CXX: the folder of the programs, and a C++ compiler.
"""
import ctypes
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve() / "mathematical_trick"
CXX = sys.argv[2]
TITLE = b"== mathematical_trick, from 004_dc603b281e79ef93.txt\n"
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1

# Stands before the C library. Writing a file ends by `rename`, which sends the signal and goes on.
SHIM = r"""
#include <csignal>
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>
extern "C" int rename(const char* from, const char* to) noexcept {
  // To this thread, where it waits for the end of the renaming: another may take it later than the program ends.
  std::raise(std::atoi(std::getenv("SIGNAL")));
  return static_cast<int>(::syscall(SYS_rename, from, to));
}
"""


def obey_permissions():
    """Makes root obey the permissions of files, as anybody else does."""
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) != 0:
        os._exit(99)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.file = self.folder / "report.txt"

    def check(self, *arguments, **options):
        return subprocess.run([PROGRAM, "--check", *arguments], cwd=self.folder, stderr=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, check=False, **options)

    def written(self):
        return self.file.read_bytes()

    def expect_written(self, done):
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue(self.written().startswith(TITLE), self.written()[:100])
        self.assertTrue(self.written().endswith(b"12 outputs: 12 equal\n"))
        self.expect_no_other_file()

    def expect_no_other_file(self):
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".torchbook")], [])

    def expect_refused(self, message, *arguments, **options):
        done = self.check(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr.decode()), (2, f"mathematical_trick: {message}\n"))
        self.expect_no_other_file()

    def library(self):
        source = self.folder / "shim.cpp"
        source.write_text(SHIM)
        subprocess.run([CXX, "-shared", "-fPIC", "-o", self.folder / "shim.so", source], check=True)
        return {**os.environ, "LD_PRELOAD": str(self.folder / "shim.so")}


class Refused(Case):
    def setUp(self):
        super().setUp()
        self.file.write_text("old\n")

    def tearDown(self):
        self.assertEqual(self.written(), b"old\n")

    def test_where_the_folder_takes_no_file(self):
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        for name in ("new.txt", "report.txt"):
            self.expect_refused(f"cannot write {name}: Permission denied", "-o", name, preexec_fn=obey_permissions)

    def test_keeps_what_may_not_be_written(self):
        self.file.chmod(0o444)
        self.expect_refused("cannot write report.txt: Permission denied", "-o", "report.txt",
                            preexec_fn=obey_permissions)


class Signals(Case):
    def test_while_it_is_written_leave_a_whole_file_and_no_other(self):
        environment = self.library()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                self.file.write_text("old\n")
                done = self.check("-o", "report.txt", env={**environment, "SIGNAL": str(int(number))})
                self.assertEqual((done.returncode, done.stderr), (-number, b""))
                self.assertTrue(self.written().endswith(b"12 outputs: 12 equal\n"))
                self.expect_no_other_file()

    def test_that_are_ignored_are_ignored(self):
        environment = {**self.library(), "SIGNAL": str(int(signal.SIGHUP))}
        self.expect_written(self.check("-o", "report.txt", env=environment,
                                       preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
