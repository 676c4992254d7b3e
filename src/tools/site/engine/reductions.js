// Reduces dimensions: sums, means, extremes. Sums are added in the order of LibTorch's kernel, in which the memory of
// the operand decides.
"use strict";
{
  const engine = globalThis.torchbook;
  const { tensor, made, checked, count, positions, dimension, to, unary, divide, Scalar, unsqueeze, reshape } = engine;

  // Returns dimensions in rising order. None or an empty list means all of them.
  const dimensions = (dims, rank) => {
    const isAll = dims === null || dims === undefined || dims.length === 0;
    const chosen = isAll ? [...Array(rank).keys()] : [dims].flat().map((dim) => dimension(dim, rank));
    return [...new Set(chosen)].sort((a, b) => a - b).filter((dim) => dim < rank);
  };

  const kept = (shape, dims, keepdim) =>
    keepdim ? shape.map((length, dim) => (dims.includes(dim) ? 1 : length)) : shape.filter((_, dim) => !dims.includes(dim));

  // ------------------------------------------------------------ the order of a sum

  const lanes = 8; // of float32 in a vector
  const levels = 4;

  // Adds `size` rows of `width` numbers each, column by column. Partial sums of several levels keep the error small.
  const addRows = (data, at, rowStride, columnStride, size, width) => {
    const power = Math.max(4, Math.floor(Math.ceil(Math.log2(Math.max(size, 1))) / levels));
    const step = 2 ** power;
    const sums = Array.from({ length: levels }, () => new Float32Array(width));
    const addRow = (row) => {
      for (let k = 0; k < width; ++k) sums[0][k] += data[at + row * rowStride + k * columnStride];
    };
    let row = 0;
    while (row + step <= size) {
      for (const end = row + step; row < end; ++row) addRow(row);
      for (let level = 1; level < levels; ++level) {
        for (let k = 0; k < width; ++k) sums[level][k] += sums[level - 1][k];
        sums[level - 1].fill(0);
        if ((row & ((step - 1) << (level * power))) !== 0) break;
      }
    }
    for (; row < size; ++row) addRow(row);
    for (let level = 1; level < levels; ++level) {
      for (let k = 0; k < width; ++k) sums[0][k] += sums[level][k];
    }
    return sums[0];
  };

  // Adds `size` rows of `width` numbers each in four interleaved partial sums.
  const addInterleaved = (data, at, rowStride, columnStride, size, width) => {
    const quarters = Math.floor(size / 4);
    const partial = Array.from({ length: 4 }, () => new Float32Array(width));
    partial.forEach((sums, k) => {
      sums.set(addRows(data, at + k * rowStride, 4 * rowStride, columnStride, quarters, width));
    });
    for (let row = 4 * quarters; row < size; ++row) {
      for (let k = 0; k < width; ++k) partial[0][k] += data[at + row * rowStride + k * columnStride];
    }
    for (let i = 1; i < 4; ++i) {
      for (let k = 0; k < width; ++k) partial[0][k] += partial[i][k];
    }
    return partial[0];
  };

  // Adds `outer` sums of `size` numbers each to `sums` from `to` on.
  const addBlock = (data, at, stride, size, outerStride, outer, sums, to, toStride) => {
    const store = (j, value) => { sums[to + j * toStride] += value; };
    if (stride === 1 && size >= lanes) {
      const vectors = Math.floor(size / lanes);
      for (let j = 0; j < outer; ++j) {
        const start = at + j * outerStride;
        const partial = addInterleaved(data, start, lanes, 1, vectors, lanes);
        let sum = 0;
        for (let k = vectors * lanes; k < size; ++k) sum = Math.fround(sum + data[start + k]);
        for (let k = 0; k < lanes; ++k) sum = Math.fround(sum + partial[k]);
        store(j, sum);
      }
      return;
    }
    const vectorized = outerStride === 1 && outer >= lanes;
    let j = 0;
    if (vectorized || stride >= outerStride) {
      const together = vectorized ? 4 * lanes : 4;
      for (; j + together <= outer; j += together) {
        addRows(data, at + j * outerStride, stride, outerStride, size, together).forEach((sum, k) => store(j + k, sum));
      }
    }
    for (; vectorized && j + lanes <= outer; j += lanes) {
      addInterleaved(data, at + j, stride, 1, size, lanes).forEach((sum, k) => store(j + k, sum));
    }
    for (; j < outer; ++j) store(j, addInterleaved(data, at + j * outerStride, stride, 1, size, 1)[0]);
  };

  // Returns the dimensions as LibTorch's iterator goes through them: reduced ones first, then by stride, neighbours in
  // memory as one. Each is {length, from, to}: its strides in the operand and in the result. In the result, the stride of a
  // reduced dimension is 0.
  const loops = (x, resultStrides) => {
    const all = x.shape.map((length, dim) => ({ length, from: x.strides[dim], to: resultStrides[dim] }));
    const sorted = all.reverse().filter(({ length }) => length !== 1);
    sorted.sort((a, b) => (a.to === 0) !== (b.to === 0) ? (a.to === 0 ? -1 : 1) : a.to - b.to || a.from - b.from);
    const joined = [];
    for (const one of sorted) {
      const last = joined.at(-1);
      const follows = last && one.from === last.from * last.length && one.to === last.to * last.length;
      if (follows) last.length *= one.length;
      else joined.push({ ...one });
    }
    while (joined.length < 2) joined.push({ length: 1, from: 0, to: 0 });
    return joined;
  };

  const sumFloats = (x, dims) => {
    const shape = kept(x.shape, dims, true);
    const result = made("float32", shape);
    if (x.size === 0) return result;
    const strides = result.strides.map((stride, dim) => (dims.includes(dim) ? 0 : stride));
    let [inner, second, ...rest] = loops(x, strides);
    if (inner.to !== 0) [inner, second, rest] = [{ length: 1, from: 0, to: 0 }, inner, [second, ...rest]];
    const outer = (places) => rest.map((one) => one[places]);
    const targets = [];
    positions(rest.map((one) => one.length), outer("to"), 0, (at) => targets.push(at));
    positions(rest.map((one) => one.length), outer("from"), x.offset, (at, index) => {
      addBlock(x.data, at, inner.from, inner.length, second.from, second.length, result.data, targets[index], second.to);
    });
    return result;
  };

  // ------------------------------------------------------------ reductions

  // Applies `reduce` to the elements along dimensions, in row-major order.
  const reduced = (x, dims, keepdim, dtype, reduce) => {
    const chosen = dimensions(dims, x.rank);
    const order = [...x.shape.keys()].filter((dim) => !chosen.includes(dim)).concat(chosen);
    const values = engine.permute(x, order).values();
    const size = count(chosen.map((dim) => x.shape[dim]));
    const result = made(dtype, kept(x.shape, chosen, keepdim));
    for (let i = 0; i < result.data.length; ++i) result.data[i] = reduce(values.subarray(i * size, (i + 1) * size));
    checked(dtype, result.data);
    return result;
  };

  const sum = (x, dims = null, keepdim = false, dtype = x.dtype === "bool" ? "int64" : x.dtype) => {
    const operand = to(x, dtype);
    if (dtype !== "float32") return reduced(operand, dims, keepdim, dtype, (values) => values.reduce((a, b) => a + b, 0));
    const chosen = dimensions(dims, x.rank);
    return reshape(sumFloats(operand, chosen), kept(x.shape, chosen, keepdim));
  };

  const mean = (x, dims = null, keepdim = false, dtype = x.dtype) => {
    if (!dtype.startsWith("float")) throw new TypeError(`${dtype} has no mean`);
    const size = count(dimensions(dims, x.rank).map((dim) => x.shape[dim]));
    return divide(sum(x, dims, keepdim, dtype), new Scalar(size, false));
  };

  // Returns the index of the best element. nan is better than any other.
  const best = (better) => (values) => {
    if (values.length === 0) throw new RangeError("no elements have no extreme");
    let at = 0;
    for (let i = 1; i < values.length && !Number.isNaN(values[at]); ++i) {
      if (Number.isNaN(values[i]) || better(values[i], values[at])) at = i;
    }
    return at;
  };
  const extreme = (better) => {
    const place = best(better);
    const value = (values) => values[place(values)];
    return {
      all: (x, dims = null, keepdim = false) => reduced(x, dims, keepdim, x.dtype, value),
      along: (x, dim, keepdim = false) =>
        [reduced(x, [dim], keepdim, x.dtype, value), reduced(x, [dim], keepdim, "int64", place)],
      place: (x, dim = null, keepdim = false) => reduced(x, dim === null ? null : [dim], keepdim, "int64", place),
    };
  };

  const product = (x, dims = null, keepdim = false, dtype = x.dtype === "bool" ? "int64" : x.dtype) => {
    const round = dtype === "float32" ? Math.fround : Number;
    return reduced(to(x, dtype), dims, keepdim, dtype, (values) => values.reduce((a, b) => round(a * b), 1));
  };

  const truth = (of) => (x, dims = null, keepdim = false) => reduced(x, dims, keepdim, "bool", of);

  // Returns the variance. LibTorch keeps a running mean in double; two passes in double come as near.
  const variance = (x, dims = null, correction = 1, keepdim = false) =>
    reduced(x, dims, keepdim, x.dtype, (values) => {
      const middle = values.reduce((a, b) => a + b, 0) / values.length;
      return values.reduce((total, value) => total + (value - middle) ** 2, 0) / (values.length - correction);
    });

  const cumsum = (x, dim, dtype = x.dtype === "bool" ? "int64" : x.dtype) => {
    const at = dimension(dim, x.rank);
    const parts = engine.unbind(to(x, dtype), at);
    // The running sum is a double until it is stored.
    const sums = [];
    let running = null;
    for (const part of parts) {
      running = running === null ? Float64Array.from(part.values()) : running.map((value, i) => value + part.values()[i]);
      sums.push(unsqueeze(tensor(dtype, part.shape, running), at));
    }
    return sums.length === 0 ? x : engine.cat(sums, at);
  };

  Object.assign(engine, {
    sum, mean, product, variance, cumsum, dimensions,
    deviation: (...args) => unary(variance(...args), Math.sqrt),
    max: extreme((a, b) => a > b),
    min: extreme((a, b) => a < b),
    any: truth((values) => Number(values.some((value) => value !== 0))),
    all: truth((values) => Number(values.every((value) => value !== 0))),
  });
}
