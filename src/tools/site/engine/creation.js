// Makes tensors of given numbers, and keeps or drops triangles of matrices.
"use strict";
{
  const engine = globalThis.torchbook;
  const { made, tensor } = engine;

  // The dtypes by their numbers in LibTorch.
  const dtypes = new Map([[4, "int64"], [6, "float32"], [7, "float64"], [11, "bool"]]);

  const dtypeOf = (number, otherwise = "float32") => {
    if (number === null || number === undefined) return otherwise;
    if (!dtypes.has(number)) throw new TypeError(`dtype ${number} is not computed here`);
    return dtypes.get(number);
  };

  const full = (shape, value, dtype) => {
    const result = made(dtype, shape);
    result.data.fill(engine.converted(value, dtype));
    return result;
  };

  const arange = (start, end, step, dtype) => {
    const length = Math.max(Math.ceil((end - start) / step), 0);
    return tensor(dtype, [length], Array.from({ length }, (_, i) => start + i * step));
  };

  // Returns numbers at equal distances, counted from both ends.
  const linspace = (start, end, length, dtype) => {
    if (dtype !== "float32") throw new TypeError(`linspace of ${dtype} is not computed here`);
    const [first, last] = [Math.fround(start), Math.fround(end)];
    const step = Math.fround(Math.fround(last - first) / (length - 1));
    const at = (i) => (i < length / 2 ? first + step * i : last - step * (length - i - 1));
    return tensor(dtype, [length], Array.from({ length }, (_, i) => (length === 1 ? first : at(i))));
  };

  const eye = (rows, columns, dtype) => {
    const result = made(dtype, [rows, columns]);
    for (let i = 0; i < Math.min(rows, columns); ++i) result.data[i * columns + i] = 1;
    return result;
  };

  // Returns a copy whose matrices have zeros where `drops(row, column)` is true.
  const triangle = (x, drops) => {
    if (x.rank < 2) throw new RangeError("a triangle needs a matrix");
    const result = engine.clone(x);
    const [rows, columns] = x.shape.slice(-2);
    for (let i = 0; i < result.data.length; ++i) {
      if (drops(Math.floor(i / columns) % rows, i % columns)) result.data[i] = 0;
    }
    return result;
  };
  const tril = (x, diagonal = 0) => triangle(x, (row, column) => column - row > diagonal);
  const triu = (x, diagonal = 0) => triangle(x, (row, column) => column - row < diagonal);

  Object.assign(engine, { dtypeOf, full, arange, linspace, eye, tril, triu });
}
