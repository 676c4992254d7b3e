"""Records what PyTorch computes, operation by operation, in a file that torchbook reads.

    import torchbook
    with torchbook.trace("there.trace", net):
        net(x)

The file has the name and the arguments of each operation that runs in the block on this thread, hashes of all tensors,
and the line of Python that called it. `torchbook.Trace trace("here.trace", *net);` records the same in C++.

The library libtorchbook_trace.so records. It must have been built for this PyTorch. It is searched for beside this file and in
the folder of libraries above it; the environment variable TORCHBOOK_TRACE_LIBRARY names another file.
"""
import ctypes
import os
import pathlib
import platform
import sys
import threading

import torch
from torch.nn.modules import module as _hooks

__all__ = ["trace"]

_LARGEST = 64 << 10  # bytes of a tensor that are kept
_MOST = (1 << 63) - 1  # bytes of a trace
_PARAMETER, _BUFFER, _GIVEN, _SHOWN = 0, 1, 2, 3  # NamedRole of format.h
_HERE = os.path.join(os.path.abspath(os.curdir), "")  # a program may go elsewhere
_TORCH = os.path.dirname(torch.__file__) + os.sep
_OWN = (_TORCH, __file__)
SILENT = []  # globals() of code whose operations are not recorded
_PRINTING = os.path.join(_TORCH, "_tensor_str.py")


def trace(file, net=None, *, largest=_LARGEST, most=_MOST):
    """Returns a context manager that records the operations of its block in `file`. An existing trace is replaced.

    With a module `net`, its parameters and buffers have their names in the trace, and operations the paths of the
    modules that run them. `largest` is how many bytes of a tensor are kept; of all its bytes there is a hash. If the trace
    would have more than `most` bytes, it ends, and the program goes on.

    Memory that would be read uninitialised is filled with NaN, -1 or True, so that two runs have the same traces.
    """
    return _Trace(os.fspath(file), net, largest, most, recorder())


class _Trace:
    """What `with torchbook.trace(…) as t` gives."""

    running = None  # the trace whose block is entered

    def __init__(self, file, net, largest, most, recorder):
        self._file, self._net, self._largest, self._most, self._recorder = file, net, largest, most, recorder
        self._modules = _Modules(net)

    def __enter__(self):
        if _Trace.running is not None:
            raise RuntimeError(f"{self._file}: another trace runs")
        self._recorder.start(self._file, self._largest, self._most, self._modules)
        _Trace.running = self
        self._modules.watch()
        if self._net is not None:
            for name, tensor in self._net.named_parameters():
                self._recorder.name(name, _PARAMETER, tensor)
            for name, tensor in self._net.named_buffers():
                self._recorder.name(name, _BUFFER, tensor)
        return self

    def __exit__(self, raised, *_):
        self._modules.leave()
        _Trace.running = None
        self._recorder.finish(raised is None)

    def name(self, name, tensor):
        """Gives a tensor a name and records its value."""
        self._recorder.name(name, _GIVEN, tensor)

    def shown(self, name, tensor):
        """Says that the program shows a tensor, which may be the result of what was recorded before."""
        self._recorder.name(name, _SHOWN, tensor)

    def mark(self, text):
        """Says that the operations from here on belong to `text`, such as a step of a training."""
        self._recorder.mark(text)


class _Modules:
    """Knows the path of the module whose forward() runs."""

    def __init__(self, net):
        self._paths = {} if net is None else {module: path for path, module in net.named_modules()}
        self._running = []  # a module, its path, and the frame that calls its forward()
        self._hooks = []
        self._thread = threading.get_ident()

    def watch(self):
        if self._paths:
            self._hooks.append(_hooks.register_module_forward_pre_hook(self._begins))
            self._hooks.append(_hooks.register_module_forward_hook(self._ends))

    def leave(self):
        for hook in self._hooks:
            hook.remove()

    def path(self):
        while self._running and not _runs(self._running[-1][2]):  # its forward() raised
            self._running.pop()
        return self._running[-1][1] if self._running else ""

    def _begins(self, module, _):
        if threading.get_ident() == self._thread:
            self._running.append((module, self._paths.get(module, self.path()), sys._getframe(1)))

    def _ends(self, module, *_):
        while threading.get_ident() == self._thread and self._running and self._running.pop()[0] is not module:
            pass


def _runs(wanted):
    """Returns whether a frame is one of those that run now."""
    frame = sys._getframe(1)
    while frame is not None and frame is not wanted:
        frame = frame.f_back
    return frame is wanted


def python_line():
    """Returns the innermost line of Python outside PyTorch, or None if it runs an operation that is no part
    of the program, such as to print a tensor."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if file == _PRINTING or any(frame.f_globals is one for one in SILENT):
            return None
        if not file.startswith(_OWN):
            return f"{file[len(_HERE):] if file.startswith(_HERE) else file}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def recorder():
    """Returns what records. Raises ImportError if no library was built for this PyTorch."""
    found = library()
    if found is not None:
        return _CallbackRecorder(found)
    prefix = torch.utils.cmake_prefix_path
    raise ImportError(f"no libtorchbook_trace.so was built for PyTorch {torch.__version__}: `cmake -B build/trace -DCMAKE_PREFIX_PATH="
                      f"{prefix} && cmake --build build/trace --target torchbook_trace` builds one in build/trace/bin, which "
                      "TORCHBOOK_TRACE_LIBRARY then names")


def library():
    """Returns the path of the library if it was built for this PyTorch, otherwise None."""
    named = os.environ.get("TORCHBOOK_TRACE_LIBRARY")
    if named is not None:
        return named if named and fits(named) else None
    folder = pathlib.Path(__file__).resolve().parent
    lib = folder.parent.parent  # above python3/dist-packages
    folders = [folder, lib, *lib.glob("*-linux-gnu"), lib.parent / "lib64"]
    files = (str(one / "libtorchbook_trace.so") for one in folders)
    return next((file for file in files if os.path.exists(file) and fits(file)), None)


def fits(file):
    """Returns whether a library was built for this PyTorch. One that was not cannot even be loaded."""
    release = torch.__version__.split("+")[0].split("a")[0]
    built_for = f"torchbook trace for LibTorch {release}, C++11 ABI {int(torch._C._GLIBCXX_USE_CXX11_ABI)}\0"
    try:
        with open(file, "rb") as library:
            if built_for.encode() not in library.read():
                return False
        torch.ops.load_library(file)
        return True
    except OSError:
        return False


class _CallbackRecorder:
    """Records by the callbacks of LibTorch's profiler, as torchbook::Trace does in C++."""

    def __init__(self, library):
        self._library = ctypes.CDLL(library)

    def start(self, file, largest, most, modules):
        def ask(module_text, line_text, size):
            try:
                found = python_line()
                if found is None:
                    return 0
                for buffer, text in ((module_text, modules.path()), (line_text, found)):
                    data = text.encode(errors="replace")[:size].decode(errors="ignore").encode()
                    ctypes.memmove(buffer, data, len(data))
            except Exception:  # an operation of which nothing is known is recorded
                pass
            return 1

        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
        self._ask = kind(ask)  # must live as long as the library may call it
        self._library.torchbook_trace_set_ask(self._ask)
        torch.ops.torchbook_trace.start(file, largest, most, 0, f"Python {platform.python_version()}")

    def name(self, name, role, tensor):
        torch.ops.torchbook_trace.name_tensor(name, role, tensor)

    def mark(self, text):
        torch.ops.torchbook_trace.mark(text)

    def finish(self, whole):
        try:
            torch.ops.torchbook_trace.finish(whole)
        finally:
            self._library.torchbook_trace_set_ask(None)
