"""What torchbook.trace() records in Python."""
import os
import pathlib
import re
import sys
import unittest
import unittest.mock

import torch
import xxhash

import networks
import recording

import torchbook


def digest(tensor):
    """Returns the hash that the format demands, of the bytes that Python's lists give."""
    plain = tensor.detach().resolve_conj().contiguous().reshape(-1)
    plain = torch.view_as_real(plain).reshape(-1) if plain.is_complex() else plain
    return xxhash.xxh3_64_intdigest(bytes(plain.view(torch.uint8).tolist()))


class Python(unittest.TestCase):
    def recorded(self, body, net=None, **options):
        """Returns the records of `body`, their values, and what it returned."""
        file = recording.path("recorded.trace")
        with torchbook.trace(file, net, **options) as trace:
            result = body(trace)
        records, values = recording.read_file(file)
        self.assertEqual(records[-1], {"kind": "finished", "operations": len(recording.operations(records))})
        return records, values, result

    def test_inputs_are_as_before_and_outputs_as_after_an_operation(self):
        def body(_):
            x = torch.arange(4.0)
            before, view = digest(x), x[1:]
            x.add_(x)
            view.neg_()
            return before, digest(torch.arange(4.0) * 2), digest(x), x
        records, _, (before, doubled, after, x) = self.recorded(body)
        added, negated = recording.named(records, "aten::add_.Tensor"), recording.named(records, "aten::neg_")
        self.assertEqual(added["values"][0]["hash"], before)
        self.assertEqual(added["outputs"][0]["hash"], doubled)
        self.assertEqual(added["values"][2], 1)
        self.assertEqual(negated["values"][0]["storage"], added["values"][0]["storage"])
        self.assertEqual(negated["outputs"][0]["hash"], digest(x[1:]))

    def test_elements_are_in_row_major_order(self):
        x = torch.arange(6.0).view(2, 3)
        tensors = {"x": x, "t": x.t(), "column": x[:, 1], "row": x[0].expand(4, 3), "empty": x[:0], "0-d": x[1, 2],
                   "bf16": x.bfloat16(), "bool": x > 2, "complex": torch.view_as_complex(x.view(3, 2)[:2]).conj(),
                   "channels": torch.rand(2, 3, 4, 5).to(memory_format=torch.channels_last)}

        def body(trace):
            for name, tensor in tensors.items():
                trace.name(name, tensor)
        records, values, _ = self.recorded(body)
        named = {one["name"]: one["tensor"] for one in records if one["kind"] == "named"}
        self.assertEqual(list(named), list(tensors))
        for name, tensor in tensors.items():
            self.assertEqual(named[name]["hash"], digest(tensor), name)
            self.assertEqual(named[name]["sizes"], list(tensor.shape))
            self.assertEqual(named[name]["strides"], list(tensor.stride()))
            self.assertEqual(values[named[name]["hash"]][0], tensor.numel() * tensor.element_size())
        self.assertEqual(named["t"]["storage"], named["x"]["storage"])

    def test_only_the_first_bytes_of_a_large_tensor_are_kept(self):
        x = torch.arange(100.0)
        records, values, _ = self.recorded(lambda _: x.neg(), largest=8)
        (negated,) = recording.named(records, "aten::neg")["outputs"]
        self.assertEqual(values[negated["hash"]], (400, b"\0\0\0\x80\0\0\x80\xbf"))

    def test_odd_tensors_have_no_elements(self):
        tensors = [torch.eye(2).to_sparse(), torch.empty(2, 3, device="meta"),
                   torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8), torch.eye(2).to_mkldnn(),
                   torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])]

        def body(trace):
            for i, tensor in enumerate(tensors):
                trace.name(str(i), tensor)
                tensor.detach()
        records, _, _ = self.recorded(body)
        named = [one["tensor"] for one in records if one["kind"] == "named"]
        self.assertEqual([(one["flags"] & 2, one["hash"]) for one in named], [(2, 0)] * len(tensors))
        self.assertEqual([one["sizes"] for one in named], [[2, 2], [2, 3], [2], [2, 2], []])

    def test_the_generator_is_told_before_and_after(self):
        def body(_):
            torch.manual_seed(11)
            before = xxhash.xxh3_64_intdigest(bytes(torch.get_rng_state().tolist()))
            torch.ones(3).bernoulli_(0.5)
            after = xxhash.xxh3_64_intdigest(bytes(torch.get_rng_state().tolist()))
            own = torch.Generator().manual_seed(5)
            torch.ones(3).uniform_(generator=own)
            return before, after
        records, _, (before, after) = self.recorded(body)
        drawn = recording.named(records, "aten::bernoulli_.float")
        self.assertEqual((drawn["generator"], drawn["generator_after"]), ((11, before, True), (11, after, False)))
        self.assertNotEqual(before, after)
        seed, _, is_fresh = recording.named(records, "aten::uniform_")["generator"]
        self.assertEqual((seed, is_fresh), (5, True))

    def test_operations_know_their_module_and_line(self):
        inner = torch.nn.Sequential(torch.nn.Tanh(), torch.nn.Linear(2, 2))
        net = torch.nn.Sequential(torch.nn.Linear(2, 2), inner)
        weight = inner[1].weight.detach()

        def body(_):
            net(torch.ones(1, 2))
            try:
                net(torch.ones(1, 3))
            except RuntimeError:
                pass
            torch.sigmoid(torch.ones(1))
            torch.cos(weight)
            return sys._getframe().f_lineno
        records, _, end = self.recorded(body, net)
        roles = {one["name"]: one["role"] for one in records if one["kind"] == "named"}
        self.assertEqual(roles, {"0.weight": 0, "0.bias": 0, "1.1.weight": 0, "1.1.bias": 0})
        found = {one["operation"]: (one["module"], one["line"]) for one in recording.operations(records)}
        file = os.path.relpath(__file__) if __file__.startswith(os.getcwd() + os.sep) else __file__
        self.assertEqual(found["aten::tanh"], ("1.0", f"{file}:{end - 7}"))
        self.assertEqual(found["aten::sigmoid"], (None, f"{file}:{end - 2}"))
        self.assertEqual(found["aten::cos"], ("1.1", f"{file}:{end - 1}"))
        products = [one["module"] for one in recording.operations(records) if one["operation"] == "aten::addmm"]
        self.assertEqual(products[:2], ["0", "1.1"])

    def test_printing_is_not_recorded(self):
        x = torch.rand(3, 4)
        records, _, _ = self.recorded(lambda _: (x.neg(), repr(x), f"{x[0]}"))
        self.assertEqual([one for one in recording.names(records) if one != "aten::as_strided"],
                         ["aten::neg", "aten::select.int"])

    def test_nothing_changes_what_is_computed(self):
        def result():
            torch.manual_seed(3)
            net = networks.Net()
            value = net(torch.tensor([1, 4]))
            value.sum().backward()
            return [value.tolist(), net.wide.weight.grad.tolist(), torch.get_rng_state().tolist()]
        plain = result()
        _, _, recorded = self.recorded(lambda _: result())
        self.assertEqual(recorded, plain)

    def test_what_follows_the_block_is_not_recorded(self):
        file = recording.path("ended.trace")
        with self.assertRaises(ZeroDivisionError), torchbook.trace(file):
            torch.ones(1).neg()
            with self.assertRaisesRegex(RuntimeError, "another trace runs"):
                torchbook.trace(recording.path("other")).__enter__()
            1 / 0
        size = os.path.getsize(file)
        torch.ones(1).neg()
        self.assertEqual(os.path.getsize(file), size)
        records = recording.read_file(file)[0]
        self.assertEqual(recording.names(records).count("aten::neg"), 1)
        self.assertNotEqual(records[-1]["kind"], "finished")  # an exception ended it

    def test_a_forked_child_writes_nothing(self):
        def body(_):
            torch.ones(1).neg()
            child = os.fork()
            if child == 0:
                for i in range(2000):
                    torch.full((10,), i)
                os._exit(0)
            os.waitpid(child, 0)
            torch.ones(1).exp()
        records, _, _ = self.recorded(body)
        names = recording.names(records)
        self.assertEqual((names.count("aten::neg"), names.count("aten::exp")), (1, 1))
        self.assertNotIn("aten::full", names)

    def test_failures_are_told(self):
        for file, reason in (("/dev/full", "No space left"), ("/nowhere/x", "No such file"),
                             (__file__, "it is no trace, so it is not replaced")):
            with self.subTest(file), self.assertRaisesRegex((OSError, RuntimeError), reason):
                with torchbook.trace(file):
                    torch.ones(1)

    def test_a_library_for_another_pytorch_is_not_loaded(self):
        other = pathlib.Path(recording.path("other.so"))
        data = pathlib.Path(recording.LIBRARY).read_bytes()
        self.assertEqual(data.count(b"torchbook trace for LibTorch "), 1)
        other.write_bytes(data.replace(b"torchbook trace for LibTorch ", b"torchbook trace for LibTorch 9"))
        for library in (str(other), "/nowhere/lib.so", ""):
            with unittest.mock.patch.dict(os.environ, TORCHBOOK_TRACE_LIBRARY=library):
                with self.assertRaisesRegex(ImportError, f"^no libtorchbook_trace.so was built for PyTorch {re.escape(torch.__version__)}: .* cmake --build "):
                    torchbook.trace(recording.path("x.trace"))


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
