"""Records operations in Python, by a dispatch mode, for torchbook.py, if no library was built for this PyTorch.

format.h describes the records and leads: a test compares the names and numbers below with it.
"""
import ctypes
import enum
import json
import os
import platform
import re
import struct

import torch
import xxhash
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode

RecordKind = enum.IntEnum("RecordKind", "string run named value begin end mark finished arguments")
Tag = enum.IntEnum("Tag", "none tensor whole real boolean text list complex other", start=0)
NamedRole = enum.IntEnum("NamedRole", "parameter buffer given shown", start=0)
MAGIC, VERSION = b"torchbook trace\n", 2
NOT_STRIDED, HAS_OFFSET = 2, 4
NO_GENERATOR, USED_GENERATOR, FRESH_GENERATOR = range(3)
_IN_MEMORY = 64 << 10  # bytes
_DTYPES = ("uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 bool qint8 quint8 qint32 "
           "bfloat16 quint4x2 quint2x4 bits1x8 bits2x4 bits4x2 bits8 bits16 float8_e5m2 float8_e4m3fn float8_e5m2fnuz "
           "float8_e4m3fnuz uint16 uint32 uint64").split()
_LAYOUTS = "strided sparse_coo sparse_csr _mkldnn sparse_csc sparse_bsr sparse_bsc jagged".split()
_FORMATS = "contiguous_format preserve_format channels_last channels_last_3d".split()
_NUMBERS = {getattr(torch, name): number for names in (_DTYPES, _LAYOUTS, _FORMATS)
            for number, name in enumerate(names) if hasattr(torch, name)}


def _checksum(data):
    return struct.pack("<I", xxhash.xxh3_64_intdigest(data) & 0xFFFFFFFF)


class _Writer:
    """Writes a trace file. After the first failure it writes nothing more, and finish() raises that failure."""

    def __init__(self, file, largest, most):
        self._largest, self._left, self.failure, self._strings, self._hashes = largest, most, None, {}, set()
        self._name, self._buffer, self._process = file, bytearray(), os.getpid()
        self._file = open(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), "wb", buffering=0)
        if os.path.isfile(file) and os.path.getsize(file):
            if os.pread(self._file.fileno(), len(MAGIC), 0) != MAGIC:
                self._file.close()
                raise RuntimeError(f"{file}: it is no trace, so it is not replaced")
            self._file.truncate(0)
        self._buffer += MAGIC + struct.pack("<I", VERSION)

    def _flush(self):
        try:
            while self._buffer and self.failure is None and self._process == os.getpid():  # not in a forked child
                del self._buffer[: self._file.write(self._buffer)]
        except OSError as error:
            self.failure = error
        self._buffer.clear()

    def fail(self, error):
        """Stops the writing. What was recorded before is kept."""
        self._flush()
        self.failure = self.failure or error

    def record(self, kind, *parts):
        payload = b"".join(parts)
        if self.failure is not None:
            return
        self._left -= 13 + len(payload)  # with its head and checksums
        if self._left < 0:
            return self.fail(RuntimeError(f"{self._name}: the trace would have more bytes than are allowed"))
        head = struct.pack("<BI", kind, len(payload))
        self._buffer += head + _checksum(head) + payload + _checksum(payload)
        if len(self._buffer) > _IN_MEMORY:
            self._flush()

    def string(self, text):
        if text and text not in self._strings:
            self._strings[text] = len(self._strings) + 1
            self.record(RecordKind.string, text.encode(errors="replace"))
        return struct.pack("<I", self._strings[text] if text else 0)

    def value(self, digest, data):
        if digest not in self._hashes:
            self._hashes.add(digest)
            self.record(RecordKind.value, struct.pack("<QQ", digest, len(data)), bytes(data[: self._largest]))

    def finish(self):
        self._flush()
        try:
            self._file.close()
        except OSError as error:
            self.failure = self.failure or error
        if self.failure is not None:
            raise self.failure


def _memory(tensor):
    """Returns the bytes of a contiguous tensor, which must outlive them."""
    size = tensor.numel() * tensor.element_size()
    return (ctypes.c_char * size).from_address(tensor.data_ptr()) if size else b""


def _storage_of(tensor):
    return tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage().untyped()


def _has_elements(tensor):
    special = tensor.layout != torch.strided or tensor.is_meta or tensor.is_nested or tensor.is_quantized
    return not special and type(tensor) in (torch.Tensor, torch.nn.Parameter)


