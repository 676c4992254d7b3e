// Turns sixteen uniform numbers into normal ones, as LibTorch's kernel for AVX2 does: with the logarithm, sine and
// cosine of Stephen Moshier's Cephes library, in float32. Where a compiler fuses `a * b + c`, it is rounded once.
"use strict";
{
  const engine = globalThis.torchbook;
  const { fround } = Math;
  const floats = (...numbers) => numbers.map(fround);

  const logCoefficients = floats(7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1,
    -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1);
  const [ln2Low, ln2High, halfRoot] = floats(-2.1219444e-4, 0.693359375, 0.7071067811865475);
  const sineCoefficients = floats(-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1);
  const cosineCoefficients = floats(2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2);
  const quarters = floats(-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8); // of -π, added up
  const [perQuarter, twoPi] = floats(1.27323954473516, 2 * Math.PI);

  const polynomial = (coefficients, x) => {
    let y = coefficients[0];
    for (let i = 1; i < coefficients.length; ++i) y = fround(y * x + coefficients[i]);
    return y;
  };

  const float = new Float32Array(1);
  const bits = new Int32Array(float.buffer);

  // Returns the natural logarithm of a positive number.
  const log = (number) => {
    float[0] = number;
    let e = (bits[0] >>> 23) - 126;
    bits[0] = (bits[0] & 0x807fffff) | 0x3f000000;
    let x = float[0]; // from 0.5 to 1
    if (x < halfRoot) {
      e -= 1;
      x = fround(fround(x - 1) + x);
    } else {
      x = fround(x - 1);
    }
    const z = fround(x * x);
    let y = fround(fround(polynomial(logCoefficients, x) * x) * z + fround(e * ln2Low));
    y = fround(y - z * 0.5);
    return fround(e * ln2High + fround(x + y));
  };

  // Returns the sine and the cosine of a number that is not negative.
  const sineAndCosine = (number) => {
    const octant = (Math.trunc(fround(number * perQuarter)) + 1) & ~1;
    let x = number;
    for (const quarter of quarters) x = fround(octant * quarter + x);
    const z = fround(x * x);
    const cosine = fround(fround(fround(polynomial(cosineCoefficients, z) * z) * z - z * 0.5) + 1);
    const factor = fround(polynomial(sineCoefficients, z) * z);
    const sine = fround(factor * x + x);
    const swapped = (octant & 2) !== 0;
    const sign = (mask, value) => ((octant & 4) !== 0) !== mask ? -value : value;
    return [sign(false, swapped ? cosine : sine), sign(swapped, swapped ? sine : cosine)];
  };

  // Changes the numbers in place, in pairs at `j` and `j` + 8.
  const normalBlock = (block, mean = 0, deviation = 1) => {
    const [middle, scale] = floats(mean, deviation);
    for (let j = 0; j < 8; ++j) {
      const radius = fround(Math.sqrt(fround(-2 * log(fround(1 - block[j])))));
      const [sine, cosine] = sineAndCosine(fround(twoPi * block[j + 8]));
      block[j] = fround(radius * cosine) * scale + middle; // so -0 becomes 0
      block[j + 8] = fround(radius * sine) * scale + middle;
    }
  };

  Object.assign(engine, { normalBlock });
}
