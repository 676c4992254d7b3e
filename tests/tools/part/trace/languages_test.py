"""C++, Python with the library, and Python's own recorder record the same of the same computation, in the same format."""
import json
import os
import re
import sys
import unittest

import networks
import recording

import torchbook
import torchbook_dispatch


def in_python(case, library=True):
    file = recording.path(f"{case.__name__}.{'library' if library else 'mode'}.trace")
    os.environ["TORCHBOOK_TRACE_LIBRARY"] = recording.LIBRARY if library else ""
    case(torchbook.trace, file)
    return recording.read_file(file)


def without(records, *fields):
    """Returns the records without their run and some fields, and without what only Python's backward() asks."""
    asked = [i for i, record in enumerate(records) if record.get("operation") == "aten::is_same_size"]
    records = [record for i, record in enumerate(records) if i not in asked and i - 1 not in asked]
    return [{key: value for key, value in record.items() if key not in fields} for record in records
            if record["kind"] != "run"]


def comparable(value):
    """Returns a value without what no two recorders share: numbers of memories and, below autograd, requires_grad."""
    if isinstance(value, list):
        return [comparable(one) for one in value]
    if isinstance(value, dict):
        return {key: one for key, one in value.items() if key not in ("storage", "flags")}
    return value


def said(operation):
    """Returns what two recorders say of an operation if it is the same."""
    fields = {key: operation[key] for key in ("operation", "drew", "module")}
    return {**fields, "values": comparable(operation["values"]), "outputs": comparable(operation["outputs"])}


def argument_names(records):
    """Returns the names of arguments, by operation."""
    return {one["operation"]: one["names"] for one in records if one["kind"] == "arguments"}


def fingerprint(records):
    """Returns what computed a trace, as far as the dispatch mode says it in the same words."""
    run = json.loads(records[0]["json"])
    return {key: run[key] for key in ("language", "libtorch", "capability", "threads", "compiler")}


class Languages(unittest.TestCase):
    maxDiff = None

    def test_the_format_has_one_description(self):
        header = (recording.MODULE / "format.h").read_text(encoding="utf-8")
        for own in (torchbook_dispatch.RecordKind, torchbook_dispatch.Tag, torchbook_dispatch.NamedRole):
            (body,) = re.findall(rf"enum class {own.__name__} : std::uint8_t {{(.*?)}};", header, re.S)
            members, number = {}, 0
            for name, given in re.findall(r"(\w+)(?: = (\d+))?\s*,", re.sub("///.*", "", body) + ","):
                number = members[name] = int(given or number)
                number += 1
            self.assertEqual({one.name: one.value for one in own}, members)
        numbers = dict(re.findall(r"constexpr std::\w+ (\w+) = (\d+);", header))
        for name in ("VERSION", "NOT_STRIDED", "HAS_OFFSET", "NO_GENERATOR", "USED_GENERATOR", "FRESH_GENERATOR"):
            self.assertEqual(getattr(torchbook_dispatch, name), int(numbers[name.lower()]), name)
        self.assertIn(f'magic = "{torchbook_dispatch.MAGIC.decode()[:-1]}\\n"', header)
        roles = torchbook_dispatch.NamedRole
        self.assertEqual([torchbook._PARAMETER, torchbook._BUFFER, torchbook._GIVEN, torchbook._SHOWN], list(roles))

    def assert_same(self, case):
        cpp, cpp_values = recording.in_cpp(case.__name__)
        python, python_values = in_python(case)
        both = without(cpp, "line", "operations"), without(python, "line", "operations")
        self.assertEqual(len(both[0]), len(both[1]))
        for one, other in zip(*both):
            self.assertEqual(one, other)
        self.assertEqual(cpp_values, python_values)
        return cpp

    def test_a_training_step(self):
        records = self.assert_same(networks.training)
        names = recording.names(records)
        for expected in ("aten::embedding", "aten::linear", "aten::addmm", "aten::dropout", "aten::native_layer_norm",
                         "aten::softmax.int", "AddmmBackward0", "aten::mm", "aten::sub_.Tensor"):
            self.assertIn(expected, names)

    def test_views_random_numbers_and_other_dtypes(self):
        self.assert_same(networks.operations)

    def assert_mode_sees_the_same(self, case):
        library, _ = in_python(case)
        mode, values = in_python(case, library=False)
        self.assertIn('"dispatch mode"', mode[0]["json"])
        self.assertEqual(fingerprint(mode), fingerprint(library))
        # An operation with conjugated operands calls itself again, behind what the mode sees.
        remaining = iter(sorted(recording.operations(library), key=lambda one: one["end"]))
        seen = 0
        for operation in recording.operations(mode):
            if operation["operation"] == "aten::detach":  # the mode sees some that the library does not
                continue
            wanted = said(operation)
            same_name = []
            for one in remaining:
                if one["operation"] == operation["operation"]:
                    same_name.append(said(one))
                    if same_name[-1] == wanted:
                        break
            else:
                self.fail(f"the library has no {wanted} after operation {seen}; it has {same_name[:1]}")
            seen += 1
            for digest in (one for value in operation["outputs"] for one in recording.reader.hashes_in(value)):
                self.assertIn(digest, values)
        self.assertGreater(seen, 15)
        by_library, by_mode = argument_names(library), argument_names(mode)
        self.assertGreater(len(by_mode), 5)
        self.assertEqual(by_mode, {name: by_library[name] for name in by_mode})

    def test_the_mode_sees_the_operations_of_a_training_step(self):
        self.assert_mode_sees_the_same(networks.training)

    def test_the_mode_sees_views_random_numbers_and_other_dtypes(self):
        self.assert_mode_sees_the_same(networks.operations)


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
