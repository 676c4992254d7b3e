"""C++ and Python record the same of the same computation."""
import sys
import unittest

import networks
import recording

import torchbook


def in_python(case):
    file = recording.path(f"{case.__name__}.library.trace")
    case(torchbook.trace, file)
    return recording.read_file(file)


def without(records, *fields):
    """Returns the records without their run and some fields, and without what only Python's backward() asks."""
    asked = [i for i, record in enumerate(records) if record.get("operation") == "aten::is_same_size"]
    records = [record for i, record in enumerate(records) if i not in asked and i - 1 not in asked]
    return [{key: value for key, value in record.items() if key not in fields} for record in records
            if record["kind"] != "run"]


class Languages(unittest.TestCase):
    maxDiff = None

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


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
