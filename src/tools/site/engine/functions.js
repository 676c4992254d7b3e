// Computes exp and its kin. exp has the bits of LibTorch's kernels, which use the library Sleef. The others are
// the nearest float32 to the exact value, from which Sleef's may differ in the last bit.
"use strict";
{
  const engine = globalThis.torchbook;
  const { Scalar, unary, to, multiply, where, full, greater } = engine;
  const { fround } = Math;

  // Sleef's expf: reduces to |s| <= ln(2) / 2 and takes a polynomial of degree 6. Each `a * b + c` has one rounding.
  const invertedLn2 = fround(1.4426950408889634);
  const ln2Upper = fround(0.693145751953125);
  const ln2Lower = fround(1.428606765330187e-6);
  const coefficients = [0.00139304355252534151, 0.00833336077630519867, 0.0416664853692054749, 0.166666671633720398, 0.5]
    .map(fround);
  const leading = fround(0.000198527617612853646);

  // Rounds to the nearest whole number; halves go to the even one.
  const rint = (x) => {
    const rounded = Math.round(x);
    return rounded - x === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
  };

  const exp32 = (x) => {
    if (x < -104) return 0;
    if (x > 100) return Infinity;
    const q = rint(fround(x * invertedLn2));
    let s = fround(x - q * ln2Upper);
    s = fround(s - q * ln2Lower);
    let u = leading;
    for (const coefficient of coefficients) u = fround(u * s + coefficient);
    u = fround(1 + fround(fround(s * s) * u + s));
    // Two factors, as Sleef has them, because 2^q itself may be no float32.
    const half = q >> 1;
    return fround(fround(u * 2 ** half) * 2 ** (q - half));
  };

  // `wide` is the function of float64, if it is another one. Sleef's may differ from it in the last bit.
  const of = (compute, wide = compute) => (x) =>
    (x.dtype === "float64" ? unary(x, wide) : unary(to(x, "float32"), compute));

  const exp = of(exp32, Math.exp);
  const sqrt = of(Math.sqrt);
  const sigmoid = of((x) => 1 / (1 + Math.exp(-x)));
  const tanh = of(Math.tanh);

  // The error function, by its series near 0 and by its continued fraction elsewhere.
  const erf = (x) => {
    const a = Math.abs(x);
    if (a > 6) return Math.sign(x);
    if (a < 2.5) {
      let term = x;
      let sum = x;
      for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); ++n) {
        term *= (-x * x) / n;
        sum += term / (2 * n + 1);
      }
      return (sum * 2) / Math.sqrt(Math.PI);
    }
    let fraction = 0;
    for (let n = 60; n > 0; --n) fraction = (n / 2) / (a + fraction);
    return Math.sign(x) * (1 - Math.exp(-a * a) / Math.sqrt(Math.PI) / (a + fraction));
  };
  const gelu = (x, approximate = "none") => {
    const inner = (value) => Math.sqrt(2 / Math.PI) * (value + 0.044715 * value ** 3);
    return of(approximate === "tanh" ? (value) => 0.5 * value * (1 + Math.tanh(inner(value)))
      : (value) => 0.5 * value * (1 + erf(value * Math.SQRT1_2)))(x);
  };

  const zeroIfNegative = (x) => (x > 0 || Number.isNaN(x) ? x : 0);
  const leakyRelu = (x, slope = new Scalar(0.01, true)) =>
    where(greater(x, new Scalar(0, false)), x, multiply(x, slope));
  const roundHalfEven = (x) => (Math.abs(x) < 2 ** 52 ? rint(x) : x);

  Object.assign(engine, {
    exp32, exp, sqrt, sigmoid, tanh, gelu, leakyRelu,
    erfOf: erf, log: of(Math.log), log2: of(Math.log2), log10: of(Math.log10), log1p: of(Math.log1p), expm1: of(Math.expm1),
    sin: of(Math.sin), cos: of(Math.cos), erf: of(erf),
    rsqrt: of((x) => 1 / fround(Math.sqrt(x)), (x) => 1 / Math.sqrt(x)), reciprocal: of((x) => 1 / x), silu: of((x) => x / (1 + Math.exp(-x))),
    relu: (x) => unary(x, zeroIfNegative), abs: (x) => unary(x, Math.abs), sign: (x) => unary(x, Math.sign),
    floor: (x) => unary(x, Math.floor), ceil: (x) => unary(x, Math.ceil), round: (x) => unary(x, roundHalfEven),
    square: (x) => multiply(x, x),
    isnan: (x) => unary(x, (value) => Number(Number.isNaN(value)), "bool"),
    isinf: (x) => unary(x, (value) => Number(Math.abs(value) === Infinity), "bool"),
    logicalNot: (x) => unary(x, (value) => Number(value === 0), "bool"),
    filledLike: (x, value, dtype = x.dtype) => full(x.shape, value, dtype),
  });
}
