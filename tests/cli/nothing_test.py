"""Puts programs that do nothing, or only fail, in place of the programs that tests run directly: no test may pass then.

Usage: nothing_test.py CTEST BUILD
"""
import json
import pathlib
import subprocess
import sys

NOTHING = ["/bin/true", "/bin/false"]


def tests(ctest, build):
    """Returns the command of each test that names a program of this build, and those programs."""
    listed = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True).stdout
    programs = {str(path) for path in pathlib.Path(build, "bin").iterdir() if path.is_file() and ".so" not in path.name}
    for test in json.loads(listed)["tests"]:
        command = test.get("command", [])
        if own := programs.intersection(command):
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
