"""Runs twins and records what they print, display and compute. The program `torchbook` passes this text to a Python.

stdin: {"<slug>": {"file": "<its name in messages>", "cells": [{"label", "source", "line"}]}, …}. `label` is null for
a restored state; `line` is that of the first line of `source` in the file. With `--no-keep-going`, a twin ends at the
first cell that raises.

File descriptor 3 receives {"ready": true} once PyTorch is imported, or {"failure": "…"} if there is none; then a line
{"<slug>": RECORDING} when a twin ends. A RECORDING is {"notebook", "cells": [{"label", "stdout", "result", "tensors":
[{"dtype", "shape", "bits"}]}], "fingerprint"}. A cell that raised or ended the twin also has "error", and one that did
not run has "ran": false. If restored states failed, the RECORDING has "restored_errors".

Each twin runs in a process of its own. It is forked after PyTorch is imported and before any operation runs, so every
twin starts from the same state, whatever other twins set or break.
"""
import ast
import ctypes
import io
import json
import os
import platform
import re
import signal
import sys
import tempfile
import types

# A module in the user's folder must not replace one that PyTorch imports.
sys.path = [path for path in sys.path if path not in ("", os.getcwd())]

ANSWER = 3
AT_ONCE = 8  # twins; one that hangs must not keep the others waiting
LIMIT = 64 << 20  # bytes of one recording; torchbook reads no larger files
NOT_RUN = {"stdout": "", "result": None, "tensors": [], "ran": False}
SEED = 67280421310721  # at::default_rng_seed_val, because PyTorch takes another seed at each start
PR_SET_PDEATHSIG = 1


def bits(torch, tensor):
    """Returns the elements in row-major order, each as the hexadecimal number of its bits."""
    plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous().reshape(-1)
    size = plain.element_size()
    if plain.is_complex():
        plain = torch.view_as_real(plain).reshape(-1)
    raw = bytes(plain.view(torch.uint8).tolist()) if plain.numel() else b""
    return " ".join(raw[i : i + size][::-1].hex() for i in range(0, len(raw), size))


class TooLarge(Exception):
    """A cell's outputs do not fit into a recording."""


class Recorder(io.StringIO):
    """Keeps what a cell prints, and a copy of every tensor that it prints or displays."""

    def __init__(self, torch):
        super().__init__()
        self.torch = torch
        self.tensors = []
        self.within = False
        self.left = LIMIT
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

    def spend(self, size):
        if size > self.left:
            raise TooLarge(f"the twin's recording would be larger than {LIMIT >> 20} MiB; print or display less")
        self.left -= size

    def record(self, tensor):
        plain = tensor.layout == self.torch.strided and not tensor.is_quantized
        if plain and not tensor.is_nested and not tensor.is_meta:
            self.spend((2 * tensor.element_size() + 1) * tensor.numel())
            self.tensors.append(
                {"dtype": str(tensor.dtype), "shape": list(tensor.shape), "bits": bits(self.torch, tensor)}
            )

    def write(self, text):
        self.spend(len(text.encode()))  # raises for text that cannot be encoded, as writing it would
        return super().write(text)

    def take(self):
        """Returns what was printed and the tensors since the last call."""
        stdout, tensors = self.getvalue(), self.tensors
        self.seek(0)
        self.truncate()
        self.tensors = []
        return stdout, tensors


