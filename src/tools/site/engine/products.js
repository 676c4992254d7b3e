// Computes products of vectors, matrices and batches of matrices.
//
// Kernels add in different orders, by processor and by size, so a last bit may differ from LibTorch's. The orders
// here are the commonest: from the first term on, with one rounding for `a * b + c`.
"use strict";
{
  const engine = globalThis.torchbook;
  const { made, count, checked, promoted, to, add, multiply, broadcastShape } = engine;
  const { expanded, reshape, transpose, t, squeeze, unsqueeze } = engine;

  const fits = (condition, a, b) => {
    if (!condition) throw new RangeError(`[${a.shape}] @ [${b.shape}] does not fit`);
  };
  const alike = (a, b) => {
    if (a.dtype !== b.dtype) throw new TypeError(`a product needs one dtype, not ${a.dtype} and ${b.dtype}`);
  };

  // OpenBLAS rounds each product, adds blocks of 32 in lanes of 8, and the rest in double.
  const dot32 = (x, y) => {
    const lanes = new Float32Array(32);
    let i = 0;
    for (; i + 32 <= x.length; i += 32) {
      for (let k = 0; k < 32; ++k) lanes[k] += x[i + k] * y[i + k];
    }
    let rest = 0;
    for (; i < x.length; ++i) rest += Math.fround(x[i] * y[i]);
    for (let step = 1; step < 4; ++step) {
      for (let k = 0; k < 8; ++k) lanes[k] += lanes[8 * step + k];
    }
    for (let k = 0; k < 4; ++k) lanes[k] += lanes[k + 4];
    return rest + Math.fround(Math.fround(lanes[0] + lanes[1]) + Math.fround(lanes[2] + lanes[3]));
  };

  const dot = (a, b) => {
    fits(a.rank === 1 && b.rank === 1 && a.size === b.size, a, b);
    alike(a, b);
    const result = made(a.dtype, []);
    const [x, y] = [a.values(), b.values()];
    result.data[0] = a.dtype === "float32" ? dot32(x, y) : x.reduce((sum, value, i) => sum + value * y[i], 0);
    checked(a.dtype, result.data);
    return result;
  };

  // Adds the product of two matrices to `to`, which has zeros. The inner loop runs along a row of `b`.
  const multiplyInto = (to, a, b, rows, inner, columns) => {
    for (let i = 0; i < rows; ++i) {
      const row = to.subarray(i * columns, (i + 1) * columns);
      for (let k = 0; k < inner; ++k) {
        const factor = a[i * inner + k];
        const start = k * columns;
        for (let j = 0; j < columns; ++j) row[j] += factor * b[start + j];
      }
    }
  };

  const multiplyRounded = (to, a, b, rows, inner, columns) => {
    for (let i = 0; i < rows; ++i) {
      for (let j = 0; j < columns; ++j) {
        let sum = 0;
        for (let k = 0; k < inner; ++k) sum = Math.fround(sum + Math.fround(a[i * inner + k] * b[k * columns + j]));
        to[i * columns + j] = sum;
      }
    }
  };

  const mm = (a, b) => {
    fits(a.rank === 2 && b.rank === 2 && a.shape[1] === b.shape[0], a, b);
    alike(a, b);
    const [rows, inner, columns] = [...a.shape, b.shape[1]];
    const result = made(a.dtype, [rows, columns]);
    multiplyInto(result.data, a.values(), b.values(), rows, inner, columns);
    checked(a.dtype, result.data);
    return result;
  };

  const mv = (a, x) => {
    fits(a.rank === 2 && x.rank === 1, a, x);
    return squeeze(mm(a, unsqueeze(x, 1)), 1);
  };

  // LibTorch computes batches of small matrices by itself, and rounds each product.
  const smallBatch = 400;

  const bmm = (a, b) => {
    fits(a.rank === 3 && b.rank === 3 && a.shape[0] === b.shape[0] && a.shape[2] === b.shape[1], a, b);
    alike(a, b);
    const [batch, rows, inner] = a.shape;
    const columns = b.shape[2];
    const result = made(a.dtype, [batch, rows, columns]);
    const isSmall = a.dtype === "float32" && rows * inner * columns < smallBatch;
    const [x, y] = [a.values(), b.values()];
    for (let i = 0; i < batch; ++i) {
      const part = (data, size) => data.subarray(i * size, (i + 1) * size);
      (isSmall ? multiplyRounded : multiplyInto)(
        part(result.data, rows * columns), part(x, rows * inner), part(y, inner * columns), rows, inner, columns);
    }
    checked(a.dtype, result.data);
    return result;
  };

  const matmul = (a, b) => {
    fits(a.rank > 0 && b.rank > 0, a, b);
    if (a.rank === 1 && b.rank === 1) return dot(a, b);
    if (a.rank === 2 && b.rank === 1) return mv(a, b);
    if (a.rank === 1 && b.rank === 2) return mv(t(b), a);
    if (a.rank === 2 && b.rank === 2) return mm(a, b);
    // A batch times one matrix or vector is one product of more rows.
    if (b.rank <= 2) {
      const rows = reshape(a, [-1, a.shape.at(-1)]);
      return reshape(matmul(rows, b), [...a.shape.slice(0, -1), ...b.shape.slice(1)]);
    }
    if (a.rank === 1) return matmul(transpose(b, -2, -1), a);
    if (a.rank === 2) return transpose(matmul(transpose(b, -2, -1), t(a)), -2, -1);
    const batch = broadcastShape(a.shape.slice(0, -2), b.shape.slice(0, -2));
    const flat = (x) => reshape(expanded(x, [...batch, ...x.shape.slice(-2)]), [count(batch), ...x.shape.slice(-2)]);
    return reshape(bmm(flat(a), flat(b)), [...batch, a.shape.at(-2), b.shape.at(-1)]);
  };

  const linear = (x, weight, bias = null) => {
    const product = matmul(x, t(weight));
    return bias === null ? product : add(product, bias);
  };

  // Returns beta * x + alpha * (a @ b).
  const added = (product) => (x, a, b, beta, alpha) => {
    const times = (one, factor) => (factor.value === 1 ? one : multiply(one, factor));
    return add(times(x, beta), times(product(a, b), alpha));
  };

  const outer = (a, b) => {
    const dtype = promoted(a, b);
    return multiply(unsqueeze(to(a, dtype), 1), to(b, dtype));
  };

  Object.assign(engine, {
    dot, mm, mv, bmm, matmul, linear, outer,
    addmm: added(mm), baddbmm: added(bmm), addmv: added(mv),
    mT: (x) => transpose(x, -2, -1),
  });
}
