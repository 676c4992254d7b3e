// Reads typed text: an element of a tensor, as torch.tensor() takes it, and a seed, as torch.manual_seed()
// does. Both return {number} or {seed}, or {problem}: a sentence on what would be right.
"use strict";
{
  const engine = globalThis.torchbook;

  const longest = 1000;  // characters; a link may hold any text
  const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
  const notFinite = /^([+-]?)(?:(inf)(?:inity)?|nan)$/i;

  // Returns a number as Python reads it, or null.
  const realIn = (text) => {
    const [, sign, infinite] = notFinite.exec(text) ?? [];
    if (sign !== undefined) return infinite ? (sign === "-" ? -Infinity : Infinity) : NaN;
    return decimal.test(text) ? Number(text) : null;
  };

  const tooLong = { problem: `This entry takes at most ${longest} characters.` };
  const noNumber = (text) => ({ problem: `${text === "" ? "Nothing" : `“${text}”`} is not a number. Numbers are 0.5, -2e3, 1/3, inf or nan.` });

  const wholeIn = (text, number) => {
    if (!Number.isFinite(number)) return { problem: `This entry takes whole numbers, and ${engine.floatText(number)} is none.` };
    const isExact = Math.abs(number) <= engine.largestWhole && (!/^[+-]?\d+$/.test(text) || BigInt(text) === BigInt(number));
    if (isExact) return { number: Math.trunc(number) + 0 };
    return { problem: `This page computes whole numbers up to 2^53, which is ${engine.largestWhole}.` };
  };

  // Reads an element of `dtype`. A quotient is one of doubles, as in Python. A float32 too large becomes inf, and a fraction
  // loses its digits in an int64, as in torch.tensor().
  const numberIn = (text, dtype) => {
    const typed = text.trim().replaceAll("−", "-").replace(",", ".");
    if (typed.length > longest) return tooLong;
    const [above, below, ...rest] = typed.split("/").map((part) => realIn(part.trim()));
    if (above === null || below === null || rest.length > 0) return noNumber(typed);
    if (below === 0) return { problem: "A division by zero is not a number in Python. Infinity is inf." };
    const number = below === undefined ? above : above / below;
    return dtype === "int64" ? wholeIn(typed, number) : { number };
  };

  const [least, most] = [-(2n ** 63n), 2n ** 64n - 1n];

  // Reads a seed, a whole number. The seed is a text of digits.
  const seedIn = (text) => {
    const typed = text.trim().replaceAll("−", "-");
    if (typed.length > longest) return tooLong;
    const [, sign, digits] = /^([+-]?)(\d+|0x[\da-f]+)$/i.exec(typed) ?? [];
    const real = digits === undefined ? realIn(typed) : 0;
    if (typed === "") return { problem: "Type a seed, a whole number." };
    if (real === null) return { problem: `“${typed}” is not a seed. A seed is a whole number.` };
    if (!Number.isInteger(real)) return { problem: `A seed is a whole number, and ${Number.isFinite(real) ? typed : engine.floatText(real)} is none.` };
    const seed = digits === undefined ? BigInt(real) : BigInt(digits) * (sign === "-" ? -1n : 1n);
    if (seed < least || seed > most) return { problem: `torch.manual_seed takes numbers from ${least} to ${most}.` };
    return { seed: String(seed) };
  };

  // Returns whether two seeds are the same 64 bits: -1 is 18446744073709551615.
  const sameSeed = (one, other) => BigInt.asUintN(64, BigInt(one)) === BigInt.asUintN(64, BigInt(other));

  // Writes a number so that numberIn() reads the same element of a float32 or int64.
  const inputText = (number) => {
    if (!Number.isFinite(Math.fround(number))) return engine.floatText(Math.fround(number));
    return Object.is(number, -0) ? "-0" : String(number);
  };

  Object.assign(engine, { numberIn, seedIn, sameSeed, inputText });
}
