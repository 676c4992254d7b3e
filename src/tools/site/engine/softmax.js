// Computes softmax as LibTorch's kernels do: along the last dimension by a product with 1 / sum, along others by a
// quotient. There, columns that do not fill a vector get the exponentials of the C library, which are rounded better.
"use strict";
{
  const engine = globalThis.torchbook;
  const { made, count, dimension, to, exp32 } = engine;
  const { fround } = Math;

  const lanes = 8;

  const largest = (values) => {
    let max = -Infinity;
    for (const value of values) {
      if (Number.isNaN(value)) return NaN;
      if (value > max) max = value;
    }
    return max;
  };

  // Adds in eight lanes, and then the lanes: halves, quarters, neighbours. Fewer numbers are added one by one.
  const sumOfLanes = (values) => {
    if (values.length < lanes) return values.reduce((sum, value) => fround(sum + value), 0);
    const sums = new Float32Array(lanes);
    for (let i = 0; i < values.length; ++i) sums[i % lanes] += values[i];
    for (let half = lanes / 2; half >= 1; half /= 2) {
      for (let k = 0; k < half; ++k) sums[k] += sums[k + half];
    }
    return sums[0];
  };

  const softmaxRow = (from, result) => {
    const max = largest(from);
    for (let i = 0; i < from.length; ++i) result[i] = exp32(fround(from[i] - max));
    const factor = fround(1 / sumOfLanes(result));
    for (let i = 0; i < from.length; ++i) result[i] *= factor;
  };

  // Calls `compute` for each line of elements along a dimension: with their indices, and the line's column.
  const alongLines = (shape, dim, compute) => {
    const step = count(shape.slice(dim + 1));
    const length = shape[dim];
    const indices = new Array(length);
    for (let start = 0; start < count(shape); start += length * step) {
      for (let inner = 0; inner < step; ++inner) {
        for (let i = 0; i < length; ++i) indices[i] = start + inner + i * step;
        compute(indices, inner);
      }
    }
  };

  const softmax = (operand, dim, dtype = operand.dtype) => {
    const x = to(operand, dtype);
    if (dtype !== "float32") throw new TypeError(`softmax of ${dtype} is not computed here`);
    const result = made(dtype, x.shape);
    const values = x.values();
    if (x.rank === 0) {
      result.data[0] = 1;
      return result;
    }
    const at = dimension(dim, x.rank);
    const length = x.shape[at];
    if (at === x.rank - 1) {
      for (let i = 0; i < values.length; i += length) {
        softmaxRow(values.subarray(i, i + length), result.data.subarray(i, i + length));
      }
      return result;
    }
    const columns = count(x.shape.slice(at + 1));
    alongLines(x.shape, at, (indices, column) => {
      const max = largest(indices.map((i) => values[i]));
      const exp = column < columns - (columns % lanes) ? exp32 : Math.exp;
      let sum = 0;
      for (const i of indices) {
        result.data[i] = exp(fround(values[i] - max));
        sum = fround(sum + result.data[i]);
      }
      for (const i of indices) result.data[i] /= sum;
    });
    return result;
  };

  const logSoftmax = (operand, dim, dtype = operand.dtype) => {
    const x = to(operand, dtype);
    if (dtype !== "float32") throw new TypeError(`log_softmax of ${dtype} is not computed here`);
    const result = made(dtype, x.shape);
    const values = x.values();
    if (x.rank === 0) return result;
    alongLines(x.shape, dimension(dim, x.rank), (indices) => {
      const max = largest(indices.map((i) => values[i]));
      const sum = indices.reduce((total, i) => total + Math.exp(values[i] - max), 0);
      for (const i of indices) result.data[i] = values[i] - max - Math.log(sum);
    });
    return result;
  };

  Object.assign(engine, { softmax, logSoftmax });
}
