// PyTorch judges what becomes of a typed number and of a typed seed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { distance, engine, judged, tensorOf } from "./engine.mjs";

const { cases } = await judged("typed", 0);
const { numberIn, seedIn, sameSeed, inputText, Generator, rand, tensor } = engine;

test("a typed number becomes the element that torch.tensor makes of it", () => {
  for (const { text, float32, int64 } of cases.filter(({ text }) => text !== undefined)) {
    assert.equal(distance(tensor("float32", [1], [numberIn(text, "float32").number]), tensorOf(float32)), 0, text);
    if (int64 !== null) assert.equal(numberIn(text, "int64").number, Number(int64), text);
    else assert.match(numberIn(text, "int64").problem, /whole numbers/, text);
  }
});

test("a typed seed is torch.manual_seed's, to 64 bits, and what that refuses says so", () => {
  for (const { seed: text, is, values } of cases.filter(({ seed }) => seed !== undefined)) {
    const { seed, problem } = seedIn(text);
    if (is === null || /\.\d*[1-9]/.test(text)) { // torch.manual_seed drops a fraction in silence
      assert.match(problem, /^torch.manual_seed takes|^A seed is a whole number/, text);
      continue;
    }
    assert.ok(sameSeed(seed, is), text);
    assert.equal(distance(rand(new Generator(seed), [3]), tensorOf(values)), 0, text);
  }
});

test("a text that is not a number says what would be right", () => {
  for (const text of ["", "one", "1/2/3", "1e", "--1", "1 2", "0x10", "1/", "True"]) {
    assert.match(numberIn(text, "float32").problem, /not a number/, text);
    assert.match(numberIn(text, "int64").problem, /not a number/, text);
  }
  assert.match(numberIn("1/0", "float32").problem, /division by zero/);
  for (const read of [(text) => numberIn(text, "float32"), seedIn]) assert.match(read("5".repeat(500_000)).problem, /at most 1000/);
  for (const text of ["9007199254740993", "1e16", "1" + "0".repeat(400)]) assert.match(numberIn(text, "int64").problem, /whole numbers/, text);
  for (const text of ["seven", "1/3"]) assert.match(seedIn(text).problem, /is not a seed/, text);
  assert.equal(seedIn("").problem, "Type a seed, a whole number.");
  assert.equal(seedIn("1.5").problem, "A seed is a whole number, and 1.5 is none.");
  assert.equal(seedIn("2e1").seed, "20");
});

test("a written number is read as the same element", () => {
  for (const number of [0.1, -0, 1 / 3, NaN, Infinity, -Infinity, 1e40, -1e40, 1e-45, 2 ** 53]) {
    assert.ok(Object.is(Math.fround(numberIn(inputText(number), "float32").number), Math.fround(number)), String(number));
  }
});
