// Shows the memory of a tensor in other shapes: indexing, transposing, reshaping. Joins tensors in new memory.
"use strict";
{
  const engine = globalThis.torchbook;
  const { made, tensor, count, stridesOf, dimension, promoted, to, expanded } = engine;

  const without = (list, at) => list.filter((_, i) => i !== at);
  const replaced = (list, at, value) => list.map((one, i) => (i === at ? value : one));

  // ------------------------------------------------------------ indexing

  const select = (x, dim, index) => {
    const at = dimension(dim, x.rank);
    const length = x.shape[at];
    if (index < -length || index >= length) throw new RangeError(`index ${index} is outside of ${length}`);
    const offset = x.offset + (index < 0 ? index + length : index) * x.strides[at];
    return x.view(without(x.shape, at), without(x.strides, at), offset);
  };

  const slice = (x, dim = 0, start = null, end = null, step = 1) => {
    const at = dimension(dim, x.rank);
    const length = x.shape[at];
    const clamped = (place) => Math.min(Math.max(place < 0 ? place + length : place, 0), length);
    const first = clamped(start ?? 0);
    const last = Math.max(clamped(end ?? length), first);
    const shape = replaced(x.shape, at, Math.ceil((last - first) / step));
    return x.view(shape, replaced(x.strides, at, x.strides[at] * step), x.offset + first * x.strides[at]);
  };

  const narrow = (x, dim, start, length) => slice(x, dim, start, (start < 0 ? start + x.shape.at(dim) : start) + length);

  const unbind = (x, dim = 0) => Array.from({ length: x.shape.at(dim) }, (_, i) => select(x, dim, i));

  const split = (x, size, dim = 0) => {
    const length = x.shape.at(dim);
    const sizes = Array.isArray(size) ? size : Array.from({ length: Math.max(Math.ceil(length / size), 1) }, () => size);
    let start = 0;
    return sizes.map((one) => slice(x, dim, start, (start += one)));
  };

  const chunk = (x, chunks, dim = 0) => split(x, Math.max(Math.ceil(x.shape.at(dim) / chunks), 1), dim);

  const diagonal = (x, shift = 0, dim1 = 0, dim2 = 1) => {
    const [a, b] = [dimension(dim1, x.rank), dimension(dim2, x.rank)];
    const offset = x.offset + (shift >= 0 ? shift * x.strides[b] : -shift * x.strides[a]);
    const [rows, columns] = [x.shape[a] + Math.min(shift, 0), x.shape[b] - Math.max(shift, 0)];
    const length = Math.max(Math.min(rows, columns), 0);
    const rest = (list) => list.filter((_, i) => i !== a && i !== b);
    return x.view([...rest(x.shape), length], [...rest(x.strides), x.strides[a] + x.strides[b]], offset);
  };

  // Returns the elements, rows, … at whole numbers: `x[:, indices]`.
  const indexSelect = (x, dim, indices) => {
    return cat([...indices.values()].map((index) => unsqueeze(select(x, dim, index), dimension(dim, x.rank))), dim);
  };

  const embedding = (weight, indices) => {
    const rows = indexSelect(weight, 0, reshape(indices, [-1]));
    return reshape(rows, [...indices.shape, ...weight.shape.slice(1)]);
  };

  // ------------------------------------------------------------ shapes

  const permute = (x, dims) => {
    const order = dims.map((dim) => dimension(dim, x.rank));
    return x.view(order.map((dim) => x.shape[dim]), order.map((dim) => x.strides[dim]));
  };

  const transpose = (x, dim0, dim1) => {
    const order = x.shape.map((_, dim) => dim);
    if (x.rank === 0) return x;
    const [a, b] = [dimension(dim0, x.rank), dimension(dim1, x.rank)];
    [order[a], order[b]] = [b, a];
    return permute(x, order);
  };

  const t = (x) => (x.rank < 2 ? x : transpose(x, 0, 1));

  const unsqueeze = (x, dim) => {
    const at = dimension(dim, x.rank + 1);
    const stride = at < x.rank ? x.shape[at] * x.strides[at] : 1;
    return x.view(x.shape.toSpliced(at, 0, 1), x.strides.toSpliced(at, 0, stride));
  };

  const squeeze = (x, dims) => {
    const all = dims === undefined ? x.shape.map((_, dim) => dim) : [dims].flat().map((dim) => dimension(dim, x.rank));
    const kept = x.shape.map((_, dim) => dim).filter((dim) => x.shape[dim] !== 1 || !all.includes(dim));
    return x.view(kept.map((dim) => x.shape[dim]), kept.map((dim) => x.strides[dim]));
  };

  const clone = (x) => tensor(x.dtype, x.shape, x.values());

  // Returns a view where the memory allows it, otherwise a copy.
  const reshape = (x, wanted) => {
    const unknown = wanted.indexOf(-1);
    const shape = unknown < 0 ? wanted : replaced(wanted, unknown, x.size / -count(wanted));
    if (count(shape) !== x.size) throw new RangeError(`[${x.shape}] cannot become [${wanted}]`);
    return (x.contiguous ? x : clone(x)).view(shape, stridesOf(shape));
  };

  const flatten = (x, start = 0, end = -1) => {
    if (x.rank === 0) return reshape(x, [1]);
    const [first, last] = [dimension(start, x.rank), dimension(end, x.rank)];
    return reshape(x, [...x.shape.slice(0, first), count(x.shape.slice(first, last + 1)), ...x.shape.slice(last + 1)]);
  };

  const expand = (x, sizes) => {
    const more = sizes.length - x.rank;
    return expanded(x, sizes.map((size, dim) => (size === -1 ? x.shape[dim - more] : size)));
  };

  // ------------------------------------------------------------ joining

  const cat = (list, dim = 0) => {
    const dtype = promoted(...list);
    const parts = list.filter((one) => one.rank !== 1 || one.shape[0] !== 0); // LibTorch skips these in any shape
    if (parts.length === 0) return made(dtype, [0]);
    const at = dimension(dim, parts[0].rank);
    const lengths = parts.map((part) => part.shape[at]);
    const shape = replaced(parts[0].shape, at, lengths.reduce((sum, length) => sum + length, 0));
    const others = (part) => without(part.shape, at).join();
    if (parts.some((part) => others(part) !== others(parts[0]))) throw new RangeError("shapes to join do not fit");
    const result = made(dtype, shape);
    const inner = count(shape.slice(at + 1));
    const outer = count(shape.slice(0, at));
    let start = 0;
    parts.forEach((part, which) => {
      const values = to(part, dtype).values();
      const step = lengths[which] * inner;
      for (let i = 0; i < outer; ++i) {
        result.data.set(values.subarray(i * step, (i + 1) * step), i * shape[at] * inner + start);
      }
      start += step;
    });
    return result;
  };

  const stack = (list, dim = 0) => cat(list.map((one) => unsqueeze(one, dim)), dimension(dim, list[0].rank + 1));

  // Without `dims`, rolls all elements in row-major order.
  const roll = (x, shifts, dims = []) => {
    if (dims.length === 0) return reshape(roll(flatten(x), shifts, [0]), x.shape);
    return dims.reduce((y, dim, i) => {
      const length = y.shape[dimension(dim, y.rank)];
      const from = (place) => (((place - shifts[i]) % length) + length) % length;
      return indexSelect(y, dim, tensor("int64", [length], Array.from({ length }, (_, place) => from(place))));
    }, x);
  };

  Object.assign(engine, {
    select, slice, narrow, unbind, split, chunk, diagonal, indexSelect, embedding, permute, transpose, t,
    unsqueeze, squeeze, clone, reshape, flatten, expand, cat, stack, roll,
  });
}
