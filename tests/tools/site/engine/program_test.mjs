// Tests programs: what is computed again after a change, walls, seeds, texts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, textOf } from "./engine.mjs";

const at = (tensor) => ({ tensor });
const float = { dtype: "float32" };

// x (2 × 2), its softmax, a product with x, a part that was written, and a draw.
const attention = () => ({
  version: 1,
  tensors: [
    { ...float, shape: [2, 2], values: [1, 2, 3, 4], name: "x" },
    { ...float, shape: [2, 2], op: "aten::softmax.int", args: [at(0), -1, null] },
    { ...float, shape: [2, 2], op: "aten::matmul", args: [at(1), at(0)] },
    { ...float, shape: [2], op: "aten::select.int", args: [at(2), 0, 1] },
    { ...float, shape: [3, 2], op: "aten::zeros", args: [[3, 2], null, null, null, null] },
    { ...float, shape: [3, 2], op: "insert", args: [at(4), at(3)], through: [["aten::select.int", 0, 2]] },
    { ...float, shape: [2], op: "aten::rand", args: [[2], null, null, null, null], seed: 1 },
    { ...float, shape: [2], op: "aten::randn", args: [[2], null, null, null, null], follows: at(6) },
    { dtype: "bool", shape: [], op: "aten::allclose", args: [at(0), at(2), { real: 0.5 }, { real: 1 }, false] },
  ],
  outputs: [
    { cell: 1, where: "out", text: ["x is ", at(0), "\nclose: ", { tensor: 8, as: "format" }] },
    { cell: 2, where: "result", text: [{ tuple: [at(3), at(6)] }] },
  ],
});

const numbers = (program, id) => [...program.values[id].values()];
const sorted = (ids) => [...ids].sort((a, b) => a - b);

test("a program computes its tensors and texts", () => {
  const program = new engine.Program(attention());
  assert.equal(textOf(program, program.outputs[0]), "x is tensor([[1., 2.],\n        [3., 4.]])\nclose: True");
  assert.equal(textOf(program, program.outputs[1]), "(tensor([2.4621, 3.4621]), tensor([0.7576, 0.2793]))");
  assert.deepEqual(numbers(program, 5).map((value) => value.toFixed(4)), ["0.0000", "0.0000", "0.0000", "0.0000", "2.4621", "3.4621"]);
  assert.deepEqual(program.changed(), []);
  assert.equal(program.walls().size, 0);
});

test("only what depends on a change is computed again", () => {
  const program = new engine.Program(attention());
  const [draw] = [program.values[6]];
  assert.deepEqual(sorted(program.set(0, 1, 2.5)), [0, 1, 2, 3, 5]);
  assert.equal(program.values[6], draw);
  assert.deepEqual(program.changed(), [0, 1, 2, 3, 5]);
  assert.deepEqual([...program.moved(0)], [0, 0.5, 0, 0]);
  assert.equal(program.moved(6), null);
  assert.deepEqual(sorted(program.set(0, 2, 30)), [0, 1, 2, 3, 5, 8]);
  assert.match(textOf(program, program.outputs[0]), /close: False$/);
});

test("changes can be taken back, in links, and one by one", () => {
  const program = new engine.Program(attention());
  const before = program.values.map((value) => [...value.values()]);
  program.set(0, 1, 2.5);
  program.set(1, 0, 0.25); // the weight stays, whatever x is
  const changes = JSON.parse(JSON.stringify(program.changes()));
  assert.deepEqual(changes, { numbers: [[0, 1, 2.5], [1, 0, 0.25]], seeds: [] });
  assert.equal(numbers(program, 1)[0], 0.25);
  const changed = program.values.map((value) => [...value.values()]);
  const other = new engine.Program(attention());
  other.apply(changes);
  assert.deepEqual(other.values.map((value) => [...value.values()]), changed);
  program.apply({ numbers: changes.numbers.slice(0, 1) });
  assert.notEqual(numbers(program, 1)[0], 0.25);
  program.reset();
  assert.deepEqual(program.values.map((value) => [...value.values()]), before);
  assert.deepEqual(program.changed(), []);
});

