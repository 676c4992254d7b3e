// Defines tensors: numbers in memory, seen through sizes and strides. An operation never writes to the memory of
// its operands, so views may share it.
//
// The dtypes are float64, float32, int64 and bool. A float32 is a number that Math.fround does not change. An int64 is a
// number up to 2^53 in magnitude; an operation whose exact result is larger throws a RangeError.
//
// Each file of this folder adds its functions to the object `torchbook`.
"use strict";
{
  const engine = (globalThis.torchbook ??= {});

  const arrays = { float64: Float64Array, float32: Float32Array, int64: Float64Array, bool: Uint8Array };
  const largestWhole = 2 ** 53;

  const count = (shape) => shape.reduce((product, length) => product * length, 1);

  // Returns the strides of contiguous memory.
  const stridesOf = (shape) => {
    const strides = new Array(shape.length);
    for (let dim = shape.length - 1, step = 1; dim >= 0; --dim) {
      strides[dim] = step;
      step *= Math.max(shape[dim], 1);
    }
    return strides;
  };

  class Tensor {
    constructor(dtype, shape, data, strides = stridesOf(shape), offset = 0) {
      this.dtype = dtype;
      this.shape = shape;
      this.data = data;
      this.strides = strides;
      this.offset = offset;
    }

    get rank() { return this.shape.length; }
    get size() { return count(this.shape); }

    get contiguous() {
      let step = 1;
      for (let dim = this.rank - 1; dim >= 0; --dim) {
        if (this.shape[dim] !== 1 && this.strides[dim] !== step) return false;
        step *= this.shape[dim];
      }
      return true;
    }

    // Returns the elements in row-major order. They may be the memory itself, so nobody may change them.
    values() {
      const { size, offset, data } = this;
      if (this.contiguous) return offset === 0 && data.length === size ? data : data.subarray(offset, offset + size);
      const values = new arrays[this.dtype](size);
      positions(this.shape, this.strides, offset, (from, to) => { values[to] = data[from]; });
      return values;
    }

    // Returns the only element as a number.
    item() {
      if (this.size !== 1) throw new RangeError(`a tensor of ${this.size} elements is not a number`);
      return this.data[this.offset];
    }

    view(shape, strides, offset = this.offset) { return new Tensor(this.dtype, shape, this.data, strides, offset); }
  }

  // Calls `visit` with the position in memory of each element, in row-major order, and its index.
  const positions = (shape, strides, offset, visit) => {
    const last = shape.length - 1;
    let index = 0;
    const walk = (dim, at) => {
      if (dim > last) {
        visit(at, index++);
        return;
      }
      for (let i = 0; i < shape[dim]; ++i, at += strides[dim]) walk(dim + 1, at);
    };
    walk(0, offset);
  };

  // Checks that whole numbers are exact, and makes -0 to 0. Other dtypes are left as they are.
  const checked = (dtype, data) => {
    if (dtype !== "int64") return data;
    for (let i = 0; i < data.length; ++i) {
      if (!(Math.abs(data[i]) <= largestWhole)) throw new RangeError(`${data[i]} is no exact whole number here`);
      data[i] += 0;
    }
    return data;
  };

  // Returns a tensor of new memory, filled with zeros.
  const made = (dtype, shape) => {
    if (!Object.hasOwn(arrays, dtype)) throw new TypeError(`tensors of ${dtype} are not computed here`);
    return new Tensor(dtype, shape, new arrays[dtype](count(shape)));
  };

  // Returns a tensor of the given numbers in row-major order. They are rounded to the dtype.
  const tensor = (dtype, shape, numbers) => {
    const result = made(dtype, shape);
    if (numbers.length !== result.size) throw new RangeError(`${numbers.length} numbers do not fill [${shape}]`);
    for (let i = 0; i < numbers.length; ++i) result.data[i] = converted(numbers[i], dtype);
    checked(dtype, result.data);
    return result;
  };

  // Returns a number as an element of `dtype`.
  const conversions = {
    float64: Number,
    float32: Math.fround,
    int64: (number) => Math.trunc(Number(number)),
    bool: (number) => Number(number !== 0 && number !== false),
  };
  const converted = (number, dtype) => conversions[dtype](number);

  // Returns whether two tensors have the same dtype, shape and bits. All nan are alike.
  const same = (a, b) => {
    if (a.dtype !== b.dtype || a.shape.join() !== b.shape.join()) return false;
    const [left, right] = [a.values(), b.values()];
    return left.every((value, i) => Object.is(value, right[i]));
  };

  // Returns whether two tensors agree but for the order in which kernels add.
  const isNear = (one, other) => {
    const [left, right] = [one.values(), other.values()];
    const largest = right.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
    const tolerance = ({ float32: 1e-5, float64: 1e-12 }[one.dtype] ?? 0) * largest;
    return left.every((value, i) => Object.is(value, right[i]) || Math.abs(value - right[i]) <= tolerance);
  };

  // Returns whether two tensors have the same bits. Those without values never change.
  const alike = (one, other) => one === other || (one !== null && other !== null && same(one, other));

  // Returns a dimension counted from 0. It may be counted from the end. A tensor without dimensions counts as one.
  const dimension = (dim, rank) => {
    const rest = Math.max(rank, 1);
    if (dim < -rest || dim >= rest) throw new RangeError(`there is no dimension ${dim} of ${rank}`);
    return dim < 0 ? dim + rest : dim;
  };

  Object.assign(engine, { largestWhole, Tensor, tensor, made, count, stridesOf, positions, checked, converted, same, isNear, alike, dimension });
}
