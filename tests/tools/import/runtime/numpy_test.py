"""Prints and computes the same arrays with NumPy and in C++.

Usage: numpy_test.py ARRAYS [COUNT]: the program that arrays.cpp makes, and how many arrays it prints.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np
import torch

ARRAYS = sys.argv[1]
NUMPY = int(np.__version__.split(".")[0])
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
DTYPES = [np.float64, np.float64, np.float64, np.float32, np.float32, np.int64, np.int32, np.uint8, np.bool_]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 1e8, 99999999.0, 99999999.99999999, 1e-4, 9.99999e-5, 1e-5, 1e16, 1e100, 1e-300,
           5e-324, 123456789.123456789, 0.123456785, 0.1234567849, 1 / 3, 1000.0, 1000.1, 2.5e-9, np.inf, -np.inf, np.nan]


def random_array(random):
    """Returns an array of a random shape with random elements, some of them special."""
    dims = random.integers(0, 5)
    most = random.choice([2, 4, 8, 12] if dims > 1 else [4, 30, 1200])
    shape = tuple(int(random.integers(0 if random.random() < 0.05 else 1, most)) for _ in range(dims))
    dtype = DTYPES[random.integers(len(DTYPES))]
    if dtype == np.bool_:
        return np.asarray(random.random(shape) < random.choice([0, 0.5, 1]))
    if dtype not in (np.float64, np.float32):
        most = int(random.choice([2, 10, 200] if dtype == np.uint8 else [2, 10, 10**6, 2**31 - 1]))
        return random.integers(0 if dtype == np.uint8 else -most * (random.random() < 0.5), most, shape).astype(dtype)
    values = random.normal(size=shape) * 10.0 ** random.integers(-6, 10)
    if random.random() < 0.5:
        values = np.round(values, int(random.integers(0, 7)))
    if random.random() < 0.3:
        values = values * 10.0 ** random.integers(-3, 3, size=shape)
    if random.random() < 0.3:
        values = np.where(random.random(shape) < random.choice([0.2, 0.9]), random.choice(SPECIAL, size=shape), values)
    return np.asarray(values).astype(dtype)


def arrays():
    random = np.random.default_rng(1)
    chosen = [np.asarray(value, dtype=dtype) for dtype in (np.float64, np.float32) for value in
              [*SPECIAL, *([value] for value in SPECIAL), SPECIAL, np.zeros((0, 3)), np.zeros((3, 0)), np.zeros(0)]]
    chosen += [np.arange(1000), np.arange(1001), np.arange(2002).reshape(2, 7, 11, 13), np.zeros((1001, 1), dtype=np.float32)]
    with np.errstate(all="ignore"):
        return chosen + [random_array(random) for _ in range(COUNT)]


def pairs():
    """Returns operands: two arrays that broadcast, an array and a number, or two floats."""
    random = np.random.default_rng(2)
    numbers = [0, 1, -3, 7, True, 0.0, 0.1, 2.5, -1e-3, 1 / 3, 1e10]
    dtypes = [np.float64, np.float32, np.int64, np.int32, np.bool_]
    for _ in range(COUNT // 10):
        first, second = (np.asarray(random.normal(size=(2, 3)) * 4).astype(dtypes[random.integers(5)]) for _ in range(2))
        number = numbers[random.integers(len(numbers))]
        yield from ((first, second), (first, second[0]), (first, number), (number, second))
        yield float(random.normal()), float(abs(random.normal()))


def expected(first, second, place):
    if isinstance(first, float) and isinstance(second, float):
        return [None] * 10 + [np.linspace(first, second, 1 + place % 50),
                              np.arange(first, first + second, second / (1 + place % 50))]
    bools = all(getattr(each, "dtype", type(each)) in (bool, np.bool_) for each in (first, second))
    computing = [np.add, np.subtract, np.multiply, np.divide]
    comparing = [np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal]
    return [None if bools and function in computing else function(first, second) for function in computing + comparing]


def summands():
    """Returns arrays, some of them transposed or with gaps, with an axis or None."""
    random = np.random.default_rng(3)
    for _ in range(COUNT // 5):
        dims = int(random.integers(1, 4))
        most = int(random.choice([4, 12, {1: 8192, 2: 90, 3: 20}[dims]]))
        values = random.normal(size=random.integers(1, most + 1, dims)) * 10.0 ** random.integers(-3, 4)
        array = values.astype([np.float64, np.float32, np.int64, np.bool_][random.choice(4, p=[0.4, 0.4, 0.1, 0.1])])
        if random.random() < 0.2:
            array = array[..., ::2]
        if dims == 2 and random.random() < 0.3:
            array = array.T
        if array.size > 1:
            yield array, None if random.random() < 0.4 else int(random.integers(-dims, dims))


class NumPy(unittest.TestCase):
    def run_arrays(self, given, operands, sums=()):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder, name) for name in ("in.pt", "out.pt")]
            operands = [torch.from_numpy(each) if isinstance(each, np.ndarray) else each for each in operands]
            sums = [torch.from_numpy(each) if isinstance(each, np.ndarray) else each for pair in sums for each in pair]
            torch.save([[torch.from_numpy(each) for each in given], operands, sums], paths[0])
            done = subprocess.run([ARRAYS, *paths], capture_output=True, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
            return done.stdout.decode().split("\0")[:-1], torch.load(paths[1], weights_only=False)

    def test_prints(self):
        given = arrays()
        texts, _ = self.run_arrays(given, [])
        self.assertEqual(len(texts), 4 * len(given))
        for i, array in enumerate(given):
            if NUMPY > 1 and array.dtype == np.float32:  # some of which NumPy 2 writes in another way, as docs/regression.md says
                continue
            number = array[()] if array.ndim == 0 and array.itemsize > 1 else None
            with np.printoptions(**({} if NUMPY == 1 else {"legacy": "1.25"})):  # ports print all else as NumPy 1 does
                wanted = "" if number is None else f"np.{array.dtype}({number!s})"
                self.assertEqual(texts[4 * i:4 * i + 4], [str(array), repr(array), format(array), wanted])
            if NUMPY > 1:
                self.assertEqual(wanted, "" if number is None else repr(number))

    def test_computes(self):
        given = list(pairs())
        _, results = self.run_arrays([], [each for pair in given for each in pair])
        with np.errstate(all="ignore"):
            wanted = [(pair, each) for i, pair in enumerate(given) for each in expected(*pair, 2 * i)]
        self.assertEqual(len(results), len(wanted))
        for (pair, each), result in zip(wanted, results):
            bits = [None if x is None else (x.dtype, x.shape, x.tobytes())
                    for x in (each, None if result is None else result.numpy())]
            self.assertEqual(*bits, pair)

    def test_sums(self):
        given = list(summands())
        _, results = self.run_arrays([], [], given)
        self.assertEqual(len(results), 3 * len(given))
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):  # of the variance of one number
            for i, (array, axis) in enumerate(given):
                wanted = array.sum(axis=axis), array.mean(axis=axis, keepdims=True), array.var(axis=axis, ddof=1)
                for result, each in zip(results[3 * i:3 * i + 3], map(np.asarray, wanted)):
                    self.assertEqual((result.numpy().dtype, result.shape), (each.dtype, each.shape))
                    np.testing.assert_array_equal(result.numpy(), each, f"{array.shape}, {array.strides}, {axis}")


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