test("another seed draws again what follows it", () => {
  const program = new engine.Program(attention());
  assert.deepEqual(sorted(program.seed(6, 2)), [6, 7]);
  const generator = new engine.Generator(2);
  assert.deepEqual(program.values[6].values(), engine.rand(generator, [2]).values());
  assert.deepEqual(program.values[7].values(), engine.randn(generator, [2]).values());
  program.set(0, 0, 9);
  assert.deepEqual(program.changes().seeds, [[6, 2]]);
  assert.deepEqual(sorted(program.seed(6, 1)), [6, 7]);
  assert.throws(() => program.seed(7, 1), RangeError); // it has no seed of its own
});

const walled = () => ({
  version: 1,
  tensors: [
    { ...float, shape: [2], values: [1, 2] },
    { ...float, shape: [2], op: "aten::nosuch", args: [at(0)], values: [5, "inf"] },
    { ...float, shape: [2], op: "aten::add.Tensor", args: [at(1), at(0), 1] },
    { ...float, shape: [2], op: "aten::mul.Scalar", args: [at(0), { real: 0.5 }] },
  ],
  outputs: [{ cell: 1, where: "out", text: [at(2)] }, { cell: 2, where: "out", text: [at(3)] }],
});

test("what depends on a wall keeps its numbers, and is stale", () => {
  const program = new engine.Program(walled());
  assert.deepEqual([...program.walls()], [[1, "aten::nosuch is not computed here"]]);
  assert.deepEqual(numbers(program, 2), [6, Infinity]);
  assert.equal(program.stale.size, 0);
  assert.deepEqual(sorted(program.set(0, 0, 4)), [0, 1, 2, 3]);
  assert.deepEqual(sorted(program.stale), [1, 2]);
  assert.deepEqual(numbers(program, 2), [6, Infinity]);
  assert.deepEqual(numbers(program, 3), [2, 1]);
  assert.deepEqual(program.outputs.map((output) => program.isStale(output)), [true, false]);
  program.reset();
  assert.equal(program.stale.size, 0);
  program.set(1, 0, 7); // the wall's own number
  assert.deepEqual(numbers(program, 2), [8, Infinity]);
});

test("a wall names its operation and cell, also from behind", () => {
  const { tensors, ...rest } = walled();
  const program = new engine.Program({ tensors: tensors.map((node, cell) => ({ ...node, cell })), ...rest });
  program.set(0, 0, 4);
  assert.deepEqual([1, 2].map((id) => program.wallOf(id)), [1, 1].map((cell) => ({ cell, reason: "aten::nosuch is not computed here" })));
  assert.deepEqual(program.counts(), { made: 3, computed: 2 });
});

