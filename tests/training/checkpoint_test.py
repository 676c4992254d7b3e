"""PyTorch judges the checkpoints that C++ loads and saves.

Usage: checkpoint_test.py CHECKPOINTS: the program that checkpoints.cpp makes.
"""
import argparse
import collections
import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

import torch

CHECKPOINTS = sys.argv[1]
SINCE_2_6 = tuple(int(part) for part in torch.__version__.split(".")[:2]) >= (2, 6)
DTYPES = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32,
          torch.float64, torch.complex64, torch.complex128, torch.bool]
NEW_DTYPES = [torch.uint16, torch.uint32, torch.uint64, torch.float8_e4m3fn, torch.float8_e5m2] if SINCE_2_6 else []
FORMATS = [{"_use_new_zipfile_serialization": zipped, "pickle_protocol": protocol}
           for zipped in (True, False) for protocol in (2, 3, 4, 5)]
SAFETENSORS = {torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64",
               torch.int32: "I32", torch.int16: "I16", torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL"}


def load(path):
    # weights_only of PyTorch 1.13 does not know floats
    return torch.load(path, weights_only=SINCE_2_6)


def raw(tensor):
    """Returns the bytes of the elements of a tensor."""
    flat = tensor.detach().contiguous().reshape(-1)
    return bytes(flat.view(torch.uint8).tolist()) if flat.numel() else b""


def plain(value):
    """Returns a value as an IValue has it."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return (list if isinstance(value, list) else tuple)(plain(item) for item in value)
    if isinstance(value, torch.nn.Parameter):
        return value.detach().requires_grad_(value.requires_grad)
    return value


def described(value, seen):
    """Returns all that is to be the same: kinds, bits, and which objects and storages occur again."""
    if isinstance(value, dict):
        return "dict", [(key, described(item, seen)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value), [described(item, seen) for item in value]
    if isinstance(value, torch.Tensor):
        storage = value.untyped_storage() if SINCE_2_6 else value.storage().untyped()
        place = seen.setdefault(storage.data_ptr(), len(seen))  # the same number for the same storage
        return (value.dtype, value.shape, value.stride(), value.storage_offset(), value.requires_grad, raw(value),
                storage.nbytes(), place)
    if isinstance(value, (float, complex)):
        return type(value), struct.pack("<2d", value.real, value.imag)
    return type(value), value


class Trees:
    """Makes random values."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.made = []

    def tensor(self):
        if self.made and self.random.random() < 0.4:  # shares memory with one before
            base = self.random.choice(self.made)
        else:
            dtype = self.random.choice(DTYPES)
            base = torch.randint(0, 2 if dtype == torch.bool else 100, (self.random.randrange(1, 4), 4, 3)).to(dtype)
            self.made.append(base)
        view = self.random.choice([
            lambda t: t, lambda t: t[0], lambda t: t[..., 1:], lambda t: t.transpose(0, 2), lambda t: t[:, ::2],
            lambda t: t[0, 0, 0], lambda t: t[:0], lambda t: t[:, :, :1].expand(-1, -1, 5), lambda t: t.permute(2, 0, 1)])(base)
        if view.is_floating_point() and self.random.random() < 0.3:
            return torch.nn.Parameter(view) if self.random.random() < 0.5 else view.detach().requires_grad_()
        return view

    def text(self):
        return "".join(self.random.choice("abc é\n'\"\\😀\0") for _ in range(self.random.choice([0, 3, 300])))

    def scalar(self):
        return self.random.choice([
            lambda: None, lambda: True, lambda: False, self.text, lambda: self.random.choice([0, -1, 255, 256, 65536]),
            lambda: self.random.randrange(-2**63, 2**63), lambda: self.random.randrange(-2**31, 2**31),
            lambda: self.random.uniform(-1, 1), lambda: self.random.choice([math.inf, math.nan, -0.0, 5e-324]),
            lambda: complex(self.random.random(), -0.0), lambda: torch.device("cuda", 1)])()

    def value(self, depth=4):
        size = self.random.choice([0, 1, 2, 3, 5])
        if depth == 0 or self.random.random() < 0.2:
            return self.tensor() if self.random.random() < 0.5 else self.scalar()
        items = [self.value(depth - 1) for _ in range(size)]
        if items and self.random.random() < 0.3:
            items.append(items[0])
        keys = [self.random.choice([self.text() + str(i), i * self.random.choice([1, 10**9])]) for i in range(len(items))]
        return self.random.choice([
            lambda: items, lambda: tuple(items), lambda: dict(zip(keys, items)), lambda: torch.Size(range(size)),
            lambda: collections.OrderedDict(zip(keys, items)), lambda: collections.Counter(keys)])()


class Checkpoints(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        torch.manual_seed(123)

    def run_on(self, paths):
        done = subprocess.run([CHECKPOINTS, *paths], cwd=self.folder, capture_output=True, check=True)
        texts = done.stdout.decode("utf-8").split("\n\n\n")
        self.assertEqual((len(texts) - 1, done.returncode), (len(paths), 0))
        return texts[:-1]

    def check(self, values):
        """Checks what C++ prints and saves of values, each of which is saved in another format."""
        for i, value in enumerate(values):
            torch.save(value, self.folder / str(i), **FORMATS[i % len(FORMATS)])
        for i, text in enumerate(self.run_on([str(i) for i in range(len(values))])):
            with self.subTest(value=i, format=FORMATS[i % len(FORMATS)]):
                self.assertEqual(text, repr(plain(values[i])))
                saved = load(self.folder / f"{i}.out")
                self.assertEqual(described(saved, {}), described(plain(values[i]), {}))

    def refusals(self, files):
        """Returns what C++ says of files that it does not take, without the names of the files."""
        for i, write in enumerate(files):
            write(self.folder / str(i))
        texts = self.run_on([str(i) for i in range(len(files))])
        for i, text in enumerate(texts):
            self.assertTrue(text.startswith(f"refused: {i}: "), text)
        self.assertEqual(len(list(self.folder.iterdir())), len(files))
        return [text.split(": ", 2)[2] for text in texts]

    def test_random_trees(self):
        self.check([Trees(seed).value() for seed in range(400)])

    def test_every_dtype_in_every_format(self):
        values = [torch.tensor([0, 1, 1, 0]).to(dtype) for dtype in DTYPES + NEW_DTYPES]
        self.check([[[value, value[1:3]] for value in values]] * len(FORMATS))

    def test_states_of_modules_and_optimizers(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 4))
        model[2].weight = model[0].weight
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        schedule = torch.optim.lr_scheduler.MultiStepLR(optimizer, [1, 1, 3])
        model(torch.randn(5, 4)).sum().backward()
        optimizer.step()
        self.check([{"model": model.state_dict(), "optim": optimizer.state_dict(), "schedule": schedule.state_dict(),
                     "parameters": list(model.parameters()), "epoch": 3}] * len(FORMATS))

    def test_what_python_refers_to_twice_is_one_object(self):
        tensor, inner = torch.ones(2), [1]
        torch.save([tensor, tensor, inner, inner, {"a": inner}], self.folder / "0")
        self.run_on(["0"])
        loaded = load(self.folder / "0.out")
        self.assertIs(loaded[0], loaded[1])
        self.assertIs(loaded[2], loaded[3])
        self.assertIs(loaded[2], loaded[4]["a"])

    def test_lazy_conjugates_keep_their_values(self):
        value = torch.tensor([1 + 2j, 3 - 4j])
        lazy = [value.conj(), value.clone().conj().imag]
        if not SINCE_2_6:  # 1.13 would save other values
            lazy = [tensor.resolve_conj().resolve_neg() for tensor in lazy]
        torch.save(lazy, self.folder / "0")
        self.assertEqual(self.run_on(["0"]), ["[tensor([1.-2.j, 3.+4.j]), tensor([-2.,  4.])]"])
        self.assertEqual([tensor.tolist() for tensor in load(self.folder / "0.out")], [[1 - 2j, 3 + 4j], [-2, 4]])

    def test_what_only_python_has_is_refused(self):
        values = {"an object of the class torch.nn.modules.linear.Linear": torch.nn.Linear(1, 1), "a set": {1}, "bytes": b"1",
                  "an int of more than 64 bits": 2**63, "torch.float32": torch.float32,
                  "a result of torch._utils._rebuild_sparse_tensor": torch.eye(2).to_sparse(),
                  "an object of the class collections.defaultdict": collections.defaultdict(list, {1: []}),
                  "an object of the class argparse.Namespace": argparse.Namespace(lr=1)}
        for options in FORMATS:
            def writer(value, options=options):
                return lambda path: torch.save(value, path, **options)
            self.assertEqual(
                self.refusals([writer([value]) for value in values.values()]),
                [f"it has {name}, which only Python has; save a state_dict(), numbers or texts instead" for name in values])
            for path in self.folder.iterdir():
                path.unlink()

    def test_pickles_of_python_2_and_of_the_first_releases(self):
        torch.save([torch.arange(6)], self.folder / "new")
        with zipfile.ZipFile(self.folder / "new") as archive:
            records = {name: archive.read(name) for name in archive.namelist()}
        storage = b"(U\x07storagectorch\nLongStorage\nU\x010U\x03cpuK\x06tQ"
        tensor = b"ctorch._utils\n_rebuild_tensor\n(" + storage + b"K\x01(K\x02t(K\x03ttR"
        pickle = b"\x80\x02ccollections\nOrderedDict\nq\x01](](U\x01aK\x01e](T\x01\x00\x00\x00b" + tensor + b"ee\x85q\x02R."
        with zipfile.ZipFile(self.folder / "0", "w") as archive:
            for name, data in records.items():
                archive.writestr(name, pickle if name.endswith("data.pkl") else data)
        # weights_only of no release knows all instructions of Python 2
        expected = dict(torch.load(self.folder / "0", weights_only=False))
        self.assertEqual(self.run_on(["0"]), [repr(expected)])
        self.assertEqual(described(load(self.folder / "0.out"), {}), described(expected, {}))

    def test_zip_files_that_are_not_of_torch_save(self):
        def rewrite(compression=zipfile.ZIP_STORED, **changed):
            def write(path):
                torch.save([torch.ones(1000)], path)
                with zipfile.ZipFile(path) as archive:
                    records = {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}
                with zipfile.ZipFile(path, "w", compression) as archive:
                    for name, data in {**records, **changed}.items():
                        if data is not None:
                            archive.writestr("archive/" + name, data)
            return write

        self.assertEqual(
            self.refusals([
                rewrite(zipfile.ZIP_DEFLATED), rewrite(byteorder=b"big"), rewrite(**{"constants.pkl": b""}),
                rewrite(**{"data.pkl": None}), rewrite(**{"data/0": None}), rewrite(**{"data/0": b"short"}),
                lambda path: path.write_bytes(b"PK\3\4"), lambda path: path.write_bytes(b""), lambda path: path.mkdir()]),
            ["it is a compressed zip file; torch.save writes one that is not", "it was written by a big-endian machine",
             "it is a TorchScript archive; torch::jit::load or torch::load reads it", "it is a zip file, but not of torch.save",
             "it lacks the storage '0'", "its storage '0' is too short", "it is cut off or damaged", "it is cut off or damaged",
             "cannot be read: Is a directory"])

    def test_records_that_share_their_bytes_take_no_memory(self):
        def write(path):
            torch.save([torch.ones(250_000) for _ in range(100)], path)
            with zipfile.ZipFile(path) as archive:
                names = archive.namelist()
                pickle = archive.read(next(name for name in names if name.endswith("data.pkl")))
            whole, entries = b"", []
            for name, data in {"data.pkl": pickle, "data/0": bytes(1_000_000)}.items():
                entries.append((name, len(whole), len(data)))
                whole += b"PK\3\4" + bytes(22) + struct.pack("<HH", 2 + len(name), 0) + b"a/" + name.encode() + data
            entries += [(f"data/{i}", *entries[1][1:]) for i in range(1, 100)]
            directory = b"".join(
                b"PK\1\2" + bytes(16) + struct.pack("<IIH12xI", size, size, 2 + len(name), at) + b"a/" + name.encode()
                for name, at, size in entries)
            end = struct.pack("<HHIIH", 101, 101, len(directory), len(whole), 0)
            path.write_bytes(whole + directory + b"PK\5\6" + bytes(4) + end)
        self.assertEqual(self.refusals([write]), ["its zip directory is damaged"])

    def test_safetensors(self):
        tensors = {"é\n": torch.randn(3, 2), "empty": torch.ones(0, 3), "scalar": torch.tensor(3)}
        tensors.update({str(dtype): torch.tensor([[0, 1, 1]]).to(dtype) for dtype in SAFETENSORS})
        header, data = {"__metadata__": {"format": "pt"}}, b""
        for name, tensor in tensors.items():
            header[name] = {"dtype": SAFETENSORS[tensor.dtype], "shape": list(tensor.shape),
                            "data_offsets": [len(data), len(data) + len(raw(tensor))]}
            data += raw(tensor)
        text = json.dumps(header).encode()
        (self.folder / "0.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
        self.assertEqual(self.run_on(["0.safetensors"]), [repr(tensors)])

        saved = (self.folder / "0.safetensors.out.safetensors").read_bytes()
        size, = struct.unpack_from("<Q", saved)
        header = json.loads(saved[8:8 + size])
        self.assertEqual((size % 8, header.pop("__metadata__")), (0, {"format": "pt"}))
        end = 0
        for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
            begin, end = end, end + len(raw(tensors[name]))
            self.assertEqual(entry, {"dtype": SAFETENSORS[tensors[name].dtype], "shape": list(tensors[name].shape),
                                     "data_offsets": [begin, end]})
            self.assertEqual(begin % tensors[name].element_size(), 0)
            self.assertEqual(saved[8 + size + begin:8 + size + end], raw(tensors[name]))
        self.assertEqual((len(saved), header.keys()), (8 + size + end, tensors.keys()))


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
