"""Runs twins and records what they print, display and compute; the program `torchbook` hands this to a Python.

stdin: {"<slug>": "<text of its twin>", …}. File descriptor 3 receives {"<slug>": RECORDING, …}, or {"failure": "…"}
where there is no PyTorch to run them. A RECORDING is {"notebook", "cells": [{"label", "stdout", "result", "tensors":
[{"dtype", "shape", "bits"}]}], "fingerprint"}, and has an "error" and the number of "cells_run" where a cell raised.
"""
import ast
import contextlib
import ctypes
import io
import json
import os
import platform
import re
import sys

# A module in the folder that the user is in is none of PyTorch's.
sys.path = [path for path in sys.path if path not in ("", os.getcwd())]

ANSWER = 3
HEADING = re.compile(r"^# %% \[(\w+)\].*\n", re.MULTILINE)
NO_CELLS = ("restored", "markdown")  # they run, but the document has no cell of them


def answer(value):
    with open(ANSWER, "w", encoding="utf-8") as file:
        json.dump(value, file)


def bits(torch, tensor):
    """The elements in row-major order, each as the number that its bits make, in hexadecimal."""
    plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous().reshape(-1)
    size = plain.element_size()
    if plain.is_complex():
        plain = torch.view_as_real(plain).reshape(-1)
    raw = bytes(plain.view(torch.uint8).tolist()) if plain.numel() else b""
    return " ".join(raw[i : i + size][::-1].hex() for i in range(0, len(raw), size))


class Recorder:
    """Sees every tensor that is printed or displayed, as it is then."""

    def __init__(self, torch):
        self.torch = torch
        self.tensors = []
        self.within = False
        for name in ("__repr__", "__format__"):
            setattr(torch.Tensor, name, self.seeing(getattr(torch.Tensor, name)))

    def seeing(self, method):
        def seen(tensor, *args, **options):
            if self.within:
                return method(tensor, *args, **options)
            self.within = True
            try:
                self.record(tensor)
                return method(tensor, *args, **options)
            finally:
                self.within = False

        return seen

    def record(self, tensor):
        plain = tensor.layout == self.torch.strided and not tensor.is_quantized
        if plain and not tensor.is_nested and not tensor.is_meta:
            self.tensors.append(
                {"dtype": str(tensor.dtype), "shape": list(tensor.shape), "bits": bits(self.torch, tensor)}
            )

    def take(self):
        taken, self.tensors = self.tensors, []
        return taken


def run_cell(source, names, slug):
    """Runs a cell as Jupyter does; gives the repr of its last expression, None where it displays nothing."""
    statements = ast.parse(source).body
    last = None
    if statements and isinstance(statements[-1], ast.Expr):
        last = ast.Expression(statements.pop().value)
    exec(compile(ast.Module(statements, []), slug, "exec"), names)
    value = eval(compile(last, slug, "eval"), names) if last else None
    return None if value is None else repr(value)


def run_twin(slug, text, recorder):
    """The recording of one twin, without its fingerprint. Nothing runs behind a cell that raised."""
    names = {"__name__": "__main__"}
    recording = {"notebook": slug, "cells": []}
    cells = recording["cells"]
    _, *parts = HEADING.split(text)
    for label, source in zip(parts[::2], parts[1::2]):
        result, printed = None, io.StringIO()
        if "error" not in recording:
            try:
                with contextlib.redirect_stdout(printed):
                    result = run_cell(source, names, slug)
                (printed.getvalue() + (result or "")).encode()  # else it is no text, and Python would not print it
            except (Exception, SystemExit) as raised:
                result = None
                where = f"{label} state" if label in NO_CELLS else f"cell In [{label}] (@{len(cells) + 1})"
                recording["error"] = f"the twin's {where} raised {type(raised).__name__}: {raised}"
                recording["cells_run"] = len(cells)
        tensors = recorder.take()
        if label not in NO_CELLS:
            stdout = printed.getvalue().encode(errors="replace").decode()
            cells.append({"label": label, "stdout": stdout, "result": result, "tensors": tensors})
    return recording


def openblas(file):
    """What an OpenBLAS that is loaded says of itself, which ends in the processor whose kernels it runs."""
    try:
        config = ctypes.CDLL(file).openblas_get_config
        config.restype = ctypes.c_char_p
        return f"{file} ({config().decode()})"
    except (OSError, AttributeError):
        return file


def blas():
    """The file of the BLAS that is loaded."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {line.split(None, 5)[5].strip() for line in maps if "/" in line}
    found = sorted(file for file in files if re.search(r"blas|mkl|blis", os.path.basename(file)))
    told = [openblas(file) if "openblas" in os.path.basename(file) else file for file in found]
    return ", ".join(told) or "built into PyTorch"


def fingerprint(torch):
    build = torch.__config__.show()
    capability = re.search(r"CPU capability usage: (\S+)", build.replace("usage: NO AVX", "usage: DEFAULT"))
    return {
        "torch": f"PyTorch {torch.__version__}",
        "build": " ".join(build.split()),
        "cpu_capability": capability[1] if capability else "unknown",
        "blas": blas(),
        "threads": torch.get_num_threads(),
        "compiler": f"Python {platform.python_version()}",
    }


def main():
    twins = json.load(sys.stdin)
    try:
        import torch
    except Exception as error:
        answer({"failure": f"{type(error).__name__}: {error}"})
        return
    mark = fingerprint(torch)
    recorder = Recorder(torch)
    answer({
        slug: {**run_twin(slug, text, recorder), "fingerprint": mark}
        for slug, text in twins.items()
    })


main()