test("a wall without numbers has none, and what was made of it has the document's", () => {
  const program = new engine.Program({
    version: 1,
    tensors: [
      { ...float, shape: [2], values: [1, 2] },
      { dtype: "float16", shape: [2], op: "aten::to.dtype", args: [at(0), 5] },
      { ...float, shape: [2], op: "aten::to.dtype", args: [at(1), 6], values: [1, 2] },
      { ...float, shape: [2], wall: "the origin of a view is not known", args: [at(0)], values: [3, 4] },
      { ...float, shape: [2], op: "aten::neg", args: [at(0)] },
      { ...float, shape: [3], op: "aten::neg", args: [at(0)] },
    ],
    outputs: [{ cell: 1, where: "out", text: [at(2)] }],
  });
  assert.deepEqual([...program.walls().keys()], [1, 2, 3, 5]);
  assert.deepEqual([program.values[1], program.values[5]], [null, null]);
  assert.match(program.walls().get(2), /float16/);
  assert.deepEqual(sorted(program.set(0, 0, 5)), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(sorted(program.stale), [1, 2, 3, 5]);
  assert.deepEqual(numbers(program, 4), [-5, -2]);
  assert.throws(() => program.set(1, 0, 1), RangeError);
  program.reset();
  assert.equal(program.stale.size, 0);
});

test("what was given a number after a changed one was taken is stale", () => {
  const program = new engine.Program({
    version: 1,
    tensors: [
      { ...float, shape: [1], values: [1] },
      { ...float, shape: [1], op: "aten::mul.Scalar", args: [at(0), { real: 2 }], since: 1 },
      { ...float, shape: [1], op: "aten::mul.Scalar", args: [at(0), { real: 3 }], since: 2 },
      { ...float, shape: [1], values: [7], since: 3 },
      { ...float, shape: [1], op: "aten::mul.Scalar", args: [at(0), { real: 2 }], since: 1 },
    ],
    taken: [[1, 2]],
  });
  program.set(3, 0, 8); // nobody took it
  assert.deepEqual([sorted(program.stale), numbers(program, 3)], [[], [8]]);
  program.reset();
  program.set(0, 0, 5);
  assert.deepEqual([sorted(program.stale), numbers(program, 4)], [[2, 3], [10]]);
  assert.match(program.wallOf(3).reason, /took a number out of the result of aten::mul\.Scalar, perhaps as an index/);
  program.set(0, 0, 1);
  assert.equal(program.stale.size, 0);
});

test("a tensor is found after one that a cell writes in another form, and a number then is none", () => {
  const program = new engine.Program({
    version: 1,
    tensors: [
      { ...float, shape: [2], values: [0.5, 2] },
      { ...float, shape: [], op: "aten::select.int", args: [at(0), 0, 0] },
      { ...float, shape: [], op: "aten::select.int", args: [at(0), 0, 1] },
    ],
    cells: [{ cell: 1, shown: [1, 2, 0] }],
  });
  program.show([{ cell: 1, where: "out", text: "0.500\n2.000 or 2.0\ntensor([0.5000, 2.0000])\n" }]); // f"{x[0]:.3f}", f"{x[1]:.3f}", x
  const [{ text, missing }] = program.outputs;
  assert.deepEqual([text, missing], [["0.500\n2.000 or 2.0\n", at(0), "\n"], [1, 2]]);
});

test("a number in a form of the code is found and written again, if the text can mean nothing else", () => {
  const item = (from, index) => ({ ...float, shape: [], op: "aten::select.int", args: [at(from), 0, index] });
  const program = new engine.Program({
    version: 1,
    tensors: [{ ...float, shape: [3], values: [0.5, 2.25, 0.5] }, item(0, 0), item(0, 1), item(0, 2),
      { dtype: "int64", shape: [], values: [5] }, { dtype: "float64", shape: [] }],
  });
  const [x, a, b, equal, n, d] = [0, 1, 2, 3, 4, 5];
  const texts = [ // the code, the document's texts, its tensors, the texts after a change
    ['f"{a:.3f} {b:9.2e} {x}"', ["0.500  2.25e+00 tensor([0.5000, 2.2500, 0.5000])"], [a, b, x],
      ["0.062 -1.25e-01 tensor([ 0.0625, -0.1250,  0.5000])"]],
    ['"%.3f, %.3f" % (a, a)', ["0.500, 0.500"], [a, a], ["0.062, 0.062"]], // 0.0625 is a half: to the even digit
    ['print(a, f"{a:.3f}")', ["tensor(0.5000) 0.500"], [a, a], ["tensor(0.0625) 0.062"]],
    ['print(f"{a:.3f}"); b', ["0.500", "tensor(2.2500)"], [a, b], ["0.062", "tensor(-0.1250)"]],
    ['f"{b:f}"', ["2.250000"], [b], ["-0.125000"]],
    ['f"{b}"', ["2.25"], [b], ["-0.125"]],
    ['f"step {n} of 10"', ["step 5 of 10"], [n], ["step 7 of 10"]],
    ['f"{0.5:.3f} {a:.3f}"', ["0.500 0.500"], [a], null],
    ['print(f"{0.5:.3f}"); f"{a:.3f}"', ["0.500", "'0.500'"], [a], null],
    ['f"{a:.3f} {equal:.3f}"', ["0.500 0.500"], [a, equal], null],
    ['print(f"{a:.4f}", equal)', ["0.5000 tensor(0.5000)"], [a, equal], null],
    ['f"{b:8.2f}"', ["    2.25"], [b], null], // or f"    {b}"
    ['f"{b:.2f}"', ["2.25"], [b], null],
    [`f"{f'{b:.1f}':>4}"`, ["2.2"], [b], null],
    ['f"{b:+.3f} {b:>7.1%} {a:<7.3f}|"', ["+2.250  225.0% 0.500  |"], [b, b, a], null], // of b in two forms
    ['f"{a:+.3f} {b:>8.1%}"', ["+0.500   225.0%"], [a, b], ["+0.062   -12.5%"]],
    ['f"{word:<8}{b:.3f}"', ["tea     2.250"], [b], ["tea     -0.125"]],
    ['"%s: step %2d, %.3f" % (word, n, b)', ["tea: step  5, 2.250"], [b], ["tea: step  5, -0.125"]],
    ['"a b".split(), round(a.item(), 3), b', ["0.5 2.250"], [a], null],
    ['f"{b} {b:.1f}"', ["2.25 2.2"], [b], null],
    ['f"{b:.1f} {b:4.1f}"', ["2.2  2.2"], [b, b], null],
    ['f"step 5 of 10: {n}"', ["step 5 of 10: 5"], [n], null],
    ['f"{d} {a}"', ["0.5 0.25"], [d, a], null],
    ...["g", ".4g", ".3", "{w}.2f", ".{p}f", ".2F", "*>8.2f", ".0e", ".60e", ","].map((form) =>
      [`f"{b:${form}}"`, ["2.25"], [b], null]),
    ...['f"{b:.2f}".rjust(4)', 'f"{b:.2f}"[:9]', '"%#.2f" % b', '"%g" % b', 'format(b, ".2f")'].map((code) =>
      [code, ["2.25"], [b], null]),
    ['learned', ["tensor(0.5000, grad_fn=<MulBackward0>)"], [a], ["tensor(0.0625, grad_fn=<MulBackward0>)"]],
    ['learned, learned', ["(tensor(0.5000, grad_fn=<MulBackward0>),\n tensor([0.5000, 2.2500, 0.5000], requires_grad=True))"], [a, x],
      ["(tensor(0.0625, grad_fn=<MulBackward0>),\n tensor([ 0.0625, -0.1250,  0.5000], requires_grad=True))"], "result"],
    ['x, x.dtype, learned', ["(tensor([0.5000, 2.2500, 0.5000]),\n torch.float32,\n tensor(0.5000, grad_fn=<MulBackward0>))"], [x, a],
      ["(tensor([ 0.0625, -0.1250,  0.5000]),\n torch.float32,\n tensor(0.0625, grad_fn=<MulBackward0>))"], "result"],
    ['f"{b:.3f} of {x}"', ["2.250 of tensor([0.5000, 2.2500, 0.5000])"], [b, x], ["-0.125 of tensor([ 0.0625, -0.1250,  0.5000])"]],
  ];
  for (const [code, before, shown, expected, first = "out"] of texts) {
    program.reset();
    program.cells = [{ cell: 1, shown }];
    program.show(before.map((text, i) => ({ cell: 1, where: [first, "result"][i], text })), () => code);
    program.set(x, 0, 0.0625);
    program.set(x, 1, -0.125);
    program.set(n, 0, 7);
    assert.deepEqual(program.outputs.map((output) => textOf(program, output)), expected ?? before, code);
    assert.equal(program.outputs[0].missing.length > 0, expected === null, code);
  }
});

test("a number that a statement took is written again, if nothing else can have been made of it", () => {
  const item = (index) => ({ ...float, shape: [], op: "aten::select.int", args: [at(0), 0, index] });
  const program = new engine.Program({
    version: 1,
    tensors: [{ ...float, shape: [3], values: [0.5, 2.125, 0.5] }, item(0), item(1), { dtype: "int64", shape: [], values: [3] }],
  });
  const [x, a, b, n] = [0, 1, 2, 3];
  const texts = [ // the code, the document's text, what the cell shows and takes, and the text after a change
    ['f"loss {b.item():.4f}"', "loss 2.1250", { printed: [b] }, "loss -0.1250"],
    ['print(b, f"{b.item():.4f}")', "tensor(2.1250) 2.1250", { shown: [b], printed: [b] }, "tensor(-0.1250) -0.1250"],
    ['print(b.item(), a.item(), x)', "2.125 0.5 tensor([0.5000, 2.1250, 0.5000])", { shown: [x], printed: [a, b] },
      "-0.125 0.25 tensor([ 0.2500, -0.1250,  0.5000])"],
    ['losses.append(b.item()); print(f"{losses[-1]:.4f}")', "2.1250", { taken: [b] }, "-0.1250"],
    ['f"{b.item():.4f} {2 * b.item():.4f}"', "2.1250 4.2500", { printed: [b, b] }, null],
    ['y = b.item(); f"{y:.4f} {2 * y:.4f}"', "2.1250 4.2500", { taken: [b] }, null],
    ['words[n.item()]', "tea", { printed: [n] }, null],
    ['i = n.item(); print(i, words[i])', "3 tea", { taken: [n] }, null],
  ];
  for (const [code, text, cell, expected] of texts) {
    program.reset();
    program.cells = [{ cell: 1, shown: [], ...cell }];
    program.show([{ cell: 1, where: "out", text }], () => code);
    program.set(x, 0, 0.25);
    program.set(x, 1, -0.125);
    const [output] = program.outputs;
    if (expected !== null) assert.equal(textOf(program, output), expected, code);
    assert.equal(output.taken.length + output.missing.length > 0, expected === null, code);
  }
});

test("a cell that prints a thousand numbers is read at once", () => {
  const values = [...Array(1000).keys()].map((i) => Math.fround(i / 1000));
  const items = values.map((_, i) => ({ ...float, shape: [], op: "aten::select.int", args: [at(0), 0, i] }));
  const program = new engine.Program({
    version: 1,
    tensors: [{ ...float, shape: [1000], values }, ...items],
    cells: [{ cell: 1, shown: items.map((_, i) => i + 1) }],
  });
  program.show([{ cell: 1, where: "out", text: values.map((value, i) => `step ${i}: loss ${value.toFixed(6)}\n`).join("") }],
    () => 'print(f"{x:.6f} {y:.2f} {z:.4f}")');
  program.set(0, 999, 5);
  assert.match(textOf(program, program.outputs[0]), /step 999: loss 5\.000000\n$/);
});

test("draws that follow one that is not computed are stale after another seed", () => {
  const draw = (name, rest) => ({ ...float, shape: [2], op: `aten::${name}`, args: [[2], null, null, null, null], values: [0.5, 0.25], ...rest });
  const program = new engine.Program({ version: 1, tensors: [draw("rand", { seed: 1, values: undefined }), draw("nosuch", { follows: at(0) }), draw("rand", { follows: at(1) })] });
  assert.deepEqual([...program.walls().keys()], [1, 2]);
  program.seed(0, 2);
  assert.deepEqual(sorted(program.stale), [1, 2]);
});

test("a seed has 64 bits, and a negative one is what PyTorch makes of it", () => {
  const program = new engine.Program(attention());
  assert.deepEqual(sorted(program.seed(6, "-1")), [6, 7]);
  const { values } = program;
  assert.equal(program.seed(6, "18446744073709551615").size, 0);
  assert.deepEqual(program.values, values);
  assert.deepEqual(sorted(program.seed(6, "1")), [6, 7]);
});

test("a number that an operation cannot take makes a wall for as long as it is there", () => {
  const whole = { dtype: "int64", shape: [1] };
  const program = new engine.Program({
    version: 1,
    tensors: [{ ...whole, values: [2] }, { ...whole, op: "aten::mul.Tensor", args: [at(0), at(0)] }],
    outputs: [],
  });
  program.set(0, 0, 2 ** 40);
  assert.deepEqual([numbers(program, 1), sorted(program.stale)], [[4], [1]]);
  program.set(0, 0, 3);
  assert.deepEqual([numbers(program, 1), sorted(program.stale)], [[9], []]);
});

test("what is no program is refused", () => {
  const program = (tensors) => () => new engine.Program({ version: 1, tensors, outputs: [] });
  assert.throws(() => new engine.Program({ version: 2, tensors: [], outputs: [] }), /version 2, not 1/);
  assert.throws(program([{ ...float, shape: [1], op: "aten::neg", args: [at(0)] }]), /before its operands/);
  const known = new engine.Program(attention());
  assert.throws(() => known.set(0, 4, 1), RangeError);
  assert.throws(() => known.set(99, 0, 1), RangeError);
});
