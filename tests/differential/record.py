"""Writes cases and reads answers as little-endian raw values, as differential.cpp reads and writes them."""

import struct
from typing import NamedTuple

from values import DTYPES

SCI_MODE = {None: -1, False: 0, True: 1}


class Answer(NamedTuple):
    """The answer of one side to a case."""

    status: str  # text, raises or died
    text: str


def int64s(*values):
    return struct.pack("<%dq" % len(values), *values)


def counted(values):
    return int64s(len(values), *values)


def lengthy(data):
    return int64s(len(data)) + data


def strided_record(tensor):
    head = int64s(DTYPES[tensor.dtype].code, tensor.offset) + counted(tensor.sizes) + counted(tensor.strides)
    return head + lengthy(tensor.data)


def node_record(node):
    head = lengthy(node.tag.encode()) + lengthy(node.name.encode()) + lengthy(node.text) + counted(node.integers)
    reals = int64s(len(node.reals)) + struct.pack("<%dd" % len(node.reals), *node.reals)
    return head + reals + int64s(len(node.children)) + b"".join(map(node_record, node.children))


def case_record(case):
    options = case.options
    parts = [
        lengthy(case.kind.encode()),
        int64s(options.precision, options.threshold, options.edgeitems, options.linewidth),
        int64s(SCI_MODE[options.sci_mode], DTYPES[options.default_dtype].code, len(case.tensors)),
        *(strided_record(tensor) for tensor in case.tensors),
        counted(case.integers),
        struct.pack("<d", case.real),
        lengthy(case.text),
        int64s(len(case.trees)),
        *(node_record(tree) for tree in case.trees),
    ]
    return b"".join(parts)


def read_answers(data):
    """Returns the answers in a file, without one that was cut off."""
    answers, place = [], 0
    while place + 16 <= len(data):
        raised, length = struct.unpack_from("<qq", data, place)
        place += 16
        if place + length > len(data):
            break
        text = data[place : place + length].decode("utf-8", "surrogateescape")
        answers.append(Answer("raises" if raised else "text", text))
        place += length
    return answers
