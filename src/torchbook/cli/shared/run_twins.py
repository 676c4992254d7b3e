"""Runs twins. The program `torchbook` passes this text, behind that of record_twin.py, to a Python. Both are ASCII,
because an old locale decodes no other text.

stdin: {"twins": {"<slug>": {"file": "<its name in messages>", "shapes": true or false, "trace": "<path>" or "", "folder": "<path>" or "",
"carried": {"values": "<path>", "types": "<path>"} or null, "cells": [{"label", "source", "line"}]}, ...}, "tracing": {"modules": {"torchbook": "<text>", "torchbook_dispatch": "<text>"},
"libraries": ["<path>", ...], "most": <bytes of a trace>} or null}. `label` is null for a restored state; `line` is that
of the first line of `source` in the file. A twin with a "trace" is recorded in that file. With `--no-keep-going`, a twin ends at the
first cell that raises. The last argument is the time limit in seconds.

File descriptor 3 receives {"ready": true} once PyTorch is imported, or {"failure": "..."} if there is none;
{"untraced": "..."} if traces are wanted and nothing can record them; then a line
{"<slug>": RECORDING} when a twin ends. A RECORDING is {"notebook", "cells": [{"label", "stdout", "result", "tensors":
[{"dtype", "shape", "bits"}]}], "fingerprint"}. If "shapes" are asked for, a cell that assigns tensors to names has
"shapes": [{"line", "column", "name", "shape"}], with the place of the statement in the cell. A cell that imports
modules that are not installed has "missing": "<module>, <module>". A cell that raised or ended the twin also has
"error", and "raised", its line that raised, from 1 on, or 0; one that did not run has "ran": false. If restored states
failed, the RECORDING has "restored_errors".

Each twin runs in a process of its own. It is forked after PyTorch is imported and before any operation runs, so every
twin starts from the same state, whatever other twins set or break.

SIGTERM says that the time is over, or that torchbook is gone. Twins that have not ended are then killed and answered with
the cells that have.
"""
import contextlib
import ctypes
import io
import json
import os
import platform
import re
import signal
import sys
import tempfile
import time
import types

ANSWER = 3
AT_ONCE = 8  # twins; one that hangs must not keep the others waiting
SEED = 67280421310721  # at::default_rng_seed_val, because PyTorch takes another seed at each start
PR_SET_PDEATHSIG = 1


def loaded(modules, name):
    """Runs the text of a module that is no file, and returns the module."""
    module = types.ModuleType(name)
    module.__file__ = f"<torchbook>/{name}.py"
    sys.modules[name] = module
    exec(compile(modules[name], module.__file__, "exec"), module.__dict__)
    return module


def tracing(wanted):
    """Returns torchbook.py, ready to record. Raises ImportError if nothing can record here."""
    tracer = loaded(wanted["modules"], "torchbook")
    tracer.SILENT.append(globals())
    if "TORCHBOOK_TRACE_LIBRARY" not in os.environ:
        fitting = (file for file in wanted["libraries"] if os.path.exists(file) and tracer.fits(file))
        tracer.library = lambda found=next(fitting, None): found
    if tracer.library() is None:
        loaded(wanted["modules"], "torchbook_dispatch")
    return tracer


class NoTrace:
    """Replaces a trace if none is wanted."""

    mark = shown = __exit__ = lambda *_: None


def started_trace(twin, tracer, most):
    """Returns the recorder of a twin's operations, if wanted. Errors that stop it do not stop the twin."""
    with contextlib.suppress(Exception):  # the trace stays empty
        if tracer and twin["trace"]:
            recording = tracer.trace(twin["trace"], most=most)
            recording.__enter__()
            return recording
    return NoTrace()


