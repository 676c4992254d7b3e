// Lists the operations that the engine computes, by the names that a trace has: `aten::add.Tensor`. An operation that is
// not here is a wall for a program (program.js).
//
// Arguments come in the order of LibTorch's schema: tensors, whole numbers, Scalars for real numbers, bools, texts,
// lists, and null.
"use strict";
{
  const engine = globalThis.torchbook;
  const { Scalar, Tensor, tensor, dtypeOf, full } = engine;

  const operations = new Map();
  const on = (names, compute) => {
    for (const name of names.split(" ")) operations.set(`aten::${name}`, { compute, draws: false });
  };
  // Adds an operation whose first argument is the generator. It draws nothing for arguments for which `isIdle` returns true.
  const onDraw = (names, compute, isIdle = () => false) => {
    for (const name of names.split(" ")) operations.set(`aten::${name}`, { compute, draws: true, isIdle });
  };

  // Returns an operand of arithmetic: a tensor or a Scalar.
  const operand = (x) => (x instanceof Tensor || x instanceof Scalar ? x : new Scalar(x, false));
  const scalar = (x) => (x === undefined ? new Scalar(1, false) : operand(x));
  const number = (x) => (x instanceof Scalar ? x.value : x);
  const optional = (x) => (x === null || x === undefined ? null : operand(x));

  // ------------------------------------------------------------ creation

  on("zeros", (shape, dtype) => full(shape, 0, dtypeOf(dtype)));
  on("ones", (shape, dtype) => full(shape, 1, dtypeOf(dtype)));
  // Uninitialised memory has these numbers in a trace.
  const uninitialised = { float64: NaN, float32: NaN, int64: -1, bool: 1 };
  on("empty.memory_format", (shape, dtype) => full(shape, uninitialised[dtypeOf(dtype)], dtypeOf(dtype)));
  on("full", (shape, value, dtype) => full(shape, number(value), dtypeOf(dtype, operand(value).dtype)));
  on("scalar_tensor", (value, dtype) => full([], number(value), dtypeOf(dtype)));
  on("zeros_like", (x, dtype) => engine.filledLike(x, 0, dtypeOf(dtype, x.dtype)));
  on("new_zeros", (x, shape, dtype) => full(shape, 0, dtypeOf(dtype, x.dtype)));
  on("new_ones", (x, shape, dtype) => full(shape, 1, dtypeOf(dtype, x.dtype)));
  on("new_full", (x, shape, value, dtype) => full(shape, number(value), dtypeOf(dtype, x.dtype)));
  on("ones_like", (x, dtype) => engine.filledLike(x, 1, dtypeOf(dtype, x.dtype)));
  on("full_like", (x, value, dtype) => engine.filledLike(x, number(value), dtypeOf(dtype, x.dtype)));
  const range = (start, end, step, dtype) => {
    const kinds = [start, end, step].map((one) => operand(one).dtype);
    const own = kinds.includes("float32") ? "float32" : "int64";
    return engine.arange(number(start), number(end), number(step), dtypeOf(dtype, own));
  };
  on("arange", (end, dtype) => range(0, end, 1, dtype));
  on("arange.start", (start, end, dtype) => range(start, end, 1, dtype));
  on("arange.start_step", (start, end, step, dtype) => range(start, end, step, dtype));
  on("linspace", (start, end, steps, dtype) => engine.linspace(number(start), number(end), number(steps), dtypeOf(dtype)));
  on("eye", (size, dtype) => engine.eye(size, size, dtypeOf(dtype)));
  on("eye.m", (rows, columns, dtype) => engine.eye(rows, columns, dtypeOf(dtype)));
  on("tril", engine.tril);
  on("triu", engine.triu);

  const to = (x, dtype) => engine.to(x, dtypeOf(dtype, x.dtype));
  on("to.dtype to.dtype_layout _to_copy", to);
  on("to.device", (x, device, dtype) => to(x, dtype));
  on("to.other type_as", (x, other) => engine.to(x, other.dtype));
  on("clone contiguous detach alias resolve_conj resolve_neg lift lift_fresh lift_fresh_copy cpu item requires_grad", (x) => x);

  // What is written to a whole tensor. A write to a part of one is an insertion (program.js).
  on("fill.Scalar fill.Tensor", (x, value) => engine.expanded(engine.asTensor(operand(value), x.dtype), x.shape));
  on("zero", (x) => engine.filledLike(x, 0));
  on("copy", (x, from) => engine.expanded(engine.to(from, x.dtype), x.shape));

  // ------------------------------------------------------------ views and joining

  on("select.int", engine.select);
  on("slice.Tensor", engine.slice);
  on("narrow", engine.narrow);
  on("unbind.int", engine.unbind);
  on("split.Tensor split.sizes split_with_sizes", engine.split);
  on("chunk", engine.chunk);
  on("diagonal", engine.diagonal);
  on("index_select", engine.indexSelect);
  on("embedding", engine.embedding);
  on("index_put _index_put_impl", engine.indexPut);
  on("index.Tensor", engine.index);
  on("permute", engine.permute);
  on("transpose.int swapaxes swapdims", engine.transpose);
  on("t numpy_T", (x) => engine.permute(x, [...x.shape.keys()].reverse()));
  on("adjoint mT", engine.mT);
  on("unsqueeze", engine.unsqueeze);
  on("squeeze squeeze.dim squeeze.dims", engine.squeeze);
  on("view reshape _unsafe_view _reshape_alias", engine.reshape);
  on("view_as reshape_as", (x, other) => engine.reshape(x, other.shape));
  on("flatten.using_ints", engine.flatten);
  on("expand", engine.expand);
  on("expand_as", (x, other) => engine.expand(x, other.shape));
  on("sort", engine.sort);
  on("sort.stable", (x, stable, dim, descending) => engine.sort(x, dim, descending));
  on("argsort", engine.argsort);
  on("topk", engine.topk);
  on("unflatten.int", (x, dim, sizes) => {
    const at = engine.dimension(dim, x.rank);
    return engine.reshape(x, [...x.shape.slice(0, at), ...sizes, ...x.shape.slice(at + 1)]);
  });
  on("flip", (x, dims) => dims.reduce((y, dim) => {
    const length = y.shape[engine.dimension(dim, y.rank)];
    return engine.indexSelect(y, dim, tensor("int64", [length], Array.from({ length }, (_, i) => length - 1 - i)));
  }, x));
  on("roll", engine.roll);
  on("one_hot", (x, classes = -1) => {
    const count = classes < 0 ? Math.max(...x.values()) + 1 : classes;
    const all = tensor("int64", [count], [...Array(count).keys()]);
    return engine.to(engine.equal(engine.unsqueeze(x, -1), all), "int64");
  });
  on("cat concat", engine.cat);
  on("stack", engine.stack);

  // ------------------------------------------------------------ arithmetic and comparison

  const binary = (names, compute) => on(names, (a, b) => compute(operand(a), operand(b)));
  on("add.Tensor add.Scalar", (a, b, alpha) => engine.add(operand(a), operand(b), scalar(alpha)));
  on("sub.Tensor sub.Scalar subtract.Tensor subtract.Scalar", (a, b, alpha) => engine.subtract(operand(a), operand(b), scalar(alpha)));
  on("rsub.Scalar rsub.Tensor", (a, b, alpha) => engine.subtract(operand(b), operand(a), scalar(alpha)));
  binary("mul.Tensor mul.Scalar multiply.Tensor multiply.Scalar", engine.multiply);
  binary("div.Tensor div.Scalar divide.Tensor divide.Scalar true_divide.Tensor true_divide.Scalar", engine.divide);
  on("div.Tensor_mode div.Scalar_mode", (a, b, mode) => engine.divideRounded(operand(a), operand(b), mode));
  binary("floor_divide floor_divide.Scalar", engine.floorDivide);
  binary("remainder.Tensor remainder.Scalar", engine.remainder);
  binary("pow.Tensor_Scalar pow.Tensor_Tensor pow.Scalar", engine.power);
  binary("maximum max.other", engine.maximum);
  binary("minimum min.other", engine.minimum);
  binary("eq.Tensor eq.Scalar", engine.equal);
  binary("ne.Tensor ne.Scalar", engine.notEqual);
  binary("lt.Tensor lt.Scalar less.Tensor", engine.less);
  binary("le.Tensor le.Scalar", engine.lessEqual);
  binary("gt.Tensor gt.Scalar greater.Tensor", engine.greater);
  binary("ge.Tensor ge.Scalar", engine.greaterEqual);
  binary("bitwise_and.Tensor bitwise_and.Scalar __and__.Tensor", engine.bitwiseAnd);
  binary("bitwise_or.Tensor bitwise_or.Scalar __or__.Tensor", engine.bitwiseOr);
  binary("logical_and", engine.logicalAnd);
  binary("logical_or", engine.logicalOr);
  on("where.self where.ScalarOther where.ScalarSelf where.Scalar",
    (condition, a, b) => engine.where(condition, operand(a), operand(b)));
  on("masked_fill.Scalar masked_fill.Tensor", (x, mask, value) => engine.maskedFill(x, mask, operand(value)));
  on("clamp clip clamp.Tensor", (x, low, high) => engine.clamp(x, optional(low), optional(high)));
  on("clamp_min", (x, low) => engine.clamp(x, operand(low), null));
  on("clamp_max", (x, high) => engine.clamp(x, null, operand(high)));
  const truth = (value) => tensor("bool", [], [value]);
  on("allclose", (a, b, relative, absolute, nanEqual) =>
    truth(engine.allclose(a, b, number(relative), number(absolute), nanEqual)));
  on("equal", (a, b) => truth(a.shape.join() === b.shape.join() && a.values().every((value, i) => value === b.values()[i])));

  // ------------------------------------------------------------ functions of one number

  const alike = ["exp", "log", "log2", "log10", "log1p", "expm1", "sqrt", "rsqrt", "reciprocal", "sin", "cos", "tanh", "sigmoid",
    "erf", "relu", "silu", "abs", "sign", "floor", "ceil", "round", "square", "isnan", "isinf"];
  for (const name of alike) on(name, engine[name]);
  on("neg negative", engine.negative);
  on("logical_not", engine.logicalNot);
  on("bitwise_not", (x) => (x.dtype === "bool" ? engine.logicalNot(x) : engine.subtract(new Scalar(-1, false), x)));
  on("gelu", engine.gelu);
  on("leaky_relu", (x, slope) => engine.leakyRelu(x, slope === undefined ? undefined : operand(slope)));

  // ------------------------------------------------------------ products

  on("matmul __matmul__", engine.matmul);
  on("mm", engine.mm);
  on("bmm", engine.bmm);
  on("mv", engine.mv);
  on("dot inner", engine.dot);
  on("outer ger", engine.outer);
  on("linear", engine.linear);
  for (const name of ["addmm", "baddbmm", "addmv"]) {
    on(name, (x, a, b, beta, alpha) => engine[name](x, a, b, scalar(beta), scalar(alpha)));
  }

  // ------------------------------------------------------------ reductions

  const own = (x, dtype) => (dtype === null || dtype === undefined ? undefined : dtypeOf(dtype));
  for (const [name, compute] of [["sum", engine.sum], ["mean", engine.mean]]) {
    on(name, (x, dtype) => compute(x, null, false, own(x, dtype)));
    on(name + (name === "sum" ? ".dim_IntList" : ".dim"), (x, dims, keepdim, dtype) => compute(x, dims, keepdim, own(x, dtype)));
  }
  on("prod", (x, dtype) => engine.product(x, null, false, own(x, dtype)));
  on("prod.dim_int", (x, dim, keepdim, dtype) => engine.product(x, [dim], keepdim, own(x, dtype)));
  on("cumsum", (x, dim, dtype) => engine.cumsum(x, dim, own(x, dtype)));
  for (const name of ["max", "min"]) {
    on(`${name} a${name}`, (x, dims, keepdim) => engine[name].all(x, dims ?? null, keepdim));
    on(`${name}.dim`, engine[name].along);
    on(`arg${name}`, engine[name].place);
  }
  for (const name of ["any", "all"]) {
    on(name, (x) => engine[name](x));
    on(`${name}.dim`, (x, dim, keepdim) => engine[name](x, [dim], keepdim));
  }
  for (const [name, compute] of [["var", engine.variance], ["std", engine.deviation]]) {
    on(name, (x, unbiased) => compute(x, null, Number(unbiased)));
    on(`${name}.dim`, (x, dims, unbiased, keepdim) => compute(x, dims, Number(unbiased), keepdim));
    on(`${name}.correction`, (x, dims, correction, keepdim) => compute(x, dims, number(correction ?? 1), keepdim));
  }
  const norm = (x, dims, keepdim, p = 2) => {
    if (p !== 2) throw new TypeError(`a norm of ${p} is not computed here`);
    return engine.sqrt(engine.sum(engine.square(x), dims, keepdim));
  };
  on("norm.ScalarOpt_dim", (x, p, dims, keepdim) => norm(x, dims, keepdim, number(p ?? 2)));
  on("norm.Scalar", (x, p) => norm(x, null, false, number(p ?? 2)));
  on("frobenius_norm.dim", norm);
  on("softmax.int", (x, dim, dtype) => engine.softmax(x, dim, own(x, dtype)));
  on("_softmax", (x, dim) => engine.softmax(x, dim));
  on("log_softmax.int", (x, dim, dtype) => engine.logSoftmax(x, dim, own(x, dtype)));
  on("_log_softmax", (x, dim) => engine.logSoftmax(x, dim));

  // ------------------------------------------------------------ layers and losses

  on("layer_norm", (x, shape, weight, bias, eps) => engine.layerNorm(x, shape, weight, bias, number(eps ?? 1e-5)));
  for (const name of ["hardtanh", "relu6", "elu", "softplus", "hardsigmoid", "hardswish", "mish"]) {
    on(name, (x, ...rest) => engine[name](x, ...rest.map(number)));
  }
  on("log_sigmoid", engine.logSigmoid);
  on("mse_loss", (x, y, reduction = 1) => engine.mse(x, y, reduction));
  on("l1_loss", (x, y, reduction = 1) => engine.l1(x, y, reduction));
  on("nll_loss nll_loss_nd", (x, targets, weight, reduction = 1, ignored = -100) => engine.nll(x, targets, weight, reduction, ignored));
  on("cross_entropy_loss", (x, targets, weight, reduction = 1, ignored = -100, smoothing = 0) =>
    engine.crossEntropy(x, targets, weight, reduction, ignored, smoothing));
  on("nll_loss_forward", (x, targets, weight, reduction, ignored) =>
    [engine.nll(x, targets, weight, reduction, ignored), tensor(x.dtype, [], [engine.countedTargets(targets, ignored)])]);
  on("native_layer_norm", (x, shape, weight, bias, eps) => engine.nativeLayerNorm(x, shape, weight, bias, number(eps)));

  // ------------------------------------------------------------ gradients and steps

  on("slice_backward", engine.sliceBackward);
  on("select_backward", engine.selectBackward);
  on("embedding_backward embedding_dense_backward", engine.embeddingBackward);
  on("native_layer_norm_backward", engine.layerNormBackward);
  on("mse_loss_backward", engine.mseBackward);
  on("silu_backward", engine.siluBackward);
  on("gelu_backward", engine.geluBackward);
  on("nll_loss_backward", engine.nllBackward);
  on("_softmax_backward_data", engine.softmaxBackward);
  on("_log_softmax_backward_data", engine.logSoftmaxBackward);
  on("tanh_backward", engine.tanhBackward);
  on("sigmoid_backward", engine.sigmoidBackward);
  on("threshold_backward", (grad, x, threshold) => engine.thresholdBackward(grad, x, operand(threshold)));
  on("addcmul", (x, a, b, value) => engine.addcmul(x, a, b, scalar(value)));
  on("addcdiv", (x, a, b, value) => engine.addcdiv(x, a, b, scalar(value)));

  // ------------------------------------------------------------ draws

  const float32Only = (dtype) => {
    if (dtypeOf(dtype) !== "float32") throw new TypeError("only float32 is drawn here");
  };
  const drawn = (draw) => (generator, shape, dtype) => {
    float32Only(dtype);
    return draw(generator, shape);
  };
  onDraw("rand", drawn(engine.rand));
  onDraw("randn", drawn(engine.randn));
  onDraw("rand.generator", (generator, shape, own, dtype) => drawn(engine.rand)(generator, shape, dtype));
  onDraw("randn.generator", (generator, shape, own, dtype) => drawn(engine.randn)(generator, shape, dtype));
  onDraw("rand_like", (generator, x) => engine.rand(generator, x.shape));
  onDraw("randn_like", (generator, x) => engine.randn(generator, x.shape));
  const wholeDrawn = (generator, low, high, shape, dtype) => engine.randint(generator, low, high, shape, dtypeOf(dtype, "int64"));
  onDraw("randint", (generator, high, shape, dtype) => wholeDrawn(generator, 0, high, shape, dtype));
  onDraw("randint.low", wholeDrawn);
  onDraw("randperm", (generator, size, dtype) => engine.randperm(generator, size, dtypeOf(dtype, "int64")));
  onDraw("randint.generator", (generator, high, shape, own, dtype) => wholeDrawn(generator, 0, high, shape, dtype));
  onDraw("randint.low_generator", (generator, low, high, shape, own, dtype) => wholeDrawn(generator, low, high, shape, dtype));
  onDraw("randperm.generator", (generator, size, own, dtype) => engine.randperm(generator, size, dtypeOf(dtype, "int64")));
  // Draws into a tensor: its own numbers do not matter.
  const onDrawInto = (name, draw) => onDraw(name, (generator, x, ...rest) => {
    if (x.dtype !== "float32") throw new TypeError(`${x.dtype} is not drawn here`);
    return draw(generator, x.shape, ...rest.slice(0, 2).map(number));
  });
  onDrawInto("uniform_", engine.uniform);
  onDrawInto("normal_", engine.randn);
  const normalOf = (generator, mean, deviation) => {
    const [shape, middle, scale] = [engine.broadcastShape(mean.shape ?? [], deviation.shape ?? []), operand(mean), operand(deviation)];
    return engine.add(engine.multiply(engine.randn(generator, shape), scale), middle);
  };
  onDraw("normal.Tensor_Tensor normal.Tensor_float normal.float_Tensor", normalOf);
  onDraw("normal.float_float", (generator, mean, deviation, shape) => engine.randn(generator, shape, number(mean), number(deviation)));
  onDrawInto("exponential_", engine.exponential);
  onDrawInto("bernoulli_.float", engine.coins);
  onDraw("random_", (generator, x) => {
    if (x.dtype !== "int64") throw new TypeError(`${x.dtype} is not drawn here`);
    return engine.anyWhole(generator, x.shape);
  });
  onDraw("dropout", (generator, x, probability, trains) => engine.dropout(generator, x, number(probability), trains),
    (x, probability, trains) => !trains || number(probability) === 0);
  onDraw("multinomial", engine.multinomial);
  onDraw("bernoulli", (generator, probabilities) => engine.bernoulli(generator, probabilities));

  // Returns the operation of a name, or undefined. `aten::add_.Tensor` is add.Tensor, whose result keeps the dtype.
  const operation = (name) => {
    const known = operations.get(name);
    if (known || !/_(\.|$)/.test(name)) return known;
    const plain = operations.get(name.replace(/_(?=\.|$)/, ""));
    if (!plain || plain.draws) return undefined;
    return { draws: false, compute: (x, ...rest) => engine.to(plain.compute(x, ...rest), x.dtype) };
  };

  Object.assign(engine, { operation });
}
