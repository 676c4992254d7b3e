// Draws random numbers as LibTorch's CPU generator does, by the Mersenne Twister MT19937.
//
// rand, randint, randperm and bernoulli draw the same bits everywhere. So does randn below 16 elements, as far as the
// browser's log, sin and cos are those of the C library: they may differ in the last bit of a double, which hardly ever
// shows in a float32. From 16 elements on, LibTorch's kernels differ between processors; normal_block.js has that for AVX2.
"use strict";
{
  const engine = globalThis.torchbook;
  const { made } = engine;

  const words = 624;
  const middle = 397;
  const upperBit = 0x80000000;
  const lowerBits = 0x7fffffff;

  class Generator {
    constructor(seed) {
      this.seed(seed);
    }

    // Begins anew, as torch.manual_seed does. Only the lower 32 bits of a seed count.
    seed(seed) {
      this.state = new Uint32Array(words);
      this.state[0] = Number(BigInt.asUintN(32, BigInt(seed)));
      for (let i = 1; i < words; ++i) {
        const last = this.state[i - 1];
        this.state[i] = Math.imul(1812433253, last ^ (last >>> 30)) + i;
      }
      this.next = words;
      this.keptNormal = null; // the second value of a pair that no call has taken yet
    }

    // Returns a copy that draws the same numbers from here on.
    copy() {
      const other = Object.create(Generator.prototype);
      return Object.assign(other, this, { state: this.state.slice() });
    }

    makeBlock() {
      const { state } = this;
      for (let i = 0; i < words; ++i) {
        const mixed = (state[i] & upperBit) | (state[(i + 1) % words] & lowerBits);
        state[i] = state[(i + middle) % words] ^ (mixed >>> 1) ^ (mixed & 1 ? 0x9908b0df : 0);
      }
      this.next = 0;
    }

    // Returns 32 bits.
    draw() {
      if (this.next === words) this.makeBlock();
      let word = this.state[this.next++];
      word ^= word >>> 11;
      word ^= (word << 7) & 0x9d2c5680;
      word ^= (word << 15) & 0xefc60000;
      return (word ^ (word >>> 18)) >>> 0;
    }

    // Returns a number in [0, 1) with the precision of float32.
    uniform() { return (this.draw() & 0xffffff) / 2 ** 24; }

    // Returns a number in [0, 1) with the precision of a double: 53 bits of two draws.
    uniformDouble() {
      const upper = this.draw();
      return ((upper & 0x1fffff) * 2 ** 32 + this.draw()) / 2 ** 53;
    }

    // Returns a normal number. They are made in pairs.
    normal() {
      if (this.keptNormal !== null) {
        const kept = this.keptNormal;
        this.keptNormal = null;
        return kept;
      }
      const u1 = this.uniformDouble();
      const u2 = this.uniformDouble();
      const radius = Math.sqrt(-2 * Math.log1p(-u2));
      const angle = 2 * Math.PI * u1;
      this.keptNormal = radius * Math.sin(angle);
      return radius * Math.cos(angle);
    }

    // Returns a whole number from 0 to `range` - 1.
    below(range) {
      if (range < widest) return this.draw() % range;
      const upper = BigInt(this.draw());
      return Number(((upper << 32n) | BigInt(this.draw())) % BigInt(range));
    }
  }

  // From this range on, a whole number takes two draws.
  const widest = 2 ** 32;
  const block = 16;

  const filled = (dtype, shape, draw) => {
    const result = made(dtype, shape);
    for (let i = 0; i < result.data.length; ++i) result.data[i] = draw(i);
    return result;
  };

  const rand = (generator, shape) => filled("float32", shape, () => generator.uniform());

  // Returns numbers in [from, to). A kernel rounds once.
  const uniform = (generator, shape, from = 0, to = 1) =>
    filled("float32", shape, () => generator.uniform() * Math.fround(Math.fround(to) - Math.fround(from)) + Math.fround(from));

  const randn = (generator, shape, mean = 0, deviation = 1) => {
    const result = made("float32", shape);
    const { data } = result;
    if (data.length < block) {
      for (let i = 0; i < data.length; ++i) data[i] = generator.normal() * deviation + mean;
      return result;
    }
    for (let i = 0; i < data.length; ++i) data[i] = generator.uniform();
    for (let i = 0; i + block <= data.length; i += block) engine.normalBlock(data.subarray(i, i + block), mean, deviation);
    if (data.length % block === 0) return result;
    const last = data.subarray(data.length - block); // drawn once more
    for (let i = 0; i < block; ++i) last[i] = generator.uniform();
    engine.normalBlock(last, mean, deviation);
    return result;
  };

  const randint = (generator, low, high, shape, dtype = "int64") =>
    filled(dtype, shape, () => low + generator.below(high - low));

  const randperm = (generator, size, dtype = "int64") => {
    const result = filled(dtype, [size], (i) => i);
    const { data } = result;
    for (let i = 0; i + 1 < size; ++i) {
      const other = i + (generator.draw() % (size - i));
      [data[i], data[other]] = [data[other], data[i]];
    }
    return result;
  };

  // Returns 1 with the probabilities in a tensor, otherwise 0.
  const bernoulli = (generator, probabilities) => {
    const values = probabilities.values();
    return filled(probabilities.dtype, probabilities.shape, (i) => Number(generator.uniform() < values[i]));
  };

  // Returns 1 with a probability, otherwise 0. This draws doubles.
  const coins = (generator, shape, probability) => filled("float32", shape, () => Number(generator.uniformDouble() < probability));

  // Drops numbers with a probability, and scales the others so that their sum stays about the same.
  const dropout = (generator, x, probability, trains) => {
    if (!trains || probability === 0 || x.size === 0) return x;
    const kept = probability === 1 ? engine.filledLike(x, 0) : coins(generator, x.shape, 1 - probability);
    const scale = new engine.Scalar(probability === 1 ? 1 : 1 - probability, true);
    return engine.multiply(x, engine.divide(kept, scale));
  };

  const exponential = (generator, shape, rate = 1) => filled("float32", shape, () => (-1 / rate) * Math.log1p(-generator.uniformDouble()));

  // Returns places with the probabilities of each row, without one twice. More draws with replacement are not computed here.
  const multinomial = (generator, probabilities, number, replaces) => {
    if (replaces && number > 1) throw new TypeError("draws with replacement are not computed here");
    const chances = engine.divide(probabilities, exponential(generator, probabilities.shape));
    return engine.topk(chances, number)[1];
  };

  // Returns whole numbers of 63 bits.
  const anyWhole = (generator, shape) => {
    const result = filled("int64", shape, () => {
      const upper = BigInt(generator.draw());
      return Number(BigInt.asUintN(63, (upper << 32n) | BigInt(generator.draw())));
    });
    if (result.data.some((value) => value > engine.largestWhole)) throw new RangeError("a whole number is above 2^53");
    return result;
  };

  Object.assign(engine, { uniform, coins, dropout, exponential, multinomial, anyWhole });
  Object.assign(engine, { Generator, rand, randn, randint, randperm, bernoulli });
}