def _run():
    """Describes what computes, as fingerprint.cpp does, which leads. It names the BLAS by its files only."""
    build = torch.__config__.show()
    capability = re.search(r"CPU capability usage: (\S+)", build.replace("usage: NO AVX", "usage: DEFAULT"))
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {line.split(None, 5)[5].strip() for line in maps if "/" in line}
    blas = sorted(file for file in files if re.search("blas|mkl|blis", os.path.basename(file)))
    return {"language": "Python", "recorder": "dispatch mode", "libtorch": torch.__version__.split("+")[0].split("a")[0], "build": " ".join(build.split()),
            "capability": capability[1] if capability else "unknown", "blas": ", ".join(blas) or "built into PyTorch",
            "threads": torch.get_num_threads(), "compiler": f"Python {platform.python_version()}"}


class _Values:
    """Describes what operations take and give."""

    def __init__(self, writer):
        self._writer, self._storages, self._numbered, self._modules = writer, {}, 0, {}

    def _storage(self, tensor):
        """Returns the number of a tensor's memory."""
        weak = StorageWeakRef(_storage_of(tensor))
        if weak.cdata not in self._storages:  # while it is held, no other storage has its address
            if len(self._storages) > 1024 and len(self._storages) & (len(self._storages) - 1) == 0:
                self._storages = {one: held for one, held in self._storages.items() if not held[0].expired()}
            self._numbered += 1
            self._storages[weak.cdata] = (weak, self._numbered)
        return self._storages[weak.cdata][1]

    def belongs_to(self, tensor, module):
        """Notes that the operations that read a parameter belong to a module. Memory keeps its first module."""
        if _has_elements(tensor):
            self._modules.setdefault(self._storage(tensor), module)

    def module_of(self, values):
        tensors = [one for value in values for one in (value if isinstance(value, (list, tuple)) else [value])]
        tensors = [one for one in tensors if isinstance(one, torch.Tensor) and _has_elements(one)]
        return next(filter(None, (self._modules.get(self._storage(one)) for one in tensors)), "")

    def tensor(self, tensor):
        """Returns a tensor as it stands in a record."""
        strided = _has_elements(tensor)
        sizes = () if tensor.is_nested else tensor.shape
        numbers = (*sizes, *tensor.stride()) if strided else sizes
        text = self._writer.string(str(tensor.dtype)[len("torch."):]) + self._writer.string(str(tensor.device))
        offset = tensor.storage_offset() if strided else 0
        flags = tensor.requires_grad | (0 if strided else NOT_STRIDED) | (HAS_OFFSET if offset else 0)
        text += struct.pack(f"<BB{len(numbers)}q", flags, len(sizes), *numbers)
        text += struct.pack("<IQ", *((self._storage(tensor), self._hash(tensor)) if strided else (0, 0)))
        return text + (struct.pack("<q", offset) if offset else b"")

    def _hash(self, tensor):
        plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous()
        data = _memory(plain)
        digest = xxhash.xxh3_64_intdigest(data)
        self._writer.value(digest, data)
        return digest

    def value(self, value, kind=""):
        """Returns a value with its tag. `kind` is the type of the argument in the schema."""
        if value is None:
            return struct.pack("<B", Tag.none)
        if isinstance(value, (bool, int, float, complex)) and "Tensor" in kind:
            dtype = {bool: torch.bool, int: torch.int64, float: torch.float64}.get(type(value), torch.complex128)
            value = torch.tensor(value, dtype=dtype)
        if isinstance(value, torch.Tensor):
            return struct.pack("<B", Tag.tensor) + self.tensor(value)
        if isinstance(value, bool):
            return struct.pack("<BB", Tag.boolean, value)
        if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
            value = _NUMBERS[value]
        if isinstance(value, float) or isinstance(value, int) and "float" in kind:
            return struct.pack("<Bd", Tag.real, value)
        if isinstance(value, int):
            return struct.pack("<Bq", Tag.whole, value)
        if isinstance(value, complex):
            return struct.pack("<Bdd", Tag.complex, value.real, value.imag)
        if isinstance(value, (str, torch.device)):
            return struct.pack("<B", Tag.text) + self._writer.string(str(value))
        if isinstance(value, (list, tuple)):
            return struct.pack("<B", Tag.list) + self.values([(one, kind) for one in value])
        return struct.pack("<B", Tag.other) + self._writer.string(type(value).__name__)

    def values(self, pairs):
        return struct.pack("<I", len(pairs)) + b"".join(self.value(value, kind) for value, kind in pairs)


