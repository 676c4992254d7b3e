// PyTorch judges operations on random operands, many of them views.
import assert from "node:assert/strict";
import { test } from "node:test";
import { distance, engine, judged, tensorOf } from "./engine.mjs";

// Returns a tensor with the strides of the judge's, because the order of a sum depends on them.
const withStrides = ({ tensor, strides }) => {
  const x = tensorOf(tensor);
  const order = [...strides.keys()].sort((a, b) => strides[b] - strides[a] || a - b);
  const inOrder = engine.clone(engine.permute(x, order));
  return engine.permute(inOrder, order.map((_, dim) => order.indexOf(dim)));
};

const argument = (arg) => {
  if (Array.isArray(arg)) return arg.map(argument);
  if (arg === null || typeof arg !== "object") return arg;
  return "tensor" in arg ? withStrides(arg) : new engine.Scalar(Number(engine.numberOf(arg.real)), true);
};

const furthest = (a, b) => {
  if (a.dtype !== b.dtype || a.shape.join() !== b.shape.join()) return Infinity;
  const right = b.values();
  return a.values().reduce((most, value, i) => Math.max(most, Math.abs(value - right[i])), 0);
};

// Returns the names of the operations of cases whose results are not those of the judge.
const mistakes = (cases) =>
  cases.flatMap(({ op, args, results, ulps, error }) => {
    let computed;
    try {
      computed = [engine.operation(op).compute(...args.map(argument))].flat();
    } catch (failure) {
      return [`${op}: ${failure.message}`];
    }
    const expected = results.map(tensorOf);
    const [bits, most] = exact ? [ulps, error] : [Math.max(ulps, 64), Math.max(error, 1e-5)];
    const agrees = (x, i) => distance(x, expected[i]) <= bits || (most > 0 && furthest(x, expected[i]) <= most);
    if (computed.length === expected.length && computed.every(agrees)) return [];
    const described = args.map((arg) => (arg?.tensor ? `${arg.tensor.dtype}[${arg.tensor.shape}]/${arg.strides}` : JSON.stringify(arg)));
    const apart = computed.map((x, i) => (expected[i] ? distance(x, expected[i]) : Infinity));
    return [`${op}(${described.map((text) => text.slice(0, 60))}): ${Math.max(...apart)} apart`];
  });

const { cases, exact } = await judged("operations", process.env.ROUNDS ?? 20);

test("operations give PyTorch's results", () => {
  assert.deepEqual(mistakes(cases), []);
  assert.ok(new Set(cases.map(({ op }) => op)).size > 70, "most cases fit");
});

test("a fault in an operation would be seen", () => {
  const found = engine.operation("aten::sum.dim_IntList");
  const { compute } = found;
  found.compute = (x, dims, keepdim) => { // adds from the first element on
    const y = engine.sum(engine.to(x, x.dtype), dims, keepdim);
    if (x.dtype !== "float32" || dims.length !== x.rank) return y;
    y.data[0] = x.values().reduce((sum, value) => Math.fround(sum + value), 0);
    return y;
  };
  try {
    assert.ok(mistakes(cases).length > 0);
  } finally {
    found.compute = compute;
  }
});
