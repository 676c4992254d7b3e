"""Compares what `torchbook doctor` says of this machine with PyTorch and the kernel, in several environments.

Usage: doctor_test.py BIN: the folder of the programs. The Python that runs this test must have the PyTorch whose
library is their LibTorch, as Debian's is.
"""
import functools
import glob
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kernels

BIN = sys.argv.pop(1) if len(sys.argv) > 1 else ""
REFERENCE = [os.path.dirname(file) for file in glob.glob("/usr/lib/*/blas/libblas.so.3")]

# Prints what PyTorch and /proc say. It runs in a process of its own.
ORACLE = """
import ctypes, json, os, time, torch
files = {line.split(None, 5)[5].strip() for line in open("/proc/self/maps") if len(line.split(None, 5)) > 5}
blas = [file for file in files if os.path.basename(file).startswith("libblas.so")]
config = ""
for file in blas:
    library = ctypes.CDLL(file)
    if hasattr(library, "openblas_get_config"):
        library.openblas_get_config.restype = ctypes.c_char_p
        config = library.openblas_get_config().decode()
a = torch.ones(512, 512)
torch.mm(a, a)
def seconds():
    start = time.perf_counter()
    torch.mm(a, a)
    return time.perf_counter() - start
print(json.dumps({"show": torch.__config__.show(), "threads": torch.get_num_threads(), "blas": blas, "config": config,
                  "gflops": 2 * 512**3 / min(seconds() for _ in range(5)) / 1e9}))
"""


def output(command, environment):
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True,
                          timeout=900)
    return json.loads(done.stdout)


@functools.cache
def seen(**environment):
    """Returns the doctor's report and PyTorch's answers in the same environment."""
    return (output([f"{BIN}/torchbook", "doctor", "--format", "json"], environment),
            output([sys.executable, "-c", ORACLE], environment))


class Doctor(unittest.TestCase):
    def compare(self, doctor, pytorch):
        here = doctor["fingerprint"]
        version = re.search(r"TORCH_VERSION=([^,]*)", pytorch["show"]).group(1)
        self.assertEqual(here["torch"], f"LibTorch {version}")
        capability = re.search(r"CPU capability usage: (.*)", pytorch["show"]).group(1)
        self.assertEqual(here["cpu_capability"], {"NO AVX": "DEFAULT"}.get(capability, capability))
        self.assertEqual(here["threads"], pytorch["threads"])
        self.assertEqual(len(pytorch["blas"]), 1)
        version = f" ({pytorch['config']})" if pytorch["config"] else ""
        self.assertEqual(here["blas"], pytorch["blas"][0] + version)
        for setting in re.findall(r"\b\w+=\w+(?=,)", pytorch["show"]):
            self.assertIn(setting, here["build"])
        # Checks hardly more than the unit, because other work on the machine disturbs both measurements.
        self.assertLess(abs(pytorch["gflops"] / doctor["matmul"]["gflops"] - 1), 19)
        self.assertLess(abs(doctor["matmul"]["gflops"] / pytorch["gflops"] - 1), 19)

    def test_as_it_is(self):
        self.compare(*seen())

    def test_capability_and_threads_are_those_in_use(self):
        for threads, capability in enumerate(kernels.capabilities(), 1):
            doctor, pytorch = seen(ATEN_CPU_CAPABILITY=capability, OMP_NUM_THREADS=str(threads))
            self.compare(doctor, pytorch)
            self.assertEqual(doctor["fingerprint"]["cpu_capability"], capability.upper())
            self.assertEqual(doctor["fingerprint"]["threads"], threads)
            self.assertIn(f"ATEN_CPU_CAPABILITY={capability}", doctor["machine"]["settings"].split(" "))
            self.assertIn(f"OMP_NUM_THREADS={threads}", doctor["machine"]["settings"].split(" "))

    def test_machine(self):
        machine = seen()[0]["machine"]
        system = pathlib.Path("/etc/os-release").read_text()
        self.assertIn(re.search('^PRETTY_NAME="?(.*?)"?$', system, re.MULTILINE)[1], machine["system"])
        for part in (platform.release(), platform.machine(), platform.libc_ver()[1]):
            self.assertIn(part, machine["system"])
        self.assertIn(machine["processor"], pathlib.Path("/proc/cpuinfo").read_text())
        shown = subprocess.run([f"{BIN}/torchbook", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn(machine["torchbook"], shown)

    def test_reference_blas(self):
        if not REFERENCE:
            print("NOT TESTED: the reference BLAS is not installed (Debian's package libblas3)", file=sys.stderr)
            self.assertFalse(os.environ.get("CI"), "must be tested in CI")
            return
        doctor, pytorch = seen(LD_LIBRARY_PATH=REFERENCE[0])
        self.compare(doctor, pytorch)
        warnings = [warning for warning in doctor["warnings"] if warning["about"] == "blas"]
        self.assertEqual(len(warnings), 1)
        self.assertIn("is the reference BLAS", warnings[0]["text"])

    def test_nothing_but_the_reference_blas_is_taken_for_it(self):
        doctor, pytorch = seen()
        self.assertEqual(any("reference BLAS" in warning["text"] for warning in doctor["warnings"]),
                         any("/blas/" in file for file in pytorch["blas"]))


if __name__ == "__main__":
    sys.exit(unittest.main())
