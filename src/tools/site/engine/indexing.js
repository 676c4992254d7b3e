// Selects and writes elements at the indices in tensors: `x[a, b]`, `x[:, a]`, `x[mask]`.
"use strict";
{
  const engine = globalThis.torchbook;
  const { tensor, count, stridesOf, positions, expanded, broadcastShape, to } = engine;

  // Returns a mask as indices, one tensor for each of its dimensions.
  const indicesOf = (mask) => {
    const chosen = mask.values();
    const strides = stridesOf(mask.shape);
    const kept = [...chosen.keys()].filter((i) => chosen[i]);
    return mask.shape.map((length, dim) => tensor("int64", [kept.length], kept.map((i) => Math.floor(i / strides[dim]) % length)));
  };

  // Returns the shape of `x[indices]`, and where its elements are among those of x. Indices must be beside each other.
  const placesOf = (x, given) => {
    const all = given.flatMap((one) => (one?.dtype === "bool" ? indicesOf(one) : [one]));
    const first = all.findIndex((one) => one !== null);
    const indices = all.slice(first).filter((one) => one !== null);
    const last = first + indices.length;
    if (all.slice(first, last).includes(null) || indices.some(({ dtype }) => dtype !== "int64")) {
      throw new TypeError("this kind of index is not computed here");
    }
    const chosen = indices.reduce((shape, one) => broadcastShape(shape, one.shape), []);
    const [before, after] = [x.shape.slice(0, first), x.shape.slice(last)];
    const strides = stridesOf(x.shape);
    const inner = new Array(count(chosen)).fill(0);
    indices.forEach((one, k) => expanded(one, chosen).values().forEach((index, i) => {
      const length = x.shape[first + k];
      if (index < -length || index >= length) throw new RangeError(`there is no index ${index} of ${length}`);
      inner[i] += (index < 0 ? index + length : index) * strides[first + k];
    }));
    const places = [];
    positions(before, strides.slice(0, first), 0, (outer) => {
      for (const middle of inner) positions(after, strides.slice(last), outer + middle, (at) => { places.push(at); });
    });
    return { shape: [...before, ...chosen, ...after], places };
  };

  const index = (x, indices) => {
    const { shape, places } = placesOf(x, indices);
    const values = x.values();
    return tensor(x.dtype, shape, places.map((at) => values[at]));
  };

  const indexPut = (x, indices, values, accumulates = false) => {
    const { shape, places } = placesOf(x, indices);
    const result = tensor(x.dtype, x.shape, x.values());
    const written = expanded(to(values, x.dtype), shape).values();
    places.forEach((at, i) => { result.data[at] = accumulates ? result.data[at] + written[i] : written[i]; });
    return result;
  };

  Object.assign(engine, { index, indexPut });
}