def run_twin(file, twin, keep_going, recorder, tracer, most):
    """Runs a twin in this process. Writes a line for each outcome."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2, ANSWER):  # discards what is written past sys.stdout
        os.dup2(null, descriptor)
    process = os.getpid()

    def answer(outcome):
        if os.getpid() != process:  # this is a child that a cell forked; only its parent answers
            os._exit(0)
        file.write(json.dumps(outcome).encode() + b"\n")
        file.flush()

    recorder.trace = started_trace(twin, tracer, most)
    if twin["folder"]:
        os.chdir(twin["folder"])
        sys.path.append(twin["folder"])
    carried = twin["carried"]
    carrier = Carrier(recorder.torch, carried["values"], carried["types"]) if carried else None
    Twin(twin["file"], keep_going, recorder, twin["shapes"], carrier).run(twin["cells"], answer)
    with contextlib.suppress(Exception):  # such as: it is too large; its beginning is kept
        recorder.trace.__exit__(None, None, None)


def forked(run, *arguments):
    """Calls `run` in a process of its own with a new file, which it may write, and the arguments. Returns the process and
    the file."""
    file = tempfile.TemporaryFile()
    process = os.fork()
    if process == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        try:
            run(file, *arguments)
            file.flush()
            os._exit(0)
        finally:
            os._exit(1)
    return process, file


def how_it_ended(status):
    if os.WIFSIGNALED(status):
        return f"ended by signal {os.WTERMSIG(status)}"
    return f"ended with exit code {os.WEXITSTATUS(status)}"


def recording(slug, twin, file, how):
    """Returns the recording of a twin, without its fingerprint, from what its process wrote. If cells lack, `how` says
    how that process ended."""
    file.seek(0)
    outcomes = [json.loads(line) for line in file if line.endswith(b"\n")]
    if len(outcomes) < len(twin["cells"]):
        where = f"{twin['file']}:{twin['cells'][len(outcomes)]['line']}"
        outcomes.append({"stdout": "", "result": None, "tensors": [], "error": f"{where}: {how}"})
    outcomes += [NOT_RUN] * (len(twin["cells"]) - len(outcomes))
    both = list(zip(twin["cells"], outcomes))
    cells = [{"label": cell["label"], **outcome} for cell, outcome in both if cell["label"] is not None]
    errors = [outcome["error"] for cell, outcome in both if cell["label"] is None and "error" in outcome]
    return {"notebook": slug, "cells": cells, **({"restored_errors": errors} if errors else {})}


def run_twins(twins, answer, late, *arguments):
    """Runs the twins with these arguments of run_twin. Calls `answer` with the slug and the recording of each when it ends.
    Once SIGTERM comes, kills those that run; `late` is the outcome of their cells. Returns whether that happened."""
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    waiting, running = list(twins), {}
    while waiting or running:
        while waiting and len(running) < AT_ONCE and not stopped:
            slug = waiting.pop(0)
            running[slug] = forked(run_twin, twins[slug], *arguments)
        time.sleep(0.01)
        for slug, (process, file) in list(running.items()):
            if stopped:
                os.kill(process, signal.SIGKILL)
            ended, status = os.waitpid(process, 0 if stopped else os.WNOHANG)
            if ended:
                del running[slug]
                answer(slug, recording(slug, twins[slug], file, late if stopped else how_it_ended(status)))
        while waiting and stopped:
            slug = waiting.pop(0)
            answer(slug, recording(slug, twins[slug], io.BytesIO(), late))
    return bool(stopped)


def openblas(file):
    """Returns the description of a loaded OpenBLAS by itself. It ends with the processor whose kernels it runs."""
    try:
        config = ctypes.CDLL(file).openblas_get_config
        config.restype = ctypes.c_char_p
        return f"{file} ({config().decode()})"
    except (OSError, AttributeError):
        return file


def loaded_files():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return sorted({line.split(None, 5)[5].strip() for line in maps if "/" in line})


def preferred_blas():
    """Returns the file whose BLAS the linker prefers, such as a preloaded one, in a list; empty if it prefers none."""
    program, info = ctypes.CDLL(None), (ctypes.c_void_p * 4)()
    if not hasattr(program, "sgemm_") or not program.dladdr(program.sgemm_, info):
        return []
    return [os.path.realpath(os.fsdecode(ctypes.string_at(info[0])))]


def blas():
    """Returns the files of the loaded BLAS, the preferred one first."""
    named = [file for file in loaded_files() if re.search(r"blas|mkl|blis", os.path.basename(file))]
    found = list(dict.fromkeys(preferred_blas() + named))
    told = [openblas(file) if "openblas" in os.path.basename(file) else file for file in found]
    return ", ".join(told) or "built into PyTorch"


def onednn():
    """Returns the instruction sets that the kernels of oneDNN use, as it encodes them, or 0 if it cannot be asked."""
    for file in loaded_files():
        if re.search(r"dnnl|torch_cpu", os.path.basename(file)):
            try:
                return ctypes.CDLL(file).dnnl_get_effective_cpu_isa()
            except (OSError, AttributeError):
                pass
    return 0


def fingerprint(file, torch):
    """Writes what computes here. This runs in a process of its own, because one that has asked CUDA for anything, if only
    for its release, forks children in which CUDA does not work."""
    build = torch.__config__.show()
    capability = re.search(r"CPU capability usage: (\S+)", build.replace("usage: NO AVX", "usage: DEFAULT"))
    mark = {
        "torch": f"PyTorch {torch.__version__}",
        "build": " ".join(build.split()),
        "cpu_capability": capability[1] if capability else "unknown",
        "onednn": onednn(),
        "blas": blas(),
        "threads": torch.get_num_threads(),
        "compiler": f"Python {platform.python_version()}",
        "library": next((file for file in loaded_files() if "libtorch_cpu." in file), ""),
    }
    file.write(json.dumps(mark).encode())


def main():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if it is ignored, no child can be waited for
    request = json.load(sys.stdin.buffer)  # as bytes, because the locale does not decide their encoding
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
        tracer, wanted = None, request["tracing"]
        if wanted:
            try:
                tracer = tracing(wanted)
            except Exception as error:
                answer({"untraced": f"{type(error).__name__}: {error}"})
        recorder = Recorder(torch)
        process, file = forked(fingerprint, torch)
        os.waitpid(process, 0)
        file.seek(0)
        mark = json.load(file)
        late = f"did not end within {sys.argv[-1]} s (--timeout sets another limit)"
        if run_twins(request["twins"], lambda slug, recorded: answer({slug: {**recorded, "fingerprint": mark}}), late,
                     keep_going, recorder, tracer, wanted["most"] if wanted else 0):
            os.killpg(0, signal.SIGKILL)  # torchbook may be gone


main()
