"""Puts programs that do nothing, or only fail, in place of the programs that tests run directly: no test may pass then.

Usage: nothing_test.py CTEST BUILD
"""
import json
import pathlib
import subprocess
import sys
import tempfile

NOTHING = ["/bin/true", "/bin/false"]


def tests(ctest, build):
    """Returns the command of each test that only runs a program of this build, and that program. CTest lists the tests in a folder of its own, because it would overwrite the log of the run in progress."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "CTestTestfile.cmake").write_text(f'subdirs("{build}")\n')
        listed = subprocess.run([ctest, "--show-only=json-v1"], cwd=folder, check=True, capture_output=True).stdout
    programs = {str(path) for path in pathlib.Path(build, "bin").iterdir() if path.is_file() and ".so" not in path.name}
    for test in json.loads(listed)["tests"]:
        command = test.get("command", [])
        own = programs.intersection(command)
        if own and command[1].endswith("/must_print.sh"):
            yield test["name"], command, own


def passes(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False)
    return done.returncode == 0


def main():
    ctest, build = sys.argv[1:]
    tried = wrong = 0
    for name, command, programs in tests(ctest, str(pathlib.Path(build).resolve())):
        for nothing in NOTHING:
            tried += 1
            if passes([nothing if word in programs else word for word in command]):
                wrong += 1
                print(f"{name} passes with {nothing} in place of {', '.join(sorted(programs))}")
    print(f"{tried} tests of programs that do nothing: {wrong} pass")
    return 1 if wrong or tried < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