def names_set_in(source):
    """Returns the names that a cell would define; if it cannot be parsed, all its words."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        return set(re.findall(r"\w+", source))
    named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names |= {node.name for node in nodes if isinstance(node, named)}
    return names | {(node.asname or node.name).split(".")[0] for node in nodes if isinstance(node, ast.alias)}


class Twin:
    """A twin that runs."""

    def __init__(self, file, keep_going, recorder):
        self.file = file
        self.keep_going = keep_going
        self.recorder = recorder
        self.module = types.ModuleType("__main__")
        self.raised = []  # of each cell that raised: (where, the names that it would have defined)

    def run(self, cells, answer):
        """Runs the cells. Calls `answer` with the outcome of each cell that ran."""
        sys.modules["__main__"] = self.module
        sys.argv = [self.file]
        sys.stdout = self.recorder
        position = 0
        for cell in cells:
            position += cell["label"] is not None
            where = "the restored state" if cell["label"] is None else f"cell In [{cell['label']}] (@{position})"
            stops = self.raised and not self.keep_going
            answer(NOT_RUN if stops else self.outcome(cell, where))

    def outcome(self, cell, where):
        result, error = None, {}
        try:
            result = self.result(cell["source"], cell["line"])
        except BaseException as raised:  # SystemExit and KeyboardInterrupt end no notebook
            error = {"error": self.message(raised, cell["line"])}
            self.raised.append((where, names_set_in(cell["source"])))
        stdout, tensors = self.recorder.take()
        return {"stdout": stdout, "result": result, "tensors": tensors, **error}

    def result(self, source, line):
        """Runs a cell as Jupyter does. Returns the repr of its last expression, or None if it displays nothing."""
        statements = ast.parse("\n" * (line - 1) + source, self.file).body
        last = None
        if statements and isinstance(statements[-1], ast.Expr):
            last = ast.Expression(statements.pop().value)
        names = self.module.__dict__
        exec(compile(ast.Module(statements, []), self.file, "exec"), names)
        value = eval(compile(last, self.file, "eval"), names) if last else None
        if value is None:
            return None
        text = repr(value)
        self.recorder.spend(len(text.encode()))
        return text

    def message(self, raised, line):
        """Returns, in one line, where an exception was raised and what it says."""
        trace = raised.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.file:
                line = trace.tb_lineno
            trace = trace.tb_next
        try:
            what = str(raised)
        except Exception:
            what = ""
        if isinstance(raised, SyntaxError) and raised.filename == self.file:
            line, what = raised.lineno, raised.msg
        what = " ".join(what.encode(errors="backslashreplace").decode().split())
        colon = ": " if what else ""
        return f"{self.file}:{line}: {type(raised).__name__}{colon}{what}{self.cause_of(raised)}"

    def cause_of(self, raised):
        """Says which failed cell should have defined the name of a NameError; empty if there is none."""
        if not isinstance(raised, NameError):
            return ""
        name = getattr(raised, "name", None)
        where = next((where for where, names in self.raised if name in names), None)
        return f" (a consequence: {where} failed and did not define it)" if where else ""


def run_in_child(twin, keep_going, recorder, file):
    """Runs a twin in this process, which then ends. Writes a line for each outcome."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # if a time limit ends the parent, the twins end too
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2, ANSWER):  # discards what is written past sys.stdout
        os.dup2(null, descriptor)

    process = os.getpid()

    def answer(outcome):
        if os.getpid() != process:  # this is a child that a cell forked; only its parent answers
            os._exit(0)
        file.write(json.dumps(outcome).encode() + b"\n")
        file.flush()

    Twin(twin["file"], keep_going, recorder).run(twin["cells"], answer)


def recording(slug, twin, file, status):
    """Returns the recording of a twin, without its fingerprint, from what its process wrote and how it ended."""
    file.seek(0)
    outcomes = [json.loads(line) for line in file if line.endswith(b"\n")]
    if len(outcomes) < len(twin["cells"]):
        how = f"ended with exit code {os.WEXITSTATUS(status)}"
        if os.WIFSIGNALED(status):
            how = f"ended by signal {os.WTERMSIG(status)}"
        where = f"{twin['file']}:{twin['cells'][len(outcomes)]['line']}"
        outcomes.append({"stdout": "", "result": None, "tensors": [], "error": f"{where}: {how}"})
    outcomes += [NOT_RUN] * (len(twin["cells"]) - len(outcomes))
    both = list(zip(twin["cells"], outcomes))
    cells = [{"label": cell["label"], **outcome} for cell, outcome in both if cell["label"] is not None]
    errors = [outcome["error"] for cell, outcome in both if cell["label"] is None and "error" in outcome]
    return {"notebook": slug, "cells": cells, **({"restored_errors": errors} if errors else {})}


def run_all(twins, run, answer):
    """Runs each twin in a child. Calls `answer` with its slug and recording when it ends."""
    waiting = list(twins)
    running = {}
    while waiting or running:
        if waiting and len(running) < AT_ONCE:
            slug = waiting.pop(0)
            file = tempfile.TemporaryFile()
            process = os.fork()
            if process == 0:
                try:
                    run(twins[slug], file)
                    os._exit(0)
                finally:
                    os._exit(1)
            running[process] = slug, file
        else:
            process, status = os.wait()
            slug, file = running.pop(process)
            with file:
                answer(slug, recording(slug, twins[slug], file, status))


def openblas(file):
    """Returns the description of a loaded OpenBLAS by itself. It ends with the processor whose kernels it runs."""
    try:
        config = ctypes.CDLL(file).openblas_get_config
        config.restype = ctypes.c_char_p
        return f"{file} ({config().decode()})"
    except (OSError, AttributeError):
        return file


def blas():
    """Returns the file of the loaded BLAS."""
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
    keep_going = "--no-keep-going" not in sys.argv
    with open(ANSWER, "w", encoding="utf-8") as answers:

        def answer(value):
            answers.write(json.dumps(value) + "\n")
            answers.flush()

        try:
            import torch
        except Exception as error:
            answer({"failure": f"{type(error).__name__}: {error}"})
            return
        torch.default_generator.manual_seed(SEED)
        answer({"ready": True})
        mark, recorder = fingerprint(torch), Recorder(torch)
        run_all(twins, lambda twin, file: run_in_child(twin, keep_going, recorder, file),
                lambda slug, recorded: answer({slug: {**recorded, "fingerprint": mark}}))


main()
