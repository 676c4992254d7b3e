// Loads the scripts of the engine in the order of a page, and what the tests share.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const folder = new URL("../../../../src/tools/site/engine/", import.meta.url);

export const scripts = ["tensor", "arithmetic", "views", "indexing", "creation", "functions", "products", "reductions", "softmax", "layers", "losses", "gradients", "sorting",
  "normal_block", "generator", "number_text", "number_input", "printing", "operations", "sources", "program", "walls", "forms", "shown"];
for (const name of scripts) await import(new URL(`${name}.js`, folder));

export const engine = globalThis.torchbook;

// Returns the cases that the judge, PyTorch in another process, makes for a question (judge.py), and whether its kernels are
// those for AVX2, whose bits the engine has.
export const judged = async (question, ...args) => {
  const python = process.env.PYTHON ?? "/usr/bin/python3";
  const judge = new URL("judge.py", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(python, [judge, question, ...args.map(String)], { maxBuffer: 2 ** 30 });
  const { capability, cases } = JSON.parse(stdout);
  return { cases, exact: capability === "AVX2" };
};

const bools = new Map([["True", 1], ["False", 0]]);

// Returns a tensor of the judge: {dtype, shape, values}, with numbers as Python writes them.
export const tensorOf = ({ dtype, shape, values }) =>
  engine.tensor(dtype, shape, values.map((value) => bools.get(value) ?? Number(engine.numberOf(value))));

// Returns the bits of a float32, as a number that counts them in order.
export const ordered = (value) => {
  const bits = new Int32Array(Float32Array.of(value).buffer)[0];
  return bits < 0 ? -(bits & 0x7fffffff) : bits;
};

// Returns how many float32 are between two tensors at most. nan are alike. 0 says that they have the same bits.
export const distance = (a, b) => {
  if (a.dtype !== b.dtype || a.shape.join() !== b.shape.join()) return Infinity;
  const [left, right] = [a.values(), b.values()];
  return left.reduce((most, value, i) => {
    if (Object.is(value, right[i])) return most;
    if (a.dtype !== "float32" || Number.isNaN(value) || Number.isNaN(right[i])) return Infinity;
    return Math.max(most, Math.abs(ordered(value) - ordered(right[i])) || 1);
  }, 0);
};

// Returns the text of an output as it is now.
export const textOf = (program, output) => output.text.map((part) => program.partText(part)).join("");
