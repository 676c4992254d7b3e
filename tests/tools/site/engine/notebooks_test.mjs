// Runs the programs of the five notebooks, as their pages have them: every output has the text of its golden.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { distance, engine, textOf } from "./engine.mjs";

const folder = process.env.PROGRAMS; // what notebook_programs writes
const goldens = new URL("../../../../notebooks_ported/", import.meta.url);

// Returns the outputs of a golden: {cell, where, text}.
const readGolden = (text) => {
  const outputs = [];
  let cell = 0;
  const take = (mark, where, lines) => {
    const own = lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
    if (own.length > 0) outputs.push({ cell, where, text: own.join("\n") });
  };
  for (const part of text.split("\n\n").slice(1)) {
    const [head, ...lines] = part.split("\n");
    const found = /^@(\d+) /.exec(head);
    if (!found) continue;
    cell = Number(found[1]);
    take(">", "out", lines);
    take("=", "result", lines);
  }
  return outputs;
};

const notebooks = readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => {
  const slug = name.replace(/\.json$/, "");
  const golden = readGolden(readFileSync(new URL(`${slug}.golden`, goldens), "utf8"));
  return { slug, golden, json: readFileSync(`${folder}/${name}`, "utf8") };
});

const shownProgram = ({ json, golden }) => {
  const program = new engine.Program(JSON.parse(json));
  program.show(golden);
  return program;
};

// Returns the outputs of a notebook whose texts are not those of the golden, or do not show what they should.
const wrong = (notebook) => {
  const program = shownProgram(notebook);
  return program.outputs.filter((output, i) => textOf(program, output) !== notebook.golden[i].text || output.missing.length > 0);
};

test("there are five notebooks with 84 texts, in 83 cells", () => {
  assert.equal(notebooks.length, 5);
  assert.equal(notebooks.reduce((sum, { golden }) => sum + golden.length, 0), 84);
  assert.equal(notebooks.reduce((sum, { golden }) => sum + new Set(golden.map(({ cell }) => cell)).size, 0), 83);
});

for (const notebook of notebooks) {
  test(`${notebook.slug}: every output has the golden's text, and shows every tensor of its cell`, () => {
    assert.deepEqual(wrong(notebook), []);
    assert.deepEqual([...shownProgram(notebook).walls()], []);
  });

  // Other kernels than those of this engine may add in another order.
  test(`${notebook.slug}: no tensor is far from the trace's`, () => {
    const program = new engine.Program(JSON.parse(notebook.json));
    const computed = program.nodes.flatMap(({ op, values }, id) => (op && values ? [id] : []));
    assert.ok(computed.length > 0);
    for (const id of computed) {
      const expected = program.given(program.nodes[id]);
      if (distance(program.values[id], expected) <= 4) continue;
      const most = Math.max(...[...expected.values()].map(Math.abs).filter(Number.isFinite));
      program.values[id].values().forEach((one, i) => {
        const other = expected.values()[i];
        assert.ok(Object.is(one, other) || Math.abs(one - other) <= 1e-6 * most, `tensor ${id}`);
      });
    }
  });
}

test("a change goes through a notebook, and back", () => {
  for (const { json, golden } of notebooks) {
    const program = shownProgram({ json, golden });
    const constant = program.nodes.findIndex(({ values, op }) => values && !op);
    const draw = program.nodes.findIndex(({ seed }) => seed !== undefined);
    if (constant >= 0) program.set(constant, 0, 3);
    if (draw >= 0) program.seed(draw, 4);
    assert.ok(program.outputs.some((output, i) => textOf(program, output) !== golden[i].text));
    program.reset();
    assert.deepEqual(program.outputs.map((output) => textOf(program, output)), golden.map(({ text }) => text));
  }
});

// Removes the document's numbers of what is computed, with which a page checks itself.
const bare = ({ json, golden }) => {
  const { tensors, ...rest } = JSON.parse(json);
  const left = tensors.map(({ values, ...node }) => (node.op ? node : { values, ...node }));
  return { json: JSON.stringify({ tensors: left, ...rest }), golden };
};

test("a fault would be seen in the texts, and a page with the document's numbers has a wall there", () => {
  const unchecked = notebooks.map(bare);
  const faults = {
    "aten::softmax.int": (x, dim) => engine.multiply(engine.softmax(x, dim), new engine.Scalar(1.001, true)),
    "aten::select.int": (x, dim, index) => engine.select(x, dim, Math.max(index - 1, 0)),
    "aten::mean.dim": (x, dims) => engine.sum(x, dims),
    "aten::tril": (x) => engine.triu(x),
    "aten::randint.low": (generator, low, high, shape) => engine.randint(generator, low, high + 1, shape),
    "aten::exp": (x) => engine.add(engine.exp(x), new engine.Scalar(1e-3, true)),
  };
  const views = new Set(["aten::select.int"]); // a program has no numbers of these
  for (const [name, fault] of Object.entries(faults)) {
    const found = engine.operation(name);
    const { compute } = found;
    found.compute = fault;
    try {
      assert.ok(unchecked.some((notebook) => wrong(notebook).length > 0), name);
      if (!views.has(name)) assert.ok(notebooks.some((notebook) => shownProgram(notebook).walls().size > 0), name);
    } finally {
      found.compute = compute;
    }
  }
});
