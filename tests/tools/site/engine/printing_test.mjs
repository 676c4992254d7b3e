// PyTorch and Python judge the texts of tensors and numbers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, judged, tensorOf } from "./engine.mjs";

const { cases } = await judged("printing", process.env.TENSORS ?? 4000);
const { cases: floats } = await judged("floats", 4000);

const wrongTensors = () =>
  cases.flatMap((one) => {
    const x = tensorOf(one);
    const text = engine.tensorText(x, one.suffixes);
    const formatted = one.format ?? engine.formatText(x);
    if (text === one.repr && engine.formatText(x) === formatted) return [];
    return [`${one.dtype}[${one.shape}]\n${text}\nnot\n${one.repr}`];
  });

test("tensors print as in PyTorch", () => {
  assert.deepEqual(wrongTensors().slice(0, 3), []);
  for (const shape of ["", "0", "1"]) assert.ok(cases.some((one) => one.shape.join() === shape), `a case of [${shape}]`);
  for (const sign of ["inf", "nan", "e+", "e-", "...", "size=", "requires_grad", ".]"]) {
    assert.ok(cases.some(({ repr }) => repr.includes(sign)), `a case with ${sign}`);
  }
});

test("floats print as in Python", () => {
  for (const { bits, repr, fixed, scientific } of floats) {
    const value = Buffer.from(bits, "hex").readDoubleLE();
    assert.equal(engine.floatText(value), repr);
    if (fixed !== null) assert.equal(engine.fixed(value, 3), fixed, repr);
    assert.equal(engine.scientific(value, 3), scientific, repr);
  }
});

test("numbers in forms print as in Python", () => {
  for (const { bits, spec, formed, places, rounded } of floats) {
    const value = Buffer.from(bits, "hex").readDoubleLE();
    const [[form], [rounding]] = [`f"{x:${spec}}"`, `round(f(x), ${places})`].map(engine.formsIn);
    assert.equal(engine.formedText(value, form ?? { kind: "" }, "float64"), formed, `${value}: ${spec}`);
    if (Math.abs(value) < 1e20) assert.equal(engine.formedText(value, rounding, "float64"), rounded, `${value}: ${places} places`);
  }
  assert.equal(engine.formedText(-1234567, engine.formsIn('f"{n:>12,d}"')[0], "int64"), "  -1,234,567");
  assert.equal(engine.formedText(2.9, engine.formsIn('"step %d" % x')[0], "float32"), "2");
});

test("halves are rounded to the even digit", () => {
  assert.deepEqual([0.03125, 0.09375, 0.25].map((value) => engine.fixed(value, 4)), ["0.0312", "0.0938", "0.2500"]);
  assert.deepEqual([0.5, 1.5, 2.5].map((value) => engine.fixed(value, 0)), ["0", "2", "2"]);
  const written = [100005000, 100015000, 99999.5].map((value) => engine.scientific(value, 4));
  assert.deepEqual(written, ["1.0000e+08", "1.0002e+08", "1.0000e+05"]);
  assert.equal(engine.scientific(231065.015625, 4), "2.3107e+05"); // a little more than a half
});

test("a tuple is displayed as IPython does", () => {
  assert.equal(engine.displayedTuple(["tensor([1, 0])", "1"]), "(tensor([1, 0]), 1)");
  assert.equal(engine.displayedTuple(["a".repeat(38), "b".repeat(37)]), `(${"a".repeat(38)}, ${"b".repeat(37)})`);
  assert.equal(engine.displayedTuple(["a".repeat(38), "b".repeat(38)]), `(${"a".repeat(38)},\n ${"b".repeat(38)})`);
  assert.equal(engine.displayedTuple(["tensor([[1],\n        [2]])", "x"]), "(tensor([[1],\n         [2]]),\n x)");
});

test("a fault in the format would be seen", () => {
  const { scientific } = engine;
  const { toFixed } = Number.prototype;
  Number.prototype.toFixed = function (digits) { return toFixed.call(this, digits).replace(/^0\.0312$/, "0.0313"); };
  try {
    assert.ok(wrongTensors().length > 0, scientific.name);
  } finally {
    Number.prototype.toFixed = toFixed;
  }
});
