"""Tests that reports neither destroy nor leave files: links, other owners, folders that take no file, signals.

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

# Stands before the C library. `fsync` sends the signal and waits for the end; `rename` fails, or sends it and goes on.
SHIM = r"""
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
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
  if (const int error = asked("ERROR_OF_RENAME")) { errno = error; return -1; }
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
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
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
        os.symlink("/dev/stdout", self.folder / "link")
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1", "link"):
            for option in ("-o", "--junit"):
                with self.subTest(name=name, option=option):
                    self.file.write_text("log\n")
                    with open(self.file, "ab") as log:
                        done = self.check(option, name, *([] if option == "-o" else ["-o", "other"]), stdout=log)
                    self.assertEqual((done.returncode, done.stderr), (0, b""))
                    self.assertTrue(self.written().startswith(b"log\n" + (TITLE if option == "-o" else b"<?xml")))
                    self.assertEqual(self.written().count(TITLE), 1 if option == "-o" else 0)

    def test_of_other_processes_are_refused(self):
        for folder in (f"/proc/{os.getpid()}", f"/proc/{os.getpid()}/task/{os.getpid()}"):
            self.file.write_text("log\n")
            with open(self.file, "ab") as log:
                self.expect_refused(f"cannot write {folder}/fd/{log.fileno()}: it is a descriptor of another process",
                                    "-o", f"{folder}/fd/{log.fileno()}")
            self.assertEqual(self.written(), b"log\n")

    def test_take_one_report(self):
        def both(*names):
            return "{} and {} are both {}; they need a file each".format(*names)

        with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as pipe:
            for arguments, message in ((["-o", "/dev/fd/1", "--junit", "/dev/stdout"], ("--output", "--junit")),
                                       (["-o", "-", "--junit", "/dev/fd/1"], ("stdout", "--junit")),
                                       (["--junit", "/dev/fd/1"], ("stdout", "--junit"))):
                with self.subTest(arguments=arguments):
                    self.expect_refused(both(*message, arguments[-1]), *arguments, stdout=pipe.stdin)
            pipe.stdin.close()
        for arguments in ([], ["-o", "-"]):
            with self.subTest(arguments=arguments), open(self.file, "ab") as log:
                log.write(b"log\n")
                log.flush()
                self.expect_refused(both("stdout", "--junit", "report.txt"), "--junit", "report.txt", *arguments, stdout=log)
                self.assertTrue(self.written().endswith(b"log\n"), self.written())

    def test_that_are_closed_are_refused(self):
        self.expect_refused("cannot read /dev/stdin: Bad file descriptor", "--golden", "-",
                            preexec_fn=lambda: os.close(0))
        self.expect_refused("cannot write /dev/fd/99: Bad file descriptor", "-o", "/dev/fd/99")


class Links(Case):
    def test_that_dangle_get_their_target(self):
        os.symlink("report.txt", self.folder / "link")
        os.mkdir(self.folder / "below")
        os.symlink("../link", self.folder / "below/link")
        self.expect_written(self.check("-o", "below/link"))
        self.assertTrue((self.folder / "link").is_symlink())

    def test_in_a_loop_are_refused(self):
        os.symlink("b", self.folder / "a")
        os.symlink("a", self.folder / "b")
        self.expect_refused("cannot write a: Too many levels of symbolic links", "-o", "a")
        self.assertTrue((self.folder / "a").is_symlink())

    def test_that_are_hard_stay_one_file(self):
        self.file.write_text("old, and longer than the report\n" * 100)
        os.link(self.file, self.folder / "other")
        self.expect_written(self.check("-o", "report.txt"))
        self.assertTrue(os.path.samefile(self.file, self.folder / "other"))


class InPlace(Case):
    def test_where_the_folder_takes_no_file(self):
        self.file.write_text("old\n")
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        self.expect_refused("cannot write new.txt: Permission denied", "-o", "new.txt", preexec_fn=obey_permissions)
        self.expect_written(self.check("-o", "report.txt", preexec_fn=obey_permissions))

    def test_where_a_file_is_mounted(self):
        self.file.write_text("old\n")
        inode = self.file.stat().st_ino
        self.expect_written(self.check("-o", "report.txt", env={**self.library(), "ERROR_OF_RENAME": "16"}))
        self.assertEqual(self.file.stat().st_ino, inode)

    def test_keeps_the_old_text_where_the_new_one_does_not_fit(self):
        self.file.write_text("old\n")
        os.link(self.file, self.folder / "other")
        done = subprocess.run(["/bin/sh", "-c", 'ulimit -f 1; exec "$0" --source both -o report.txt', PROGRAM],
                              cwd=self.folder, stderr=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (2, b"mathematical_trick: cannot write report.txt: File too large\n"))
        self.assertEqual(self.written(), b"old\n")

    def test_keeps_what_may_not_be_written(self):
        self.file.write_text("old\n")
        self.file.chmod(0o444)
        self.expect_refused("cannot write report.txt: Permission denied", "-o", "report.txt",
                            preexec_fn=obey_permissions)
        self.assertEqual(self.written(), b"old\n")


class OwnersAndModes(Case):
    def test_the_owner_stays(self):
        if os.geteuid() != 0:
            message = "OWNERS ARE NOT TESTED: only root can give a file away"
            self.fail(message) if "CI" in os.environ else self.skipTest(message)
        self.file.write_text("old\n")
        os.chown(self.file, 12345, 54321)
        self.expect_written(self.check("-o", "report.txt"))
        self.assertEqual((self.file.stat().st_uid, self.file.stat().st_gid), (12345, 54321))

    def test_set_user_and_set_group_go(self):
        for names in (1, 2):
            self.file.write_text("old\n")
            self.file.chmod(0o6750)
            if names == 2:
                os.link(self.file, self.folder / "other")
            self.expect_written(self.check("-o", "report.txt"))
            self.assertEqual(self.file.stat().st_mode & 0o7777, 0o750)


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

    def test_are_not_the_same_file_behind_a_stream(self):
        message = "{} would overwrite g.txt, which --golden reads; name another file"
        for option, told in (("-o", "--output"), ("--junit", "--junit")):
            with self.subTest(option=option), open(self.folder / "g.txt", "rb") as golden:
                self.expect_refused(message.format(told), "--golden", "-", option, "g.txt", stdin=golden)
        for arguments in ([], ["-o", "-"]):
            with self.subTest(arguments=arguments), open(self.folder / "g.txt", "ab") as log:
                self.expect_refused(message.format("stdout"), "--golden", "g.txt", *arguments, stdout=log)
        self.assertEqual(self.written("g.txt"), self.text)

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
