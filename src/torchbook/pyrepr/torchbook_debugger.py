"""Shows tensors in gdb and lldb as Python does. docs/debugger.md tells how to load it.

If the process is alive and contains pyrepr, it calls torchbook_repr(). Otherwise it reads the memory of the tensor: shape,
dtype and first elements.
"""
import math
import struct

SHOWN = 6  # elements, if pyrepr cannot be called
# The name of each dtype in order, and the code of struct that reads an element. Later dtypes are shown without elements.
DTYPES = [("uint8", "B"), ("int8", "b"), ("int16", "h"), ("int32", "i"), ("int64", "q"), ("float16", "e"), ("float32", "f"),
          ("float64", "d"), ("complex32", "ee"), ("complex64", "ff"), ("complex128", "dd"), ("bool", "?"), ("qint8", ""),
          ("quint8", ""), ("qint32", ""), ("bfloat16", "H")]
# Where c10::TensorImpl has its storage and its sizes, in PyTorch 1.13, 2.6 and 2.14. Debug information does not say it,
# because the class is compiled in LibTorch. The reader checks what it finds there.
LAYOUTS = [(24, 72), (16, 64), (16, 56)]


class NoTensor(Exception):
    """Is raised if the memory holds no tensor, such as that of a variable before its initialization."""


class Impl:
    """A c10::TensorImpl in the memory of the process. read(address, size) returns bytes."""

    def __init__(self, read, address, base, place):
        self.read = read
        self.dims, = self.words(address + place, 1)
        if not 0 <= self.dims <= 64:
            raise NoTensor
        # Up to five sizes and strides are inside of the object.
        if self.dims <= 5:
            sizes, strides = address + place + 8, address + place + 48
        else:
            sizes, = self.words(address + place + 8, 1)
            strides = sizes + 8 * self.dims
        self.sizes, self.strides = self.words(sizes, self.dims), self.words(strides, self.dims)
        self.offset, numel = self.words(address + place + 88, 2)
        self.dtype, = struct.unpack("<H", read(address + place + 104, 2))
        self.base, self.storage = base, self.words(address + base, 1)[0]
        if min(self.sizes, default=0) < 0 or math.prod(self.sizes) != numel or self.offset < 0 or self.dtype > 64:
            raise NoTensor

    def words(self, address, count):
        return struct.unpack(f"<{count}q", self.read(address, 8 * count)) if count else ()

    def elements(self):
        """Returns the texts of the first elements; none if they are not in this memory."""
        code = DTYPES[self.dtype][1]
        if not code or not self.storage:
            return []
        data, = self.words(self.storage + self.base, 1)
        device, = struct.unpack("b", self.read(self.storage + self.base + 24, 1))
        if device != 0 or data == 0:
            return []
        texts = []
        for index in range(min(math.prod(self.sizes), SHOWN)):
            place = self.offset
            for size, stride in zip(reversed(self.sizes), reversed(self.strides)):
                index, along = divmod(index, size)
                place += along * stride
            width = struct.calcsize("<" + code)
            values = struct.unpack("<" + code, self.read(data + place * width, width))
            if self.dtype == 15:  # the upper half of a float32
                values = struct.unpack("<f", struct.pack("<I", values[0] << 16))
            texts.append(format(complex(*values) if len(values) == 2 else values[0], "" if code in "Bbhiq?" else ".4g"))
        return texts + ["…"] * (math.prod(self.sizes) > SHOWN)

    def __str__(self):
        if self.dtype >= len(DTYPES):
            return "None" if self.storage == 0 and self.sizes == (0,) else f"{self.sizes} dtype {self.dtype}"
        return f"{self.sizes} {DTYPES[self.dtype][0]} [{', '.join(self.elements())}]"


def text_of(read, call, address, impl):
    """Returns the text of the tensor at an address, which points to `impl`. call(address) returns the text of pyrepr."""
    for layout in LAYOUTS:
        try:
            text = str(Impl(read, impl, *layout))
        except (NoTensor, OverflowError, RuntimeError):
            continue
        return call(address) or text  # only what is a tensor may be passed to pyrepr
    return "<no tensor, or one of an unknown LibTorch>"


def in_gdb(gdb):
    """Registers the printer of gdb."""

    def call(address):
        options = {"unwindonsignal": "on", "scheduler-locking": "on"}  # other threads wait, so that none stops at a breakpoint
        before = {}
        try:
            for option, value in options.items():
                old = gdb.parameter(option)
                gdb.execute(f"set {option} {value}")
                before[option] = "on" if old is True else old or "off"
            return gdb.parse_and_eval(f"((const char *(*)(unsigned long)) torchbook_repr)({address})").string("utf-8")
        except gdb.error:
            return None  # no process, no pyrepr, or calls are off
        finally:
            for option, value in before.items():
                gdb.execute(f"set {option} {value}")

    class Printer:
        def __init__(self, value):
            self.value = value

        def to_string(self):
            read = lambda address, size: gdb.selected_inferior().read_memory(address, size).tobytes()
            return text_of(read, call, int(self.value.address), int(self.value["impl_"]["target_"]))

    def printer_of(value):
        if value.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            value = value.referenced_value()
        named = value.type.unqualified().strip_typedefs().name in ("at::Tensor", "at::TensorBase")
        return Printer(value) if named and value.address is not None else None

    gdb.pretty_printers.insert(0, printer_of)


def lldb_summary(value, _):
    """Is the summary of lldb."""
    import lldb

    value = value.GetNonSyntheticValue()
    if value.GetType().IsReferenceType():
        value = value.Dereference()
    process, address = value.GetProcess(), value.GetLoadAddress()

    def read(place, size):
        error = lldb.SBError()
        data = process.ReadMemory(place, size, error)
        if error.Fail():
            raise NoTensor
        return data

    def call(place):
        options = lldb.SBExpressionOptions()
        options.SetUnwindOnError(True)
        text = value.GetTarget().EvaluateExpression(f"(const char *)torchbook_repr((void *){place})", options)
        return process.ReadCStringFromMemory(text.GetValueAsUnsigned(), 1 << 20, lldb.SBError())

    return text_of(read, call, address, struct.unpack("<Q", read(address, 8))[0])


def __lldb_init_module(debugger, _):
    debugger.HandleCommand(f"type summary add -F {__name__}.lldb_summary at::Tensor at::TensorBase")


try:
    import gdb as _gdb
except ImportError:
    pass
else:
    in_gdb(_gdb)
