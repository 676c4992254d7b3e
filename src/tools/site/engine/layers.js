// Computes normalization and activation functions.
"use strict";
{
  const engine = globalThis.torchbook;
  const { Scalar, made, count, unary, to, add, multiply } = engine;

  // Returns the result, and the mean and the inverse deviation of each row.
  const nativeLayerNorm = (x, shape, weight, bias, eps) => {
    const length = count(shape);
    const values = x.values();
    const result = made("float32", x.shape);
    const rows = [...x.shape.slice(0, x.rank - shape.length), ...shape.map(() => 1)];
    const [means, factors] = [made("float32", rows), made("float32", rows)];
    for (let begin = 0; begin < values.length; begin += length) {
      const own = [...values.subarray(begin, begin + length)];
      const mean = own.reduce((sum, value) => sum + value, 0) / length;
      const variance = own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / length;
      const factor = 1 / Math.sqrt(variance + eps);
      means.data[begin / length] = mean;
      factors.data[begin / length] = factor;
      own.forEach((value, i) => { result.data[begin + i] = (value - mean) * factor; });
    }
    const scaled = weight ? multiply(result, weight) : result;
    return [bias ? add(scaled, bias, new Scalar(1, false)) : scaled, means, factors];
  };

  const of = (compute) => (x, ...rest) => unary(to(x, "float32"), (value) => compute(value, ...rest));
  const between = (x, low, high) => (Number.isNaN(x) ? x : Math.min(Math.max(x, low), high));

  Object.assign(engine, {
    nativeLayerNorm,
    layerNorm: (...args) => nativeLayerNorm(...args)[0],
    hardtanh: of((x, low = -1, high = 1) => between(x, low, high)),
    relu6: of((x) => between(x, 0, 6)),
    elu: of((x, alpha = 1, scale = 1, inputScale = 1) => scale * (x > 0 ? x : alpha * Math.expm1(x * inputScale))),
    softplus: of((x, beta = 1, threshold = 20) => (x * beta > threshold ? x : Math.log1p(Math.exp(x * beta)) / beta)),
    logSigmoid: of((x) => Math.min(x, 0) - Math.log1p(Math.exp(-Math.abs(x)))),
    hardsigmoid: of((x) => between(x + 3, 0, 6) / 6),
    hardswish: of((x) => (x * between(x + 3, 0, 6)) / 6),
    mish: of((x) => x * Math.tanh(Math.log1p(Math.exp(x)))),
  });
}
