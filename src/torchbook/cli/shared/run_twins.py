"""Runs twins. The program `torchbook` passes this text, behind that of record_twin.py, to a Python. Both are ASCII,
because an old locale decodes no other text.

stdin: {"twins": {"<slug>": {"file": "<its name in messages>", "shapes": true or false, "trace": "<path>" or "",
"carried": {"values": "<path>", "types": "<path>"} or null, "cells": [{"label", "source", "line"}]}, ...}, "tracing": {"modules": {"torchbook": "<text>", "torchbook_dispatch": "<text>"},
"libraries": ["<path>", ...], "most": <bytes of a trace>} or null}. `label` is null for a restored state; `line` is that
of the first line of `source` in the file. A twin with a "trace" is recorded in that file. With `--no-keep-going`, a twin ends at the
first cell that raises. The last argument is the time limit in seconds.

File descriptor 3 receives {"ready": true} once PyTorch is imported, or {"failure": "..."} if there is none;
{"untraced": "..."} if traces are wanted and nothing can record them; then a line
{"<slug>": RECORDING} when a twin ends. A RECORDING is {"notebook", "cells": [{"label", "stdout", "result", "tensors":
[{"dtype", "shape", "bits"}]}], "fingerprint"}. If "shapes" are asked for, a cell that assigns tensors to names has
"shapes": [{"line", "column", "name", "shape"}], with the place of the statement in the cell, and one that imports
modules that are not installed has "missing": "<module>, <module>". A cell that raised or ended the twin also has
"error", and "raised", its line that raised, from 1 on, or 0; one that did not run has "ran": false. If restored states
failed, the RECORDING has "restored_errors".

Each twin runs in a process of its own. It is forked after PyTorch is imported and before any operation runs, so every
twin starts from the same state, whatever other twins set or break.

SIGTERM says that the time is over, or that torchbook is gone. The twins are then killed, those that had not ended are
answered with the cells that had, and the process group ends. Before this process ends, it kills all its descendants, so
that nothing that a twin started outlives it, also in a session of its own.
"""
import contextlib
import ctypes
import json
import os
import platform
import re
import signal
import sys
import time
import types

ANSWER = 3
AT_ONCE = 8  # twins; one that hangs must not keep the others waiting
SEED = 67280421310721  # at::default_rng_seed_val, because PyTorch takes another seed at each start
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
AWAITED = {signal.SIGCHLD, signal.SIGTERM}  # blocked in all threads of this process, so that only Run waits for them


def end_with_parent(number):
    """Makes the system send this signal when the parent ends, however that is."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def children():
    """Returns the processes whose parent is this one, as far as /proc shows them."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as stat:
                if int(stat.read().rpartition(b")")[2].split()[1]) == os.getpid():
                    found.append(int(name))
        except OSError:  # it has ended
            pass
    return found


def kill_descendants():
    """Kills all descendants, because the children of one that ends become children of this subreaper. Gives up those
    that it may not kill."""
    for _ in range(500):
        for process in children():
            try:
                os.kill(process, signal.SIGKILL)
            except PermissionError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0] != 0:
                pass
        except ChildProcessError:  # there is none
            return
        time.sleep(0.01)


def file_in_memory():
    """Returns a new file that needs no folder. Some Pythons lack os.memfd_create."""
    return open(ctypes.CDLL(None).memfd_create(b"twin", 0), "w+b")


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
    """Stands for a trace if none is wanted."""

    def mark(self, text):
        pass

    def shown(self, name, tensor):
        pass


@contextlib.contextmanager
def traced(twin, tracer, most):
    """Records the operations of the block if that is wanted. What stops the recording does not stop the twin."""
    if tracer is None or not twin["trace"]:
        yield NoTrace()
        return
    try:
        recording = tracer.trace(twin["trace"], most=most)
        recording.__enter__()
    except Exception:  # the trace stays empty
        yield NoTrace()
        return
    yield recording
    try:
        recording.__exit__(None, None, None)
    except Exception:  # such as: it is too large; its beginning is kept
        pass


