"""Records the values of names after each cell of a twin, for cells that are not translated, and to prove those that are.
Follows record_twin.py, proof.py, observe.py and words.py in the same text.

A Carrier appends to two files at the end of each cell, so that a twin that is ended loses no earlier cell. One file has
tensors, {"0": tensor, ...}, as torch.save writes them, once for each cell that has any. The other one has a line of JSON for
each cell: {"cell": 3, "names": {"X": NAME}, "generator": "7" or null, "bytes": of its tensors, "texts": {"X": proof.py's text
of the value}, "numpy": 1 or 2, "read": names, "files": {"read": [...], "written": [...]}, "words": [["ids", ["cat", ...]],
...]}, with the names that the cell changed, the release as which NumPy prints, the names that the cell reads, at most
MOST_FILES of the files that it opened or removed, and the observations of an Observer.

NAME is {"shares": ["Y", "object.attribute"], "same": [...], "parts": [...]}, as shared() returns them, with "type": TYPE and
"value": VALUE, or with "why": "a Linear".
TYPE is {"kind": "tensor", "numbers", "dimensions", "shape", "gradient"}, {"kind": "list", "items": [TYPE]},
{"kind": "module", "new": true} and the like.
VALUE is a text, a bool, an int, null, {"floating": "0x1.8p+1"}, {"tensor": "5"}, {"list": [VALUE]}, {"tuple": [VALUE]} or
{"dict": [[VALUE, VALUE]]}; for a module or an optimizer, a dict of its state, which carried_state.cpp reads. A number in a
text is that of a tensor. LibTorch reads dicts of several tensors, but not everything that Python pickles.
"""
import ctypes
import hashlib
import io
import json
import os
import random
import sys
import types
import weakref

MOST_CARRIED = 64 << 20  # bytes of all values
MOST_ITEMS = 100_000  # of one value
MOST_FILES = 100  # of a cell


def with_article(word):
    """Returns `a Linear`, `an Account`, or `an LSTM`, which is spelled out."""
    vowel = "AEFHILMNORSX" if word[:2].isupper() else "AEIOaeio"
    return f"{'an' if word[0] in vowel else 'a'} {word}"


class NotCarried(Exception):
    """Raised for a value that cannot be carried. The text describes the value: `a Linear`."""

    @classmethod
    def of(cls, value, more=""):
        return cls(with_article(type(value).__name__) + more)


def share_entropy():
    """Gives all runs of a notebook the same numbers where it sets no seed. Then two runs differ only in what varies by itself,
    such as a time, and the outcome of an import does not depend on luck."""
    source = random.Random(0)
    random._urandom = source.randbytes  # of SystemRandom, by which NumPy's new generators and secrets draw
    random.seed(0)
    try:
        import numpy
    except ImportError:
        return
    numpy.random.seed(0)


