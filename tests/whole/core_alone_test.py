"""Tests that the core and its tests are built without the tools: nothing of them is compiled, and no test names them.

Usage: core_alone_test.py CMAKE SOURCE ARGUMENT…, with the arguments that configure a build
"""
import json
import pathlib
import subprocess
import sys
import tempfile

TOOLS = ("torchbook-import", "torchbook-part", "torchbook-site", "torchbook-seed", "torchbook-regression", "libtorchbook_trace",
         "/src/tools/", "/tests/tools/", "/suites/")


def printed(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return done.stdout


def main():
    cmake, source, *arguments = sys.argv[1:]
    with tempfile.TemporaryDirectory() as build:
        printed(cmake, "-S", source, "-B", build, "-DTORCHBOOK_TOOLS=", *arguments)
        steps = printed("ninja", "-C", build, "-t", "commands", "torchbook_programs", "tests/all", "examples/all").splitlines()
        listed = json.loads(printed(pathlib.Path(cmake).with_name("ctest"), "--test-dir", build, "--show-only=json-v1"))
    commands = [" ".join(test["command"]) for test in listed["tests"]]
    assert len(steps) > 50 and len(commands) > 150, (len(steps), len(commands))
    wrong = [line for line in steps + commands for tool in TOOLS if tool in line]
    print("\n".join(wrong) or f"{len(steps)} steps and {len(commands)} tests need no tool")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
