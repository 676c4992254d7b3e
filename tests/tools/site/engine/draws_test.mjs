// LibTorch judges the draws of 10,000 seeds. The numbers of randn from 16 elements on are those of the kernels for AVX2.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, judged } from "./engine.mjs";

const { cases, exact } = await judged("draws", process.env.SEEDS ?? 10_000);
const { Generator, rand, randn, randint, randperm, bernoulli, full } = engine;

const calls = {
  rand: (generator) => rand(generator, [3]),
  "randn of 3": (generator) => randn(generator, [3]),
  randint: (generator) => randint(generator, -5, 100, [3]),
  "randn of 4, which begins with a kept number": (generator) => randn(generator, [2, 2]),
  "randn of 16": (generator) => randn(generator, [2, 8]),
  "randn of 19": (generator) => randn(generator, [19]),
  randperm: (generator) => randperm(generator, 4),
  "randint of a wide range": (generator) => randint(generator, 0, 2 ** 40, [2]),
  bernoulli: (generator) => bernoulli(generator, full([4], 0.3, "float32")),
  "rand after these": (generator) => rand(generator, [2]),
  uniform: (generator) => engine.uniform(generator, [5], -0.7, 1.3),
  "normal of 5": (generator) => randn(generator, [5], 2, 0.3),
  "randn of 18 with a mean": (generator) => randn(generator, [2, 9], -1, 0.02),
  exponential: (generator) => engine.exponential(generator, [5]),
  coins: (generator) => engine.coins(generator, [5], 0.4),
  dropout: (generator) => engine.dropout(generator, full([5], 3, "float32"), 0.3, true),
  multinomial: (generator) => engine.multinomial(generator, engine.tensor("float32", [2, 3], [0.1, 0.5, 0.4, 0.3, 0.3, 0.4]), 1, false),
  "multinomial of 2": (generator) => engine.multinomial(generator, engine.tensor("float32", [3], [0.1, 0.5, 0.4]), 2, false),
  "normal of tensors": (generator) => engine.operation("aten::normal.Tensor_Tensor").compute(generator, full([5], 1, "float32"), engine.arange(0, 5, 1, "float32")),
  "rand after all others": (generator) => rand(generator, [2]),
};

// Returns how many seeds give other numbers, by call.
const wrong = () => {
  const counts = {};
  for (const { seed, values } of cases) {
    const generator = new Generator(seed);
    Object.entries(calls).forEach(([name, draw], i) => {
      const expected = values[i].trim().split(" ").map(Number);
      const drawn = draw(generator).values();
      const near = exact || !name.startsWith("randn of 1") ? 0 : 1e-5; // other kernels round otherwise
      const isOther = (value, k) => !Object.is(value, drawn[k]) && !(Math.abs(value - drawn[k]) <= near);
      if (expected.some(isOther)) counts[name] = (counts[name] ?? 0) + 1;
    });
  }
  return counts;
};

test("every seed draws LibTorch's numbers", () => {
  assert.deepEqual(wrong(), {});
});

test("a fault in a draw would be seen", () => {
  const { normal } = Generator.prototype;
  Generator.prototype.normal = function () {
    this.keptNormal = null;
    return normal.call(this);
  };
  try {
    assert.ok(Object.hasOwn(wrong(), "randn of 3"));
  } finally {
    Generator.prototype.normal = normal;
  }
});

test("a generator is copied with its state", () => {
  const generator = new Generator(7);
  randn(generator, [3]);
  const other = generator.copy();
  assert.deepEqual(randn(other, [30]).values(), randn(generator, [30]).values());
});

test("only the lower 32 bits of a seed count", () => {
  assert.equal(new Generator(2 ** 32 + 5).draw(), new Generator(5).draw());
  assert.equal(new Generator(-1).draw(), new Generator(2 ** 32 - 1).draw());
});
