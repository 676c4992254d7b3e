"""Writes a case as a literal test like those of tests/pyrepr: exact values in C++ and Python, and PyTorch's text."""

from cases import NO_THRESHOLD, Options, contiguous
from cpp import CPP_DTYPES, INDENT, braces, cpp_number, cpp_string, python_number
from tree_text import cpp_text, python_text
from values import DTYPES, parts_of

WIDEST = {  # a helper of tensors.h, and the dtype that it returns
    "int": ("i64", "int64"),
    "bool": ("i64", "int64"),
    "bits": ("i64", "int64"),
    "float": ("f64", "float64"),
    "complex": ("c128", "complex128"),
}


def from_widest(name):
    """Returns the C++ and Python suffixes that convert the widest dtype of a family to this one."""
    cpp, python = CPP_DTYPES[name], f"torch.{name}"
    if name == "uint64":  # int64 has the same bits, but other values
        return f".view({cpp})", f".view({python})"
    if DTYPES[name].family == "bits":
        return f".to(at::kByte).view({cpp})", f".to(torch.uint8).view({python})"
    return f".to({cpp})", f".to({python})"


def strided(tensor):
    """Returns the C++ and the Python expression of a strided tensor."""
    dtype = DTYPES[tensor.dtype]
    numbers = parts_of(tensor.data, DTYPES["int64"] if tensor.dtype == "uint64" else dtype)
    cpp, python = [cpp_number(value) for value in numbers], [python_number(value) for value in numbers]
    if dtype.family == "complex":
        cpp = [f"{{{real}, {imaginary}}}" for real, imaginary in zip(cpp[::2], cpp[1::2])]
        python = [f"complex({real}, {imaginary})" for real, imaginary in zip(python[::2], python[1::2])]
    helper, widest = WIDEST[dtype.family]
    cpp_text = f"{helper}({braces(cpp)})"
    python_text = f"torch.tensor([{', '.join(python)}], dtype=torch.{widest})"
    if tensor.dtype != widest:
        cpp_text, python_text = (text + more for text, more in zip((cpp_text, python_text), from_widest(tensor.dtype)))
    if tensor.strides != contiguous(tensor.sizes) or tensor.offset or len(tensor.sizes) != 1:
        cpp_text += f".as_strided({braces(tensor.sizes)}, {braces(tensor.strides)}, {tensor.offset})"
        python_text += f".as_strided({tensor.sizes}, {tensor.strides}, {tensor.offset})"
    return cpp_text, python_text


def named(case, cpp, python):
    names = case.text.decode().split(",") if case.text else []
    symbols = [f'at::Dimname::fromSymbol(at::Symbol::dimname("{name}"))' for name in names]
    symbols = ["at::Dimname::wildcard()" if name == "None" else symbol for name, symbol in zip(names, symbols)]
    quoted = [name if name == "None" else f"'{name}'" for name in names]
    return f"{cpp[0]}.rename(std::vector<at::Dimname>{braces(symbols)})", f"{python[0]}.rename({', '.join(quoted)})"


def meta(case, *_):
    dtype = case.tensors[0].dtype
    cpp = f"at::empty({braces(case.integers)}, at::TensorOptions().device(at::kMeta).dtype({CPP_DTYPES[dtype]}))"
    return cpp, f"torch.empty({case.integers}, dtype=torch.{dtype}, device='meta')"


def called(name, last=lambda case: ("", ""), tail=""):
    """Returns a call of a function on both sides, with the tensors and the arguments that `last` returns."""

    def call(case, *sides):
        texts = [", ".join(side + [more] if more else side) for side, more in zip(sides, last(case))]
        return f"at::{name}({texts[0]}){tail}", f"torch.{name}({texts[1]}){tail}"

    return call


def method(tail):
    return lambda case, cpp, python: (cpp[0] + tail, python[0] + tail)


def sizes(case):
    return braces(case.integers), str(case.integers)


def compressed_sizes(case):
    cpp, python = sizes(case)
    layout = f"at::kSparse{case.kind.capitalize()}"
    options = f"at::TensorOptions({CPP_DTYPES[case.tensors[2].dtype]}).layout({layout})"
    return f"{cpp}, {options}", f"{python}, layout=torch.sparse_{case.kind}"


def nested(case, cpp, python):
    tensors = f"std::vector<at::Tensor>{braces(cpp)}"
    return f"at::_nested_tensor_from_tensor_list({tensors})", f"torch.nested.nested_tensor([{', '.join(python)}])"


def parameter(case, cpp, python):
    return f"Parameter{{{cpp[0]}.requires_grad_()}}", f"torch.nn.Parameter({python[0]})"


