// Sorts along a dimension. nan counts as the largest number, and equal numbers keep their order.
"use strict";
{
  const engine = globalThis.torchbook;
  const { made, count, dimension, permute, clone } = engine;

  const compare = (a, b) => (Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : Number.isNaN(b) ? -1 : a - b);

  // Returns the first `length` numbers of each line in order, and their places in it.
  const firsts = (x, dim, descending, length) => {
    const at = dimension(dim, x.rank);
    const order = [...x.shape.keys()].filter((one) => one !== at);
    const last = x.rank === 0 ? x : permute(x, [...order, at]);
    const values = clone(last).data;
    const lineLength = x.rank === 0 ? 1 : x.shape[at];
    const shape = x.rank === 0 ? [] : [...last.shape.slice(0, -1), length];
    const [sorted, places] = [made(x.dtype, shape), made("int64", shape)];
    for (let line = 0; line < count(shape) / length; ++line) {
      const own = values.subarray(line * lineLength, (line + 1) * lineLength);
      const indices = [...own.keys()].sort((i, j) => (descending ? compare(own[j], own[i]) : compare(own[i], own[j])) || i - j);
      indices.slice(0, length).forEach((index, i) => {
        sorted.data[line * length + i] = own[index];
        places.data[line * length + i] = index;
      });
    }
    const back = [...order, at].map((_, one) => [...order, at].indexOf(one));
    return x.rank === 0 ? [sorted, places] : [permute(sorted, back), permute(places, back)];
  };

  const sort = (x, dim = -1, descending = false) => firsts(x, dim, descending, x.rank === 0 ? 1 : x.shape[dimension(dim, x.rank)]);
  const argsort = (x, dim, descending) => sort(x, dim, descending)[1];
  const topk = (x, length, dim = -1, largest = true) => firsts(x, dim, largest, length);

  Object.assign(engine, { sort, argsort, topk });
}
