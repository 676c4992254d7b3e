"""What the Python tests know of this processor's kernels. LibTorch does not check ATEN_CPU_CAPABILITY, and OpenBLAS does not
check OPENBLAS_CORETYPE: a processor that lacks the instructions dies of them."""
import pathlib
import re
import sys
import unittest

NEEDED = {"default": set(), "avx2": {"avx2", "fma"}, "avx512": {"avx512f", "avx512bw", "avx512dq", "avx512vl", "fma"}}
# The recordings of the notebooks were made with these.
OF_RECORDINGS = {"OPENBLAS_CORETYPE": "Haswell", "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2"}


def capabilities():
    """Returns the values of ATEN_CPU_CAPABILITY that this processor can run."""
    flags = re.search(r"^flags\s*:(.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return [name for name, needed in NEEDED.items() if needed <= set(flags[1].split() if flags else ())]


def has_avx2():
    """Returns whether this processor can run the kernels avx2 and Haswell. If not, says that something is not tested."""
    if "avx2" not in capabilities():
        print("NOT TESTED: kernels for AVX2, which this processor does not have", file=sys.stderr)
    return "avx2" in capabilities()


def needs_avx2(test):
    return unittest.skipUnless(has_avx2(), "no AVX2")(test)
