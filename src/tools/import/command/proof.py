"""Describes the values of names after each cell of a twin, in the same form as torchbook/runtime/proof.h does for a port.
Precedes carry.py in the same text.
"""
import collections
import ctypes
import hashlib
import pathlib
import types

LONGEST_TEXT = 200  # bytes of a leaf
MOST_ITEMS_TOLD = 100_000  # of an array
MOST_TOLD = 1_000_000  # values in the text of a name
MOST_READABLE = 6  # elements of a tensor that are written as numbers; the bytes of others are
MOST_ELEMENTS = 1000  # of a tensor that is written out
DEEPEST = 100  # values in values
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
    if len(items) <= MOST_ITEMS_TOLD:
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
        self.of_modules = set(vars(torch.nn.Module()))  # attributes that each module has

    def changed(self, names):
        """Returns the texts of the names that have changed since the last call."""
        held = {name: value for name, value in names.items()
                if not name.startswith("__") and not isinstance(value, (type, types.ModuleType, types.FunctionType))}
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

    def text(self, value):
        """Returns the text of a value. An object that it holds several times is written out once, with a number."""
        self.numbers, self.count, self.left = {}, 0, MOST_TOLD
        return self.part(value, 0)

    def part(self, value, depth):
        torch = self.torch
        self.left -= 1
        if self.left < 0 or depth > DEEPEST:
            return "null"
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if type(value) in PLAIN or isinstance(value, (PLAIN[-1], torch.dtype, torch.device)):
            return leaf(repr(value))
        if type(value).__name__ == "_IncompatibleKeys":
            return leaf(repr(value))
        if type(value).__module__ == "numpy":
            return self.of_numpy(value)
        is_list, is_dict = isinstance(value, (list, tuple, collections.deque)), isinstance(value, dict)
        if not is_list and not is_dict and not isinstance(value, torch.nn.Module) and type(value).__module__ != "__main__":
            return "null"
        if id(value) in self.numbers:
            return f'{{"id":{self.numbers[id(value)]}}}'
        self.count += 1
        number = self.numbers[id(value)] = self.count
        if is_list or is_dict:
            items = ([self.part(each, depth + 1) for each in value] if is_list else
                     [f"[{self.part(key, depth + 1)},{self.part(item, depth + 1)}]" for key, item in value.items()])
            return self.numbered(value, "list" if is_list else "dict", array(items))
        of_module = self.of_module(value) if isinstance(value, torch.nn.Module) else {}
        return self.members(number, {**of_module, **self.attributes(value, depth)})

    def numbered(self, value, kind, items):
        """Returns the text of a list or dict. Without an object in it, it has no number and is written out each time."""
        if '"id"' in items:
            return f'{{"id":{self.numbers[id(value)]},"{kind}":{items}}}'
        del self.numbers[id(value)]
        return items if kind == "list" else f'{{"{kind}":{items}}}'

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
        more = [leaf("no gradient")] if gradient is None else self.description(gradient)
        return f"[{','.join(self.description(value) + more)}]"

    def description(self, value):
        """Returns the texts of dtype and shape, and of the elements."""
        sizes = ", ".join(map(str, value.shape))
        wants = " requires_grad" if value.requires_grad else ""
        return [leaf(f"tensor {str(value.dtype).split('.')[-1]} ({sizes}){wants}"), self.elements(value)]

    def elements(self, value):
        plain = value.detach().resolve_conj().resolve_neg().contiguous()
        if plain.numel() <= MOST_READABLE and not plain.is_complex():
            return f"[{','.join(leaf(repr(each)) for each in plain.reshape(-1).tolist())}]"
        data = ctypes.string_at(plain.data_ptr(), plain.numel() * plain.element_size())
        if plain.numel() > MOST_ELEMENTS:
            return leaf(hash_of(data))
        return f"[{','.join(map(leaf, data.hex(' ', plain.element_size()).split()))}]"

    def of_module(self, value):
        tensors = {**dict(value.named_parameters()), **dict(value.named_buffers())}
        return {**{name: self.tensor(each) for name, each in tensors.items()}, "training": leaf(repr(value.training))}

    def attributes(self, value, depth):
        own = set() if not isinstance(value, self.torch.nn.Module) else self.of_modules
        held = {name: each for name, each in getattr(value, "__dict__", {}).items() if name not in own}
        return {name: self.part(each, depth + 1) for name, each in held.items()}

    @staticmethod
    def members(number, texts):
        return f'{{"id":{number},"members":{{' + ",".join(f"{leaf(name)}:{text}" for name, text in texts.items()) + "}}"
