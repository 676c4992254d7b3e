// PyTorch judges the small GPT: with the same weights, it computes the same for random texts, and a seed draws the same words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, judged, tensorOf } from "./engine.mjs";

await import("../../../../src/tools/site/gpt/weights.js");
await import("../../../../src/tools/site/gpt/model.js");

const { cases } = await judged("texts", process.env.TEXTS ?? 60);
const { gpt, Generator } = engine;

// Returns how far numbers are apart, by the larger of 1 and the judge's number.
const apart = (computed, expected) => {
  const right = tensorOf(expected);
  assert.deepEqual(computed.shape, right.shape);
  const wanted = right.values();
  return computed.values().reduce((most, value, i) => Math.max(most, Math.abs(value - wanted[i]) / Math.max(1, Math.abs(wanted[i]))), 0);
};

// Returns how far the results for all texts are from the judge's, and how many draws are others.
const compared = () => {
  const most = { heads: 0, logits: 0, probabilities: 0, otherDraws: 0 };
  for (const { ids, temperature, top, seed, heads, logits, probabilities, following } of cases) {
    const values = gpt.forward(ids);
    heads.forEach((one, layer) => { most.heads = Math.max(most.heads, apart(values[`${layer}.weights`], one)); });
    most.logits = Math.max(most.logits, apart(values.logits, logits));
    most.probabilities = Math.max(most.probabilities, apart(gpt.probabilities(values, ids.length - 1, { temperature, top }), probabilities));
    const generator = new Generator(seed);
    const text = [...ids];
    for (const word of following) {
      const seen = text.slice(-gpt.context);
      const drawn = gpt.draw(generator, gpt.probabilities(gpt.forward(seen), seen.length - 1, { temperature, top }));
      most.otherDraws += drawn !== word;
      text.push(word);
    }
  }
  return most;
};

// Kernels add in other orders, which logits show most: they are sums of sums of sums.
test("weights of heads, logits, probabilities and draws are PyTorch's", () => {
  const { heads, logits, probabilities, otherDraws } = compared();
  assert.ok(heads < 1e-5, `heads: ${heads}`);
  assert.ok(logits < 1e-4, `logits: ${logits}`);
  assert.ok(probabilities < 1e-5, `probabilities: ${probabilities}`);
  assert.equal(otherDraws, 0);
});

test("a fault in the model would be seen", () => {
  const { forward } = gpt;
  gpt.forward = (ids) => forward(ids.map((id, i) => (i === 0 ? (id + 1) % gpt.vocabulary.length : id)));
  try {
    assert.ok(compared().logits > 1e-3);
  } finally {
    gpt.forward = forward;
  }
});

test("a text becomes words", () => {
  assert.deepEqual(gpt.wordsOf(" Tom is  in the garden. Where is Tom?"), ["tom", "is", "in", "the", "garden", ".", "where", "is", "tom", "?"]);
});
