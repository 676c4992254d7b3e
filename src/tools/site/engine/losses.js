// Computes losses, and steps of optimizers.
"use strict";
{
  const engine = globalThis.torchbook;
  const { Scalar, tensor, add, subtract, multiply, divide, sum, mean } = engine;

  // Losses by element, their mean, or their sum, by LibTorch's numbers of these.
  const reduced = (losses, reduction) => [() => losses, () => mean(losses, null, false), () => sum(losses, null, false)][reduction]();

  const mse = (x, y, reduction) => {
    const apart = subtract(x, y, new Scalar(1, false));
    return reduced(multiply(apart, apart), reduction);
  };
  const l1 = (x, y, reduction) => reduced(engine.abs(subtract(x, y, new Scalar(1, false))), reduction);

  // Returns how many targets count.
  const countedTargets = (targets, ignored) => targets.values().filter((target) => target !== ignored).length;

  // Returns the losses of rows of logarithms, each at its target. A target of `ignored` has none.
  const nll = (logs, targets, weight, reduction, ignored = -100) => {
    if (weight) throw new TypeError("weights of classes are not computed here");
    if (logs.rank > 2) throw new TypeError("losses of images are not computed here");
    const classes = logs.shape.at(-1);
    const values = logs.values();
    const picked = [...targets.values()].map((target, i) => {
      if (target !== ignored && !(target >= 0 && target < classes)) throw new RangeError(`there is no class ${target} of ${classes}`);
      return target === ignored ? 0 : -values[i * classes + target];
    });
    const losses = tensor("float32", targets.shape, picked);
    if (reduction !== 1) return reduced(losses, reduction);
    return divide(sum(losses, null, false), new Scalar(countedTargets(targets, ignored), false));
  };

  const crossEntropy = (x, targets, weight, reduction, ignored, smoothing) => {
    if ((smoothing instanceof Scalar ? smoothing.value : smoothing) || targets.dtype !== "int64") {
      throw new TypeError("a loss of probabilities is not computed here");
    }
    return nll(engine.logSoftmax(x, x.rank - 1), targets, weight, reduction, ignored);
  };

  const addMultiple = (compute) => (x, a, b, value) => add(x, multiply(compute(a, b), value), new Scalar(1, false));

  Object.assign(engine, {
    mse, l1, countedTargets, nll, crossEntropy,
    addcmul: addMultiple(multiply), addcdiv: addMultiple(divide),
  });
}
