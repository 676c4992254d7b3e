// Makes the program of one attention of 256 tokens: queries, keys, values, scores, weights, context.
export const [tokens, dims] = [256, 64];

const at = (tensor) => ({ tensor });
const float = (...shape) => ({ dtype: "float32", shape });
const square = { op: "aten::randn", args: [[dims, dims], null, null, null, null] };

export const program = {
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
};