class Carrier:
    def __init__(self, torch, values_file, types_file):
        self.torch = torch
        self.values = open(values_file, "ab")
        self.types = open(types_file, "a", encoding="utf-8")
        self.tensors = {}  # of the cell that has ended
        self.count = 0  # of the tensors of all cells
        self.pending = []  # tensors of the current value
        self.known = {}  # by name: its state at the last call
        self.attributes = weakref.WeakKeyDictionary()  # of modules and optimizers: attributes outside of their state
        self.left = MOST_CARRIED
        self.texts = Texts(torch)
        self.observer = Observer(torch)
        self.words = Words(torch)
        self.size = 0  # of the current value
        self.generator = self.state()
        self.files = {"read": [], "written": []}  # by the cell that runs
        share_entropy()
        self.save = torch.save
        torch.save = self.saved  # it opens its files in C++, where Python cannot see it
        sys.addaudithook(self.audit)
        self.note({}, 0, "")  # the settings

    def saved(self, *arguments, **named):
        for each in (*arguments, *named.values()):
            if isinstance(each, (str, os.PathLike)):
                self.see_file("written", each)
        return self.save(*arguments, **named)

    def audit(self, event, arguments):
        """Notes that a file of the notebook is opened, moved or removed."""
        if event in ("os.rename", "os.remove", "os.truncate", "os.rmdir"):
            self.see_file("written", arguments[0])
        elif event == "open" and isinstance(arguments[1], str):
            self.see_file("written" if set(arguments[1]) & set("wax+") else "read", arguments[0])

    def see_file(self, how, path):
        name = os.fspath(path) if isinstance(path, (str, os.PathLike)) else ""
        inside = type(name) is str and name and (not os.path.isabs(name) or name.startswith(os.getcwd()))
        if (inside or how == "written") and str(name) not in self.files[how] and len(self.files[how]) < MOST_FILES:
            self.files[how].append(str(name))

    def state(self):
        return bytes(self.torch.random.get_rng_state().tolist())

    def note(self, names, position, source):
        """Writes the changes of the notebook's names since the last call."""
        cell = {}
        shared = self.shared({**names, **self.attributes_of_objects(names)})
        for name, value in list(names.items()):
            if name.startswith("_") or isinstance(value, (type, types.ModuleType, types.FunctionType,
                                                          types.BuiltinFunctionType)) or name == "display":
                continue
            with_it = {how: sorted(held - {name}) for how, held in shared.get(name, {}).items()}
            try:
                self.size, self.pending = 0, []
                digest = hashlib.blake2b(digest_size=16)
                described, plain = self.described(value, digest, [MOST_ITEMS])
                if self.known.get(name) == digest.digest():
                    continue
                if self.size > self.left:
                    raise NotCarried(f"more than {MOST_CARRIED >> 20} MiB together with others")
                self.left -= self.size
                self.known[name] = digest.digest()
                cell[name] = {"type": described, **with_it, "value": plain}
                self.keep(self.pending)
            except NotCarried as reason:
                if self.known.get(name) != id(value):
                    self.known[name] = id(value)
                    cell[name] = {"why": str(reason), **with_it}
        number = repr(sys.modules["numpy"].float64()) if "numpy" in sys.modules else ""
        generator = None
        if self.state() != self.generator:
            self.generator = self.state()
            generator = str(self.count)
            self.keep([self.torch.random.get_rng_state()])
        self.write({"cell": position, "names": cell, "generator": generator, "texts": self.texts.changed(names),
                    "numpy": 2 if number.startswith("np.") else 1, "read": self.texts.read(source, names), "files": self.files,
                    "words": self.words.of(source, names), **self.observer.seen()})
        self.files = {"read": [], "written": []}

    def keep(self, tensors):
        for tensor in tensors:
            self.tensors[str(self.count)] = tensor
            self.count += 1

    def write(self, noted):
        held = io.BytesIO()
        if self.tensors:
            if len(self.tensors) == 1:  # a dict of one item is pickled in another way
                self.keep([self.torch.zeros(1)])
            self.save(self.tensors, held)
            self.tensors = {}
        self.values.write(held.getvalue())
        self.values.flush()
        self.types.write(json.dumps({**noted, "bytes": held.tell()}) + "\n")
        self.types.flush()

    def attributes_of_objects(self, names):
        """Returns the attributes of the notebook's objects, but modules, by names such as `counter.items`."""
        return {f"{name}.{attribute}": part for name, value in names.items()
                if type(value).__module__ == "__main__" and not isinstance(value, self.torch.nn.Module)
                for attribute, part in getattr(value, "__dict__", {}).items()}

    def shared(self, names):
        """Returns, for each name, the names that hold the same memory or object ("shares"): if that is a list or dict,
        as the whole of both ("same"), or as a part of one ("parts")."""
        holders = {}
        for name, value in names.items():
            for key in self.held(value, 3):
                holders.setdefault(key, set()).add(name)
        found = {}
        for (kind, _), together in holders.items():
            for name in together if len(together) > 1 else ():
                of = found.setdefault(name, {"shares": set(), "same": set(), "parts": set()})
                of["shares"] |= together
                same = {other for other in together if names[other] is names[name]} if kind == "list" else set()
                of["same"] |= same
                of["parts"] |= together - same if kind == "list" else set()
        return found

    def held(self, value, depth):
        if type(value) is self.torch.Tensor:
            yield "memory", self.memory_of(value)
        elif type(value).__module__ == "numpy" and type(value).__name__ == "ndarray":
            yield "memory", self.memory_of(self.torch.as_tensor(value)) if value.dtype.kind in "biuf" else id(value)
        elif type(value) in (list, dict, tuple) and depth > 0 and len(value) <= 1000:
            yield "list", id(value)
            for item in value.values() if type(value) is dict else value:
                yield from self.held(item, depth - 1)
        elif isinstance(value, (self.torch.nn.Module, self.torch.optim.Optimizer)):
            yield "object", id(value)
            if isinstance(value, self.torch.nn.Module):
                for part in value.children():
                    yield from self.held(part, depth)
                for tensor in (*value.parameters(recurse=False), *value.buffers(recurse=False)):
                    yield from self.held(tensor.detach(), depth)

    @staticmethod
    def memory_of(tensor):
        storage = tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()
        return storage.data_ptr() or id(tensor)

    def described(self, value, digest, left):
        """Returns the type of a value and its carried form. Adds its contents to `digest`."""
        left[0] -= 1
        if left[0] < 0:
            raise NotCarried("it has too many items")
        digest.update(type(value).__name__.encode() + b";")
        if type(value) in KINDS:
            if type(value) is int and not -2**63 <= value < 2**63:
                raise NotCarried("an int is too large for C++")
            if type(value) is str and ("\0" in value or len(value) > MOST_CARRIED):
                raise NotCarried("a str with a null character")
            digest.update(repr(value).encode(errors="surrogatepass") + b";")
            return {"kind": KINDS[type(value)]}, {"floating": value.hex()} if type(value) is float else value
        if type(value) is self.torch.Tensor:
            return self.tensor(value, "tensor", digest)
        if type(value).__module__ == "numpy" and type(value).__name__ == "ndarray":
            if value.dtype.kind not in "biuf" or value.dtype.itemsize > 8 or value.dtype.name in ("uint16", "uint32", "uint64"):
                raise NotCarried(f"an array of {value.dtype.name}")
            return self.tensor(self.torch.from_numpy(value.copy()), "array", digest)
        if type(value) in (list, tuple):
            return self.sequence(value, digest, left)
        if type(value) is dict:
            return self.dict(value, digest, left)
        if isinstance(value, self.torch.nn.Module):
            return self.module(value, digest, left)
        if isinstance(value, self.torch.optim.Optimizer):
            return self.optimizer(value, digest)
        raise NotCarried.of(value)

    def tensor(self, value, kind, digest):
        torch = self.torch
        if value.layout != torch.strided or value.is_quantized or value.is_nested or value.device.type != "cpu":
            raise NotCarried("a tensor that is not dense and on the CPU")
        if value.grad_fn is not None or (value.requires_grad and value.grad is not None):
            raise NotCarried("a tensor with gradients")
        plain = value.detach().clone(memory_format=torch.contiguous_format)
        size = plain.numel() * plain.element_size()
        digest.update(f"{value.dtype};{list(value.shape)};{value.requires_grad};".encode())
        digest.update(ctypes.string_at(plain.data_ptr(), size) if size else b"")
        self.size += size
        return {**dict(tensor_type(torch, value, kind)), "shape": list(value.shape)}, self.pended(plain)

    def module(self, value, digest, left):
        """Carries the weights of a module, for the same module of C++. Nothing else in it may have changed."""
        parts = dict(value.named_modules())
        if len({part.training for part in parts.values()}) > 1:
            raise NotCarried.of(value, ", of which only a part is in training")
        tensors = {**dict(value.named_parameters()), **dict(value.named_buffers())}
        if any(self.torch.nn.parameter.is_lazy(each) for each in tensors.values()):
            raise NotCarried.of(value, " without sizes")
        is_new = self.keep_attributes(value, [(each, type(part).__name__, self.settings(part, left))
                                              for each, part in parts.items()])
        weights = dict(value.named_parameters())
        state = self.plain_tensors(tensors, digest)
        gradients = self.plain_tensors({each: weight.grad for each, weight in weights.items() if weight.grad is not None},
                                       digest)
        frozen = [each for each, weight in weights.items() if not weight.requires_grad]
        digest.update(f"{id(value)};{frozen};{value.training};".encode())
        return {"kind": "module", "new": is_new}, {"dict": [
            ["state", state], ["gradients", gradients], ["frozen", {"list": frozen}], ["training", value.training]]}

    def settings(self, module, left):
        """Returns the settings of a module: all but its parameters, buffers and parts."""
        found = []
        for name, value in sorted(vars(module).items()):
            if name.endswith("_hooks") and value:
                raise NotCarried.of(module, " with hooks")
            if name in self.texts.of_modules:
                continue
            if isinstance(value, self.torch.Tensor):
                raise NotCarried.of(module, " with a tensor that is not a parameter")
            if type(value) in (list, tuple, dict) and value:
                digest, size, pending = hashlib.blake2b(digest_size=16), self.size, len(self.pending)
                self.described(value, digest, left)
                self.size, self.pending = size, self.pending[:pending]
                found.append((name, digest.hexdigest()))
            else:
                plain = (bool, int, float, str, list, tuple, dict, type(None), self.torch.device, self.torch.dtype)
                found.append((name, repr(value) if type(value) in plain else id(value)))
        return found

    def keep_attributes(self, value, attributes):
        """Returns whether a value is new. Raises NotCarried if its attributes have changed since the last call."""
        is_new = value not in self.attributes
        if self.attributes.setdefault(value, repr(attributes)) != repr(attributes):
            raise NotCarried.of(value, " whose attributes change")
        return is_new

    def plain_tensors(self, tensors, digest):
        pairs = []
        for name, tensor in tensors.items():
            digest.update(name.encode())
            pairs.append([name, self.tensor(tensor.detach(), "tensor", digest)[1]])
        return {"dict": pairs}

    def optimizer(self, value, digest):
        optim = self.torch.optim
        if type(value) not in (optim.SGD, optim.Adam, optim.AdamW, optim.RMSprop, optim.Adagrad):
            raise NotCarried.of(value)
        groups = value.param_groups
        is_new = self.keep_attributes(value, [(key, repr(setting)) for group in groups
                                              for key, setting in group.items() if key not in ("params", "lr")])
        states = []
        for parameter in (each for group in groups for each in group["params"]):
            state = {key: item for key, item in value.state.get(parameter, {}).items() if item is not None}
            step = {"step": int(state.pop("step"))} if "step" in state else {}
            digest.update(f"{step};".encode())
            states.append({"dict": [*map(list, step.items()), *self.plain_tensors(state, digest)["dict"]]})
        rates = [float(group["lr"]) for group in groups]
        digest.update(f"{id(value)};{rates};".encode())
        return {"kind": "optimizer", "new": is_new}, {"dict": [
            ["rates", {"list": [{"floating": rate.hex()} for rate in rates]}], ["states", {"list": states}]]}

    def pended(self, tensor):
        self.pending.append(tensor)
        return {"tensor": str(self.count + len(self.pending) - 1)}

    def sequence(self, value, digest, left):
        kind = type(value).__name__
        if not value:
            raise NotCarried(f"an empty {kind}")
        parts = [self.described(item, digest, left) for item in value]
        items = [described for described, _ in parts]
        if kind == "list":
            if any(self.plain(item) != self.plain(items[0]) for item in items):
                raise NotCarried("a list of values of several types")
            items = [{**items[0], "numbers": "unknown", "dimensions": -1} if items[0]["kind"] == "tensor" else items[0]]
        return {"kind": kind, "items": items}, {kind: [plain for _, plain in parts]}

    def dict(self, value, digest, left):
        if not value:
            raise NotCarried("an empty dict")
        if {type(key) for key in value} not in ({str}, {int}):
            raise NotCarried("a dict whose keys are neither strs nor ints")
        keys = [self.described(key, digest, left) for key in value]
        parts = [self.described(item, digest, left) for item in value.values()]
        if any(self.plain(each[0]) != self.plain(parts[0][0]) for each in parts):
            raise NotCarried("a dict of values of several types")
        pairs = [[key[1], part[1]] for key, part in zip(keys, parts)]
        return {"kind": "dict", "items": [keys[0][0], parts[0][0]]}, {"dict": pairs}

    def plain(self, described):
        """Returns a type without the properties in which equal types may differ."""
        kept = {key: value for key, value in described.items() if key in ("kind", "gradient")}
        return {**kept, "items": [self.plain(item) for item in described.get("items", [])]}
