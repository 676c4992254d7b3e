"""Reads trace files for the tests, independently of torchbook's own reader."""
import struct

import xxhash

HEAD = b"torchbook trace\n" + struct.pack("<I", 2)


class Reader:
    """Reads the fields of one record."""

    def __init__(self, payload, strings):
        self.payload, self.strings, self.at = payload, strings, 0

    def take(self, form):
        (value,) = struct.unpack_from("<" + form, self.payload, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def string(self):
        number = self.take("I")
        return self.strings[number - 1] if number else None

    def tensor(self):
        found = {"dtype": self.string(), "device": self.string(), "flags": self.take("B")}
        dim = self.take("B")
        found["sizes"] = [self.take("q") for _ in range(dim)]
        if not found["flags"] & 2:
            found["strides"] = [self.take("q") for _ in range(dim)]
        found["storage"] = self.take("I")
        found["hash"] = self.take("Q")
        found["offset"] = self.take("q") if found["flags"] & 4 else 0
        return found

    def value(self):
        tag = self.take("B")
        if tag == 6:
            return [self.value() for _ in range(self.take("I"))]
        if tag == 7:
            return complex(self.take("d"), self.take("d"))
        if tag == 8:
            return ("other", self.string())
        return {0: lambda: None, 1: self.tensor, 2: lambda: self.take("q"), 3: lambda: self.take("d"),
                4: lambda: bool(self.take("B")), 5: self.string}[tag]()

    def values(self):
        return [self.value() for _ in range(self.take("I"))]

    def generator(self):
        kind = self.take("B")
        return (self.take("Q"), self.take("Q"), kind == 2) if kind else None


def record(kind, reader):
    """Returns the fields of a record that is neither a string nor a value."""
    if kind == 2:
        return {"kind": "run", "json": reader.payload.decode()}
    if kind == 3:
        return {"kind": "named", "name": reader.string(), "role": reader.take("B"), "tensor": reader.tensor()}
    if kind == 5:
        return {"kind": "begin", "operation": reader.string(), "module": reader.string(), "line": reader.string(),
                "flags": reader.take("B"), "generator": reader.generator(), "values": reader.values()}
    if kind == 9:
        return {"kind": "arguments", "operation": reader.string(), "names": reader.string()}
    if kind == 6:
        return {"kind": "end", "generator": reader.generator(), "values": reader.values()}
    if kind == 7:
        return {"kind": "mark", "text": reader.string()}
    if kind == 8:
        return {"kind": "finished", "operations": reader.take("Q")}
    raise ValueError(f"a record of kind {kind}")


def checksum(data):
    return struct.pack("<I", xxhash.xxh3_64_intdigest(data) & 0xFFFFFFFF)


def read(data):
    """Returns the records but strings and values, and the values by their hash: their size and first bytes. What
    follows the last whole record is left."""
    if not data.startswith(HEAD):
        raise ValueError("this is no trace")
    strings, values, records, at = [], {}, [], len(HEAD)
    while at + 9 <= len(data):
        kind, size = struct.unpack_from("<BI", data, at)
        assert data[at + 5 : at + 9] == checksum(data[at : at + 5]), at
        payload = data[at + 9 : at + 9 + size]
        if len(data) < at + 13 + size:
            break
        assert data[at + 9 + size : at + 13 + size] == checksum(payload), at
        at += 13 + size
        if kind == 1:
            strings.append(payload.decode())
        elif kind == 4:
            digest, total = struct.unpack_from("<QQ", payload)
            assert digest not in values, "a value is written once"
            values[digest] = (total, payload[16:])
        else:
            reader = Reader(payload, strings)
            records.append(record(kind, reader))
            assert kind == 2 or reader.at == size, (kind, reader.at, size)
    assert len(set(strings)) == len(strings), "a text is written once"
    return records, values


def hashes_in(value):
    """Returns the hashes of the tensors in a value of a record."""
    if isinstance(value, list):
        return [digest for one in value for digest in hashes_in(one)]
    return [value["hash"]] if isinstance(value, dict) and "hash" in value else []