def run_in_child(twin, keep_going, recorder, file, tracer, most):
    """Runs a twin in this process, which then ends. Writes a line for each outcome."""
    end_with_parent(signal.SIGKILL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, AWAITED)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2, ANSWER):  # discards what is written past sys.stdout
        os.dup2(null, descriptor)

    process = os.getpid()

    def answer(outcome):
        if os.getpid() != process:  # this is a child that a cell forked; only its parent answers
            os._exit(0)
        file.write(json.dumps(outcome).encode() + b"\n")
        file.flush()

    with traced(twin, tracer, most) as trace:
        recorder.trace = trace
        carried = twin["carried"]
        carrier = Carrier(recorder.torch, carried["values"], carried["types"]) if carried else None
        Twin(twin["file"], keep_going, recorder, twin["shapes"], carrier).run(twin["cells"], answer)


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


class Run:
    """Runs each twin in a child by `run`. Calls `answer` with its slug and recording when it ends."""

    def __init__(self, twins, run, answer):
        self.twins = twins
        self.run = run
        self.answer = answer
        self.waiting = list(twins)
        self.running = {}  # by process: slug and file

    def all(self):
        """Returns whether all twins ended before SIGTERM came."""
        while self.waiting or self.running:
            while self.waiting and len(self.running) < AT_ONCE:
                self.start(self.waiting.pop(0))
            if signal.sigwait(AWAITED) == signal.SIGTERM:
                return False
            self.take_ended()
        return True

    def start(self, slug):
        file = file_in_memory()
        process = os.fork()
        if process == 0:
            try:
                self.run(self.twins[slug], file)
                os._exit(0)
            finally:
                os._exit(1)
        self.running[process] = slug, file

    def take_ended(self):
        while self.running:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                return
            if process in self.running:  # not a child of what a shell was before it became this Python
                self.take(process, how_it_ended(status))

    def take(self, process, how):
        slug, file = self.running.pop(process)
        with file:
            self.answer(slug, recording(slug, self.twins[slug], file, how))

    def give_up(self, how):
        """Kills the twins. `how` is the outcome of the cells that they were running, or would have run first."""
        for process in list(self.running):
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            self.take(process, how)
        for slug in self.waiting:
            with file_in_memory() as empty:
                self.answer(slug, recording(slug, self.twins[slug], empty, how))


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


def blas():
    """Returns the file of the loaded BLAS."""
    found = [file for file in loaded_files() if re.search(r"blas|mkl|blis", os.path.basename(file))]
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


def in_child(compute, *arguments):
    """Returns what `compute` returns in a child. A process that has asked CUDA for anything, if only for its release,
    forks children in which CUDA does not work."""
    with file_in_memory() as file:
        process = os.fork()
        if process == 0:
            try:
                file.write(json.dumps(compute(*arguments)).encode())
                file.flush()
                os._exit(0)
            finally:
                os._exit(1)
        if os.waitpid(process, 0)[1] != 0:
            return compute(*arguments)  # raises here what the child raised
        file.seek(0)
        return json.load(file)


def fingerprint(torch):
    build = torch.__config__.show()
    capability = re.search(r"CPU capability usage: (\S+)", build.replace("usage: NO AVX", "usage: DEFAULT"))
    return {
        "torch": f"PyTorch {torch.__version__}",
        "build": " ".join(build.split()),
        "cpu_capability": capability[1] if capability else "unknown",
        "onednn": onednn(),
        "blas": blas(),
        "threads": torch.get_num_threads(),
        "compiler": f"Python {platform.python_version()}",
    }


def main():
    end_with_parent(signal.SIGTERM)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if it is ignored, no child can be waited for
    signal.pthread_sigmask(signal.SIG_BLOCK, AWAITED)
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
        mark, recorder = in_child(fingerprint, torch), Recorder(torch)
        most = wanted["most"] if wanted else 0
        run = Run(request["twins"], lambda twin, file: run_in_child(twin, keep_going, recorder, file, tracer, most),
                  lambda slug, recorded: answer({slug: {**recorded, "fingerprint": mark}}))
        if not run.all():
            run.give_up(f"did not end within {sys.argv[-1]} s (--timeout sets another limit)")
            kill_descendants()
            os.killpg(0, signal.SIGKILL)
        kill_descendants()


main()
