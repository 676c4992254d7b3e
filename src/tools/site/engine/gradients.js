// Computes the operations of which the backward pass consists. Sums are in double, LibTorch's in float32.
"use strict";
{
  const engine = globalThis.torchbook;
  const { Scalar, made, tensor, count, add, subtract, multiply, sum } = engine;
  const one = new Scalar(1, false);

  const nllBackward = (grad, x, targets, weight, reduction, ignored) => {
    if (weight || x.rank > 2) throw new TypeError("these gradients are not computed here");
    const result = made("float32", x.shape);
    const classes = x.shape.at(-1);
    const counted = engine.countedTargets(targets, ignored);
    targets.values().forEach((target, i) => {
      if (target === ignored) return;
      const own = reduction === 0 ? grad.values()[i] : grad.item();
      result.data[i * classes + target] = reduction === 1 ? -own / counted : -own;
    });
    return result;
  };

  const softmaxBackward = (grad, y, dim) => {
    const weighted = multiply(grad, y);
    return subtract(weighted, multiply(y, sum(weighted, [dim], true)), one);
  };
  const logSoftmaxBackward = (grad, y, dim) => subtract(grad, multiply(engine.exp(y), sum(grad, [dim], true)), one);
  const tanhBackward = (grad, y) => multiply(grad, subtract(one, multiply(y, y), one));
  const sigmoidBackward = (grad, y) => multiply(grad, multiply(subtract(one, y, one), y));
  const thresholdBackward = (grad, x, threshold) => engine.where(engine.greater(x, threshold), grad, new Scalar(0, false));

  // Returns zeros of a shape in which a view has the gradient.
  const spread = (grad, shape, view) => engine.inserted(made(grad.dtype, shape), grad, view);
  const sliceBackward = (grad, shape, dim, start, end, step) => spread(grad, shape, (x) => engine.slice(x, dim, start, end, step));
  const selectBackward = (grad, shape, dim, index) => spread(grad, shape, (x) => engine.select(x, dim, index));

  const embeddingBackward = (grad, indices, rows, padding) => {
    const [width, values] = [grad.shape.at(-1), grad.values()];
    const sums = new Float64Array(rows * width);
    indices.values().forEach((row, i) => {
      for (let j = 0; row !== padding && j < width; ++j) sums[row * width + j] += values[i * width + j];
    });
    return tensor(grad.dtype, [rows, width], sums);
  };

  const layerNormBackward = (grad, x, shape, mean, deviation, weight, bias, wanted) => {
    const length = count(shape);
    const [given, own] = [grad.values(), x.values()];
    const scales = weight ? weight.values() : new Float64Array(length).fill(1);
    const [result, ofWeight, ofBias] = [given.length, length, length].map((size) => new Float64Array(size));
    mean.values().forEach((middle, row) => {
      const factor = deviation.values()[row];
      const at = (i) => row * length + i;
      const normal = (i) => (own[at(i)] - middle) * factor;
      let [all, weighted] = [0, 0];
      for (let i = 0; i < length; ++i) {
        ofWeight[i] += given[at(i)] * normal(i);
        ofBias[i] += given[at(i)];
        all += given[at(i)] * scales[i];
        weighted += given[at(i)] * scales[i] * normal(i);
      }
      for (let i = 0; i < length; ++i) {
        result[at(i)] = factor * (given[at(i)] * scales[i] - (all + normal(i) * weighted) / length);
      }
    });
    const shapes = [x.shape, shape, shape];
    return [result, ofWeight, ofBias].map((values, i) => (wanted[i] ? tensor(x.dtype, shapes[i], values) : null));
  };

  const mseBackward = (grad, x, y, reduction) => {
    const apart = multiply(subtract(x, y, one), new Scalar(reduction === 1 ? 2 / x.size : 2, true));
    return multiply(apart, grad);
  };
  const siluBackward = (grad, x) => {
    const gate = engine.sigmoid(x);
    return multiply(multiply(grad, gate), add(multiply(x, subtract(one, gate, one)), one, one));
  };

  const geluBackward = (grad, x, approximate = "none") => {
    const slope = approximate === "none"
      ? (v) => (1 + engine.erfOf(v * Math.SQRT1_2)) / 2 + v * Math.exp(-v * v / 2) / Math.sqrt(2 * Math.PI)
      : (v) => {
        const gate = Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3));
        return (1 + gate) / 2 + v / 2 * (1 - gate ** 2) * Math.sqrt(2 / Math.PI) * (1 + 3 * 0.044715 * v * v);
      };
    return multiply(grad, engine.unary(x, slope));
  };

  Object.assign(engine, {
    nllBackward, softmaxBackward, logSoftmaxBackward, tanhBackward, sigmoidBackward, thresholdBackward, sliceBackward, selectBackward,
    embeddingBackward, layerNormBackward, mseBackward, siluBackward, geluBackward,
  });
}
