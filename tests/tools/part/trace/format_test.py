"""What a trace has, byte for byte, and what becomes of it if the program or the disk fails. C++ writes the traces."""
import json
import pathlib
import struct
import sys
import unittest

import xxhash

import recording


def checksum(data):
    return struct.pack("<I", xxhash.xxh3_64_intdigest(data) & 0xFFFFFFFF)


def record(kind, payload):
    head = struct.pack("<BI", kind, len(payload))
    return head + checksum(head) + payload + checksum(payload)


def string(text):
    return record(1, text.encode())


def value(data, kept):
    return record(4, struct.pack("<QQ", xxhash.xxh3_64_intdigest(data), len(data)) + data[:kept])


def tensor(dtype, sizes, strides, storage, data):
    """A tensor on the device of string 3 that requires no gradient."""
    head = struct.pack("<IIBB", dtype, 3, 0, len(sizes))
    return head + struct.pack(f"<{2 * len(sizes)}qIQ", *sizes, *strides, storage, xxhash.xxh3_64_intdigest(data))


class Format(unittest.TestCase):
    def test_every_byte(self):
        file = recording.path("tiny.trace")
        self.assertEqual(recording.run("tiny", file).returncode, 0)
        data = pathlib.Path(file).read_bytes()
        head = b"torchbook trace\n" + struct.pack("<I", 2)
        self.assertEqual(data[:20], head)
        kind, size = struct.unpack_from("<BI", data, 20)
        self.assertEqual(kind, 2)
        run = json.loads(data[29 : 29 + size])
        self.assertEqual((run["language"], run["recorder"]), ("C++", "callbacks"))
        self.assertEqual(set(run), {"language", "recorder", "libtorch", "build", "capability", "onednn", "blas", "threads", "compiler"})

        x, added = struct.pack("<2f", 1, 2), struct.pack("<2f", 4, 8)
        y, negative = struct.pack("<4q", 1, 3, 2, 4), struct.pack("<4q", -1, -3, -2, -4)
        old, new = tensor(2, [2], [1], 1, x), tensor(2, [2], [1], 1, added)
        place = struct.pack("<IIBB", 0, 0, 0, 0)  # neither module nor line, no backward graph, no generator
        expected = [
            string("x"), string("float32"), string("cpu"), value(x, 6), record(3, struct.pack("<IB", 1, 0 + 2) + old),
            string("a mark"), record(7, struct.pack("<I", 4)),
            string("aten::add_.Tensor"), string("self,other,alpha"), record(9, struct.pack("<II", 5, 6)),
            record(5, struct.pack("<I", 5) + place + struct.pack("<I", 3) + b"\1" + old + b"\1" + old + b"\2" + struct.pack("<q", 3)),
            value(added, 6), record(6, b"\0" + struct.pack("<I", 1) + b"\1" + new),
            string("aten::neg"), string("self"), record(9, struct.pack("<II", 7, 8)), string("int64"), value(y, 6),
            record(5, struct.pack("<I", 7) + place + struct.pack("<I", 1) + b"\1" + tensor(9, [2, 2], [1, 2], 2, y)),
            value(negative, 6), record(6, b"\0" + struct.pack("<I", 1) + b"\1" + tensor(9, [2, 2], [1, 2], 3, negative)),
            record(8, struct.pack("<Q", 2))]
        self.assertEqual(data[33 + size :], b"".join(expected))

    def test_a_killed_program_leaves_whole_records(self):
        file = recording.path("killed.trace")
        self.assertEqual(recording.run("killed", file).returncode, -9)
        data = pathlib.Path(file).read_bytes()
        records, _ = recording.reader.read(data)
        begun = [one for one in records if one["kind"] == "begin"]
        self.assertGreater(len(begun), 1000)
        self.assertNotEqual(records[-1]["kind"], "finished")
        position = 20
        while position < len(data):
            position += 13 + struct.unpack_from("<I", data, position + 1)[0]
        self.assertEqual(position, len(data))

    def test_a_trace_cut_anywhere_has_the_records_before(self):
        file = recording.path("tiny.trace")
        recording.run("tiny", file)
        data = pathlib.Path(file).read_bytes()
        whole, _ = recording.reader.read(data)
        for end in range(20, len(data)):
            part, _ = recording.reader.read(data[:end])
            self.assertEqual(part, whole[: len(part)])
            self.assertLess(len(part), len(whole))

    def test_a_full_disk_is_told_once(self):
        done = recording.run("thrown", "/dev/full")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (0, "", "torchbook: /dev/full: No space left on device\n"))
        done = recording.run("finished", "/dev/full")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "/dev/full: No space left on device\n", ""))

    def test_an_operation_that_throws_has_no_outputs(self):
        records, _ = recording.in_cpp("thrown")
        self.assertEqual(recording.named(records, "aten::mm")["outputs"], [])
        self.assertEqual(records[-1]["kind"], "finished")

    def test_a_trace_that_an_exception_ends_is_cut_off(self):
        file = recording.path("passed_on.trace")
        self.assertEqual(recording.run("passed_on", file).stdout, "passed on\n")
        records, _ = recording.read_file(file)
        self.assertEqual(recording.names(records).count("aten::neg"), 1)
        self.assertNotEqual(records[-1]["kind"], "finished")

    def test_only_a_trace_has_callbacks(self):
        file = recording.path("callbacks.trace")
        self.assertEqual(recording.run("callbacks", file).stdout, "010\n")
        records, _ = recording.read_file(file)
        self.assertEqual([one["kind"] for one in records], ["run", "finished"])

    def test_a_thread_has_one_trace(self):
        file = recording.path("twice.trace")
        self.assertEqual(recording.run("twice", file).stdout, f"{file}.other: another trace of this thread runs\n")
        records, _ = recording.read_file(file)
        self.assertEqual(recording.names(records).count("aten::neg"), 1)
        self.assertEqual(records[-1], {"kind": "finished", "operations": len(recording.names(records))})

    def test_only_a_trace_is_replaced(self):
        file = pathlib.Path(recording.path("precious.txt"))
        file.write_text("precious, and longer than the head of a trace")
        done = recording.run("finished", str(file))
        self.assertEqual(done.stdout, f"{file}: it is no trace, so it is not replaced\n")
        self.assertEqual(file.read_text(), "precious, and longer than the head of a trace")
        recording.in_cpp("tiny")
        again = recording.path("tiny.cpp.trace")
        size = pathlib.Path(again).stat().st_size
        pathlib.Path(again).write_bytes(pathlib.Path(again).read_bytes() + b"more")
        recording.in_cpp("tiny")
        self.assertEqual(pathlib.Path(again).stat().st_size, size)

    def test_a_file_that_cannot_be_opened_is_refused(self):
        self.assertEqual(recording.run("finished", "/nowhere/a.trace").stdout,
                         "/nowhere/a.trace: No such file or directory\n")

    def test_uninitialised_memory_leaves_no_mark(self):
        for case in ("training", "operations"):
            traces = []
            for byte in ("1", "254"):
                recording.in_cpp(case, env={"MALLOC_PERTURB_": byte, "OMP_NUM_THREADS": "1"})
                traces.append(pathlib.Path(recording.path(f"{case}.cpp.trace")).read_bytes())
            self.assertEqual(*traces)


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
