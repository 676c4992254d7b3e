"""Tests that reports neither destroy nor leave files: descriptors, links, what may not be written, signals.

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

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support/warm"))
import warm_programs

PROGRAM = pathlib.Path(sys.argv[1]).resolve() / "mathematical_trick"
CXX = sys.argv[2]
TITLE = b"== mathematical_trick, from 004_dc603b281e79ef93.txt\n"
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1

# Stands before the C library. `fsync` sends the signal and waits for the end; `rename` sends it and goes on.
SHIM = r"""
#include <csignal>
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>
static int asked(const char* variable) { const char* text = std::getenv(variable); return text ? std::atoi(text) : 0; }
extern "C" int fsync(int) {
  const int number = asked("SIGNAL_IN_FSYNC");
  if (number == 0) return 0;
  ::kill(::getpid(), number);
  for (;;) ::pause();
}
extern "C" int rename(const char* from, const char* to) noexcept {
  // To this thread, where it waits for the end of the renaming: another may take it later than the program ends.
  if (const int number = asked("SIGNAL_IN_RENAME")) std::raise(number);
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
        """Starts the program itself if this process must be prepared for it, which a server does not see."""
        program = PROGRAM if "preexec_fn" in options else warm_programs.program(PROGRAM)
        return subprocess.run([program, "--check", *arguments], cwd=self.folder, stderr=subprocess.PIPE,
                              **{"stdout": subprocess.DEVNULL, "check": False, **options})

    def written(self, name="report.txt"):
        return (self.folder / name).read_bytes()

    def expect_written(self, done, name="report.txt"):
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue(self.written(name).startswith(TITLE), self.written(name)[:100])
        self.assertTrue(self.written(name).endswith(b"12 outputs: 12 equal\n"))
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


class Descriptors(Case):
    def test_are_appended_to_as_they_were_opened(self):
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            for option in ("-o", "--junit"):
                with self.subTest(name=name, option=option):
                    self.file.write_text("log\n")
                    with open(self.file, "ab") as log:
                        done = self.check(option, name, *([] if option == "-o" else ["-o", "other"]), stdout=log)
                    self.assertEqual((done.returncode, done.stderr), (0, b""))
                    self.assertTrue(self.written().startswith(b"log\n" + (TITLE if option == "-o" else b"<?xml")))
                    self.assertEqual(self.written().count(TITLE), 1 if option == "-o" else 0)

    def test_that_are_closed_are_refused(self):
        self.expect_refused("cannot read /dev/stdin: Bad file descriptor", "--golden", "-",
                            preexec_fn=lambda: os.close(0))
        self.expect_refused("cannot write /dev/fd/99: No such file or directory", "-o", "/dev/fd/99")


class Links(Case):
    def test_stay_and_lead_to_the_new_text(self):
        self.file.write_text("old\n")
        os.mkdir(self.folder / "below")
        os.symlink("../report.txt", self.folder / "below/link")
        self.expect_written(self.check("-o", "below/link"))
        self.assertTrue((self.folder / "below/link").is_symlink())
        self.assertEqual(os.listdir(self.folder / "below"), ["link"])

    def test_in_a_loop_are_refused(self):
        os.symlink("b", self.folder / "a")
        os.symlink("a", self.folder / "b")
        self.expect_refused("cannot write a: Too many levels of symbolic links", "-o", "a")
        self.assertTrue((self.folder / "a").is_symlink())


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
    def test_leave_the_old_file_and_no_other(self):
        environment = self.library()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                self.file.write_text("old\n")
                done = self.check("-o", "report.txt", env={**environment, "SIGNAL_IN_FSYNC": str(int(number))})
                self.assertEqual((done.returncode, done.stderr), (-number, b""))
                self.assertEqual(self.written(), b"old\n")
                self.expect_no_other_file()

    def test_while_it_is_renamed_leave_no_other_file(self):
        done = self.check("-o", "report.txt", env={**self.library(), "SIGNAL_IN_RENAME": str(int(signal.SIGTERM))})
        self.assertEqual(done.returncode, -signal.SIGTERM)
        self.assertTrue(self.written().endswith(b"12 outputs: 12 equal\n"))
        self.expect_no_other_file()

    def test_that_are_ignored_are_ignored(self):
        environment = {**self.library(), "SIGNAL_IN_RENAME": str(int(signal.SIGHUP))}
        self.expect_written(self.check("-o", "report.txt", env=environment,
                                       preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)))


class InAndOut(Case):
    def setUp(self):
        super().setUp()
        text = (ROOT / "notebooks_ported/mathematical_trick.golden").read_text()
        (self.folder / "g.txt").write_text(text)
        os.link(self.folder / "g.txt", self.folder / "hard")
        os.symlink("g.txt", self.folder / "soft")
        self.text = text.encode()

    def test_are_not_the_same_file(self):
        for name in ("g.txt", "./g.txt", "hard", "soft"):
            for option, told in (("-o", "--output"), ("--junit", "--junit")):
                with self.subTest(name=name, option=option):
                    self.expect_refused(f"{told} would overwrite {name}, which --golden reads; name another file",
                                        "--golden", "g.txt", option, name)
                    self.assertEqual(self.written("g.txt"), self.text)
        self.expect_refused("--output and --junit are both hard; they need a file each", "-o", "g.txt", "--junit", "hard")
        self.expect_written(self.check("--golden", "g.txt", "-o", "report.txt"))

    def test_are_not_the_same_file_of_a_comparison(self):
        torchbook = PROGRAM.parent / "torchbook"
        (self.folder / "mathematical_trick.json").write_text("kept\n")
        for arguments in (["--reference", ".", "-o", "mathematical_trick.json"],
                          ["--record", ".", "--junit", "mathematical_trick.json"],
                          ["--twins", ".", "-o", "mathematical_trick.py"]):
            with self.subTest(arguments=arguments):
                done = subprocess.run([torchbook, "compare", "mathematical_trick", *arguments], cwd=self.folder,
                                      stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(self.written("mathematical_trick.json"), b"kept\n")
                self.assertRegex(done.stderr.decode(), "^torchbook: --.* (would overwrite|are both) .*\n$")

    def test_a_recording_is_not_replaced_by_what_is_none(self):
        (self.folder / "mathematical_trick.json").write_text("kept\n")
        python = self.folder / "python"
        python.write_text("""#!/bin/sh\necho '{"ready": true}' >&3\necho '{"mathematical_trick": {}}' >&3\n""")
        python.chmod(0o755)
        done = subprocess.run([PROGRAM.parent / "torchbook", "compare", "mathematical_trick", "--python", python,
                               "--record", "."], cwd=self.folder, capture_output=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(self.written("mathematical_trick.json"), b"kept\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
