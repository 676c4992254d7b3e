"""Describes the values of names after each cell of a twin, in the same form as torchbook/runtime/proof.h does for a port.
Precedes carry.py in the same text.
"""
import collections
import ctypes
import hashlib
import pathlib
import types

LONGEST_TEXT = 200  # bytes of a leaf
MOST_PARTS = 1000  # of an array
MOST_ELEMENTS = 6  # of a tensor that is written out
DEEPEST = 8  # objects in objects
PLAIN = (bool, int, float, complex, str, type(None), pathlib.PurePath)


def hash_of(data):
    return hashlib.sha1(data).hexdigest()[:16] if data else ""


def leaf(text):
    data = text.encode(errors="backslashreplace")
    if len(data) > LONGEST_TEXT:
        return leaf(f"{len(data)} bytes, {hash_of(data)}")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def array(items):
    text = f"[{','.join(items)}]"
    if len(items) <= MOST_PARTS:
        return text
    if "null" in text or '"members"' in text:  # as proof.cpp has it
        return "null"
    return leaf(f"{len(items)} items, {hash_of(text.encode(errors='backslashreplace'))}")


def functions_in(value):
    """Returns the functions of a function, or of a class of the notebook."""
    if isinstance(value, types.FunctionType):
        return [value]
    if isinstance(value, type) and value.__module__ == "__main__":
        found = (getattr(each, "__func__", getattr(each, "fget", each)) for each in vars(value).values())
        return [each for each in found if isinstance(each, types.FunctionType)]
    return []


def names_in(code):
    """Returns the names that a code reads or writes, also in the functions in it."""
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return set(code.co_names).union(*map(names_in, inner))


class Texts:
    """Describes values as texts."""

    def __init__(self, torch):
        self.torch = torch
        self.last = {}  # by name

    def changed(self, names):
        """Returns the texts of the names that have changed since the last call."""
        held = {name: value for name, value in names.items()
                if not name.startswith("_") and not isinstance(value, (type, types.ModuleType, types.FunctionType))}
        texts = {**{name: self.text(value) for name, value in held.items()}, **self.settings()}
        changed = {name: text for name, text in texts.items() if self.last.get(name) != text}
        changed.update((name, "null") for name in self.last if name not in texts)
        self.last = texts
        return changed

    def settings(self):
        torch = self.torch
        found = {"torch.get_rng_state()": self.text(torch.random.get_rng_state()),
                 "torch.get_default_dtype()": leaf(repr(torch.get_default_dtype())),
                 "torch.is_grad_enabled()": leaf(repr(torch.is_grad_enabled())),
                 "torch.get_printoptions()": leaf(repr(vars(torch._tensor_str.PRINT_OPTS)))}
        if "random" in sys.modules:
            found["random.getstate()"] = self.words(*sys.modules["random"].getstate()[1])
        if "numpy" in sys.modules:
            state = sys.modules["numpy"].random.get_state()
            if state[0] == "MT19937":
                found["np.random.get_state()"] = self.words(*state[1], state[2])
        return found

    @staticmethod
    def words(*words):
        return leaf(hash_of(" ".join(map(str, words)).encode()))

    def read(self, source, names):
        """Returns the names of the notebook that a cell reads or writes, also in the functions that it calls."""
        try:
            found = names_in(compile(source, "cell", "exec"))
        except (SyntaxError, ValueError):
            return []
        waiting, seen = list(found), set()
        while waiting:
            value = names.get(waiting.pop())
            for function in functions_in(value) + functions_in(type(value)):
                if function.__globals__ is names and function not in seen:
                    seen.add(function)
                    more = names_in(function.__code__) - found
                    found |= more
                    waiting += more
        return sorted(name for name in found if name in names)

    def text(self, value, depth=0):
        torch = self.torch
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if type(value) in PLAIN or isinstance(value, (PLAIN[-1], torch.dtype, torch.device)):
            return leaf(repr(value))
        if type(value).__name__ == "_IncompatibleKeys":
            return leaf(repr(value))
        if isinstance(value, (list, tuple, collections.deque)):
            return array([self.text(each, depth) for each in value])
        if isinstance(value, dict):
            return '{"dict":' + array([f"[{self.text(key, depth)},{self.text(item, depth)}]"
                                       for key, item in value.items()]) + "}"
        if type(value).__module__ == "numpy":
            return self.of_numpy(value)
        if depth < DEEPEST and isinstance(value, torch.nn.Module):
            return self.members({**self.of_module(value), **self.attributes(value, depth)})
        if depth < DEEPEST and type(value).__module__ == "__main__":
            return self.members(self.attributes(value, depth))
        return "null"

    def of_numpy(self, value):
        if hasattr(value, "dtype") and value.dtype.kind in "biuf" and value.dtype.name not in ("uint16", "uint32", "uint64"):
            if type(value).__name__ != "ndarray":
                return leaf(str(value))
            return self.tensor(self.torch.from_numpy(value.copy()))
        return "null"

    def tensor(self, value):
        plain = value.layout == self.torch.strided and not value.is_quantized and not value.is_nested
        if not plain or value.device.type != "cpu" or self.torch.nn.parameter.is_lazy(value):
            return "null"
        gradient = value.grad if value.requires_grad and value.is_leaf else None
        more = "" if gradient is None else f", gradient {self.description(gradient)}"
        return leaf(self.description(value) + more)

    def description(self, value):
        sizes = ", ".join(map(str, value.shape))
        wants = " requires_grad" if value.requires_grad else ""
        return f"tensor {str(value.dtype).split('.')[-1]} ({sizes}) {self.elements(value)}{wants}"

    def elements(self, value):
        plain = value.detach().resolve_conj().resolve_neg().contiguous()
        if plain.numel() > MOST_ELEMENTS or plain.is_complex():
            return hash_of(ctypes.string_at(plain.data_ptr(), plain.numel() * plain.element_size()))
        return repr(plain.reshape(-1).tolist())

    def of_module(self, value):
        tensors = {**dict(value.named_parameters()), **dict(value.named_buffers())}
        return {**{name: self.tensor(each) for name, each in tensors.items()}, "training": leaf(repr(value.training))}

    def attributes(self, value, depth):
        held = {name: each for name, each in getattr(value, "__dict__", {}).items() if not name.startswith("_")}
        return {name: self.text(each, depth + 1) for name, each in held.items() if name != "training"}

    @staticmethod
    def members(texts):
        return '{"members":{' + ",".join(f"{leaf(name)}:{text}" for name, text in texts.items()) + "}}"