COMPRESSED = called("sparse_compressed_tensor", compressed_sizes)
TENSORS = {
    "dense": method(""),
    "requires_grad": method(".requires_grad_()"),
    "grad_fn": method(".requires_grad_().clone()"),
    "parameter": parameter,
    "conj": method(".conj()"),
    "neg": called("_neg_view"),
    "names": named,
    "meta": meta,
    "coo": called("sparse_coo_tensor", sizes),
    "coo_coalesced": called("sparse_coo_tensor", sizes, ".coalesce()"),
    **dict.fromkeys(("csr", "csc", "bsr", "bsc"), COMPRESSED),
    "quantized": called(
        "_make_per_tensor_quantized_tensor", lambda case: (f"{case.real!r}, {case.integers[0]}",) * 2
    ),
    "per_channel": called("_make_per_channel_quantized_tensor", lambda case: (str(case.integers[0]),) * 2),
    "nested": nested,
}


def formatted(case):
    """Returns format(value, spec) in C++ and in Python."""
    if case.kind == "format_tensor":
        cpp, python = strided(case.tensors[0])
    elif case.kind == "format_float":
        cpp, python = cpp_number(case.real), python_number(case.real)
    elif case.kind == "format_int":
        cpp, python = f"std::int64_t{{{cpp_number(case.integers[0])}}}", str(case.integers[0])
    else:
        cpp, python = ("true", "True") if case.integers[0] else ("false", "False")
    return f"format({cpp}, {cpp_string(case.text)})", f"format({python}, {case.text.decode()!r})"


def value(case):
    """Returns the printed value in C++ and in Python, without the repr around it."""
    if case.trees:
        tensors = [strided(tensor) for tensor in case.tensors]
        cpp, python = ([side[place] for side in tensors] for place in (0, 1))
        return cpp_text(case.trees[0], cpp, case.kind.endswith("ivalue")), python_text(case.trees[0], python)
    if case.kind in TENSORS:
        return TENSORS[case.kind](case, *map(list, zip(*map(strided, case.tensors))))
    if case.kind.startswith("format"):
        return formatted(case)
    if case.kind == "string":
        cpp = f"std::string_view({cpp_string(case.text)}, {len(case.text)})"
        return cpp, f"{case.text!r}.decode('utf-8', 'surrogateescape')"
    if case.kind == "size":
        return f"Size{{{braces(case.integers)}}}", f"torch.Size({list(case.integers)})"
    cpp, python = cpp_number(case.real), python_number(case.real)
    if case.kind == "round":
        return tuple(f"round({number}, {case.integers[0]})" for number in (cpp, python))
    return cpp, python


def option_lists(options):
    """Returns the options that differ from the defaults, as designated initialisers of C++ and keywords of Python."""
    given = {name: value for name, value in options._asdict().items() if value != getattr(Options(), name)}
    given.pop("default_dtype", None)
    cpp = [f".{name} = {str(value).lower()}" for name, value in given.items()]
    python = [f"{name}={value}" for name, value in given.items()]
    largest = str(NO_THRESHOLD)
    return ", ".join(cpp).replace(largest, "PrintOptions::no_threshold"), ", ".join(python).replace(largest, "inf")


def shown_by(case):
    """Returns the function that makes the text, in both languages."""
    return "pretty" if case.kind.startswith("pretty") else "repr"


def judged(case, python, keywords):
    """Returns the Python expression of the whole text. judge.py of tests/pyrepr evaluates it."""
    if case.kind.startswith("format"):
        return python
    default = case.options.default_dtype
    shown = shown_by(case)
    keyword = "" if shown == "repr" else f", shown={shown}"
    if default == "float32":
        return f"repr_with({python}, {keywords}{keyword})" if keywords else f"{shown}({python})"
    text = f"repr_with_default(torch.{default}, lambda: {python}{keyword})"
    if not keywords:
        return text
    return f"(torch.set_printoptions({keywords}), {text}, torch.set_printoptions(profile='default'))[1]"


def literal(difference, seed):
    """Returns a GoogleTest case like those of tests/pyrepr."""
    case, expected = difference.case, difference.expected
    cpp, python = value(case)
    initialisers, keywords = option_lists(case.options)
    python = judged(case, python, keywords)
    cpp = cpp if case.kind.startswith("format") else f"{shown_by(case)}({cpp})"
    lines = [f"TEST(Differential, Seed{seed}Case{difference.number}) {{  // {case.kind}"]
    if initialisers:
        lines.append(f"  const ScopedPrintOptions options({{{initialisers}}});")
    if expected.status == "raises":
        lines.append(f"  EXPECT_ANY_THROW({cpp});  // {python}: {expected.text}")
    else:
        lines.append(f"  EXPECT_PYTHON({cpp_string(python)},\n{INDENT}{cpp},\n{INDENT}{cpp_string(expected.text)});")
    if case.options.default_dtype != "float32":
        default = "  c10::set_default_dtype(c10::scalarTypeToTypeMeta({}));"
        lines.insert(1, default.format(CPP_DTYPES[case.options.default_dtype]))
        lines.append(default.format("at::kFloat"))
    return "\n".join(lines + ["}"])
