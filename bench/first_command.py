#!/usr/bin/env python3
"""Measures the first command of a newcomer, `./torchbook run`, in a copy of this clone that has never been built, without
a compiler cache: the packages that it asks for, the steps of its build, and the processor time of all of it."""
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASIC = {"g++", "cmake", "ninja-build"}


def asked_packages():
    """Returns the Debian packages of the core that are neither compiler nor build tool."""
    lines = (line.split() for line in (ROOT / "cmake/debian-packages").read_text().splitlines())
    return ["libtorch-dev", *(words[1] for words in lines if words[:1] == ["core"] and words[1] not in BASIC)]


def main():
    packages = asked_packages()
    print(f"{len(packages)} packages beside {', '.join(sorted(BASIC))}: {' '.join(packages)}")
    with tempfile.TemporaryDirectory(prefix="torchbook-bench-") as folder:
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
        for file in files.rstrip("\0").split("\0"):
            pathlib.Path(folder, file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, pathlib.Path(folder, file))
        subprocess.run(["./torchbook", "run"], cwd=folder, stdout=subprocess.DEVNULL, check=True,
                       env=dict(os.environ, CCACHE_DISABLE="1", TORCHBOOK_PRESET="release"))
        log = pathlib.Path(folder, "build/release-setup.log").read_text()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    steps = re.findall(r"^\[\d+/(\d+)\] ", log, re.MULTILINE)
    print(f"{steps[-1]} steps, {used.ru_utime + used.ru_stime:.0f} s of processor time")


if __name__ == "__main__":
    main()
