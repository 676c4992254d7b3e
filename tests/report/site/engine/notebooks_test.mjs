// Runs the five notebooks as programs made from their traces: every output has the text of its golden.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { distance, engine } from "./engine.mjs";
import { elements, programOf, readGolden } from "./trace_program.mjs";
import { readTrace } from "./trace.mjs";

const folder = process.env.TRACES; // what notebook_traces writes
const goldens = new URL("../../../../notebooks_ported/", import.meta.url);

const notebooks = readdirSync(folder).filter((name) => name.endsWith(".trace")).map((name) => {
  const slug = name.replace(/\.trace$/, "");
  const trace = readTrace(readFileSync(`${folder}/${name}`));
  const golden = readGolden(readFileSync(new URL(`${slug}.golden`, goldens), "utf8"));
  const { json, traced, missing, unknown } = programOf(trace, golden);
  return { slug, trace, golden, json: JSON.stringify(json), traced, missing, unknown };
});

// Returns the outputs of a notebook whose texts are not those of the golden.
const wrong = ({ json, golden }) => {
  const program = new engine.Program(JSON.parse(json));
  return program.outputs.filter((output, i) => program.text(output) !== golden[i].text);
};

test("there are five notebooks with 84 texts, in 83 cells", () => {
  assert.equal(notebooks.length, 5);
  assert.equal(notebooks.reduce((sum, { golden }) => sum + golden.length, 0), 84);
  assert.equal(notebooks.reduce((sum, { golden }) => sum + new Set(golden.map(({ cell }) => cell)).size, 0), 83);
});

for (const notebook of notebooks) {
  test(`${notebook.slug}: every output has the golden's text`, () => {
    assert.deepEqual(wrong(notebook), []);
    assert.deepEqual(notebook.missing, [], "every shown tensor is found in the text of its cell");
    assert.equal(notebook.unknown, 0);
    assert.deepEqual([...new engine.Program(JSON.parse(notebook.json)).walls()], []);
  });

  // Other kernels than those of this engine may add in another order.
  test(`${notebook.slug}: no tensor is far from the trace's`, () => {
    const program = new engine.Program(JSON.parse(notebook.json));
    program.values.forEach((value, id) => {
      const { dtype, shape, hash } = notebook.traced[id];
      if (!notebook.trace.bytes.has(hash)) return;
      const read = elements(notebook.traced[id], notebook.trace.bytes);
      const expected = engine.tensor(dtype, shape, read.map(engine.numberOf));
      if (distance(value, expected) <= 4) return;
      const most = Math.max(...[...expected.values()].map(Math.abs).filter(Number.isFinite));
      value.values().forEach((one, i) => {
        const other = expected.values()[i];
        assert.ok(Object.is(one, other) || Math.abs(one - other) <= 1e-6 * most, `tensor ${id}`);
      });
    });
  });
}

test("a change goes through a notebook, and back", () => {
  for (const { json, golden } of notebooks) {
    const program = new engine.Program(JSON.parse(json));
    const constant = program.nodes.findIndex(({ values, op }) => values && !op);
    const draw = program.nodes.findIndex(({ seed }) => seed !== undefined);
    if (constant >= 0) program.set(constant, 0, 3);
    if (draw >= 0) program.seed(draw, 4);
    assert.ok(program.outputs.some((output, i) => program.text(output) !== golden[i].text));
    program.reset();
    assert.deepEqual(program.outputs.map((output) => program.text(output)), golden.map(({ text }) => text));
  }
});

test("a fault would be seen in the texts", () => {
  const faults = {
    "aten::softmax.int": (x, dim) => engine.multiply(engine.softmax(x, dim), new engine.Scalar(1.001, true)),
    "aten::select.int": (x, dim, index) => engine.select(x, dim, Math.max(index - 1, 0)),
    "aten::mean.dim": (x, dims) => engine.sum(x, dims),
    "aten::tril": (x) => engine.triu(x),
    "aten::randint.low": (generator, low, high, shape) => engine.randint(generator, low, high + 1, shape),
    "aten::exp": (x) => engine.add(engine.exp(x), new engine.Scalar(1e-3, true)),
  };
  for (const [name, fault] of Object.entries(faults)) {
    const found = engine.operation(name);
    const { compute } = found;
    found.compute = fault;
    try {
      assert.ok(notebooks.some((notebook) => wrong(notebook).length > 0), name);
    } finally {
      found.compute = compute;
    }
  }
});
