// Measures the engine of the pages in processor time: node bench/engine.mjs
import { engine } from "../tests/report/site/engine/engine.mjs";

const [tokens, dims] = [256, 64];
const at = (tensor) => ({ tensor });
const float = (...shape) => ({ dtype: "float32", shape });
const square = { op: "aten::randn", args: [[dims, dims], null, null, null, null] };

// One attention of 256 tokens: queries, keys, values, scores, weights, context.
const program = new engine.Program({
  version: 1,
  tensors: [
    { ...float(tokens, dims), op: "aten::randn", args: [[tokens, dims], null, null, null, null], seed: 1 },
    ...[1, 2, 3].map(() => ({ ...float(dims, dims), ...square })),
    ...[1, 2, 3].map((weight) => ({ ...float(tokens, dims), op: "aten::matmul", args: [at(0), at(weight)] })),
    { ...float(dims, tokens), op: "aten::t", args: [at(5)] },
    { ...float(tokens, tokens), op: "aten::matmul", args: [at(4), at(7)] },
    { ...float(tokens, tokens), op: "aten::div.Tensor", args: [at(8), { real: 8 }] },
    { ...float(tokens, tokens), op: "aten::softmax.int", args: [at(9), -1, null] },
    { ...float(tokens, dims), op: "aten::matmul", args: [at(10), at(6)] },
  ],
  outputs: [],
});

const times = Array.from({ length: 21 }, (_, i) => {
  const begin = process.cpuUsage();
  program.set(0, 0, i);
  return process.cpuUsage(begin).user / 1000;
}).sort((a, b) => a - b);
console.log(`one attention of ${tokens} tokens, ${dims} dimensions: ${times[10].toFixed(1)} ms (fastest ${times[0].toFixed(1)} ms)`);
