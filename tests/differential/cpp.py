"""Writes numbers, strings and dtypes as C++, and numbers as Python."""

import math

from values import DTYPES

CPP_DTYPES = {
    "uint8": "at::kByte", "int8": "at::kChar", "int16": "at::kShort", "int32": "at::kInt", "int64": "at::kLong",
    "float16": "at::kHalf", "float32": "at::kFloat", "float64": "at::kDouble", "complex32": "at::kComplexHalf",
    "complex64": "at::kComplexFloat", "complex128": "at::kComplexDouble", "bool": "at::kBool",
    "bfloat16": "at::kBFloat16", "bcomplex32": "at::kBComplex32", "uint16": "at::kUInt16", "uint32": "at::kUInt32",
    "uint64": "at::kUInt64",
}  # fmt: skip
CPP_DTYPES.update((name, "at::k" + name.capitalize()) for name, dtype in DTYPES.items() if dtype.family == "bits")
INDENT = " " * 16


def cpp_number(value):
    if isinstance(value, float) and not math.isfinite(value):
        return ("-" if math.copysign(1, value) < 0 else "") + ("kNan" if math.isnan(value) else "kInf")
    if value == -(2**63):
        return "std::numeric_limits<std::int64_t>::min()"
    return str(int(value)) if isinstance(value, bool) else str(value)


def python_number(value):
    negative_nan = isinstance(value, float) and math.isnan(value) and math.copysign(1, value) < 0
    return "-nan" if negative_nan else repr(value)


def braces(values):
    return "{" + ", ".join(map(str, values)) + "}"


def cpp_string(text):
    """Returns a C++ literal. A non-ASCII byte is octal, which takes at most three digits."""
    names = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    pieces = [names.get(chr(byte)) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data]
    return '"' + "".join(pieces).replace("\\n", '\\n"\n' + INDENT + '"') + '"'