class _Operator:
    """What the schema of an operator tells."""

    def __init__(self, function):
        schema = function._schema
        self.name = schema.name + ("." + schema.overload_name if schema.overload_name else "")
        self.arguments = [(one, str(one.type)) for one in schema.arguments]
        self.gives_uninitialised = schema.name.startswith(("aten::empty", "aten::new_empty")) and schema.overload_name != "out"
        self.draws = "nondeterministic_seeded" in str(getattr(function, "tags", ""))
        self.resizes = schema.name in ("aten::resize_", "aten::resize_as_")

    def bound(self, args, kwargs):
        """Returns all arguments with their types, as the dispatcher has them."""
        positional = iter(args)
        pairs = []
        for argument, kind in self.arguments:
            given = argument.default_value if argument.has_default_value() else None
            by_name = argument.kwarg_only or argument.name in kwargs
            pairs.append((kwargs.get(argument.name, given) if by_name else next(positional, given), kind))
        return pairs

    def generator(self, pairs):
        """Returns the generator that the operator takes random numbers from, or None."""
        found = [value for value, kind in pairs if "Generator" in kind]
        return (found and found[0] or torch.default_generator) if found or self.draws else None


def _state(generator):
    if generator is None:
        return struct.pack("<B", NO_GENERATOR)
    tensor = generator.get_state()
    state = bytes(_memory(tensor))
    is_fresh = state[8:12] + state[16:24] == struct.pack("<iQ", 1, 0)  # its fields `left` and `next`
    kind = FRESH_GENERATOR if is_fresh else USED_GENERATOR
    return struct.pack("<BQQ", kind, generator.initial_seed(), xxhash.xxh3_64_intdigest(state))


def _fill(tensor, start):
    """Fills memory that an operation gave without writing it, from its byte `start` on, as the C++ recorder does."""
    if _has_elements(tensor) and tensor.device.type == "cpu" and tensor.storage_offset() == 0:
        size = _storage_of(tensor).nbytes()
        if start < size:
            ctypes.memset(tensor.data_ptr() + start, 1 if tensor.dtype == torch.bool else 0xFF, size - start)


class Recorder(TorchDispatchMode):
    """Records the operations that PyTorch dispatches while it is entered. `line` finds the line of Python that runs."""

    def __init__(self, line):
        super().__init__()
        self._line, self._operators, self._begun, self._own = line, {}, 0, False

    def start(self, file, largest, most, modules):
        self._writer = _Writer(file, largest, most)
        self._values, self._modules = _Values(self._writer), modules
        self._writer.record(RecordKind.run, json.dumps(_run()).encode())
        self.__enter__()

    def finish(self, whole):
        self.__exit__(None, None, None)
        if whole:
            self._writer.record(RecordKind.finished, struct.pack("<Q", self._begun))
        self._writer.finish()

    def mark(self, text):
        self._writer.record(RecordKind.mark, self._writer.string(text))

    def name(self, name, role, tensor):
        self._own = True
        described = self._values.tensor(tensor)
        self._own = False
        self._writer.record(RecordKind.named, self._writer.string(name), struct.pack("<B", role), described)
        if role <= NamedRole.buffer and "." in name:
            self._values.belongs_to(tensor, name.rpartition(".")[0])

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        begun = self._attempt(self._begin, function, args, kwargs or {})
        outputs = ()
        try:
            result = function(*args, **(kwargs or {}))
            outputs = result if isinstance(result, tuple) else () if result is None else (result,)
            return result
        finally:
            if begun is not None:
                self._attempt(self._end, *begun, outputs)

    def _attempt(self, step, *args):
        """Takes a step of the recording. If it fails, the recording stops, and the program goes on."""
        try:
            return None if self._own or self._writer.failure else step(*args)
        except Exception as error:
            self._writer.fail(error)
            return None

    def _begin(self, function, args, kwargs):
        """Records that an operation begins. Returns what its end needs, or None if it is not recorded."""
        line = None if function.namespace == "profiler" else self._line()
        if line is None:
            return None
        operator = self._operators.get(function)
        if operator is None:
            operator = self._operators[function] = _Operator(function)
            names = ",".join(argument.name for argument, _ in operator.arguments)
            self._writer.record(RecordKind.arguments, self._writer.string(operator.name), self._writer.string(names))
        pairs = operator.bound(args, kwargs)
        generator = operator.generator(pairs)
        module = self._modules.path() or self._values.module_of([value for value, _ in pairs])
        text = [self._writer.string(one) for one in (operator.name, module, line)]
        values = self._values.values(pairs)
        self._writer.record(RecordKind.begin, *text, struct.pack("<B", 0), _state(generator), values)
        self._begun += 1
        return operator, generator, _storage_of(args[0]).nbytes() if operator.resizes else 0

    def _end(self, operator, generator, bytes_before, outputs):
        if outputs and (operator.resizes or operator.gives_uninitialised):
            _fill(outputs[0], bytes_before)
        self._writer.record(RecordKind.end, _state(generator), self._values.values([(one, "") for one in outputs]))
