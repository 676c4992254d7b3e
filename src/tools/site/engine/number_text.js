// Writes numbers as Python does.
"use strict";
{
  const engine = globalThis.torchbook;

  // JavaScript rounds a number that is exactly halfway between two texts away from zero, Python to the even digit.
  // `longer` is the text with one more digit: a half ends in 5.
  const isHalf = (longer) => /^[\d.]+5(e|$)/.test(longer);
  const lastDigit = (text) => text.replace(/e.*$/, "").length - 1;
  const toEven = (text) => {
    const at = lastDigit(text);
    const digit = Number(text[at]);
    // Rounding up made an odd digit, so it was even before and nothing is carried.
    return digit % 2 === 0 ? text : text.slice(0, at) + (digit - 1) + text.slice(at + 1);
  };

  // Returns `%.{precision}f` of a finite number. Beyond 1e21, toFixed writes no digits.
  const fixed = (value, precision) => {
    const sign = value < 0 || Object.is(value, -0) ? "-" : "";
    const magnitude = Math.abs(value);
    if (magnitude >= 1e21) return sign + BigInt(magnitude) + (precision > 0 ? "." + "0".repeat(precision) : "");
    const text = magnitude.toFixed(precision);
    // A half has no more binary than decimal places.
    const half = isHalf(magnitude.toFixed(precision + 1)) && Number.isInteger(magnitude * 2 ** (precision + 1));
    return sign + (half ? toEven(text) : text);
  };

  const exponentOf = (text) => text.replace(/e([+-])(\d)$/, "e$10$2");
  const most = 60; // decimal places that tell a half from its neighbours

  // Returns `%.{precision}e` of a finite number.
  const scientific = (value, precision) => {
    const sign = value < 0 || Object.is(value, -0) ? "-" : "";
    const magnitude = Math.abs(value);
    const text = magnitude.toExponential(precision);
    const longer = magnitude.toExponential(precision + 1);
    const half = isHalf(longer) && magnitude.toExponential(most).replace(/0+e/, "e") === longer;
    return sign + exponentOf(half ? toEven(text) : text);
  };

  const special = (value) => (Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf");

  // Returns `repr` of a float: the shortest text that reads back.
  const floatText = (value) => {
    if (!Number.isFinite(value)) return special(value);
    const sign = value < 0 || Object.is(value, -0) ? "-" : "";
    const [, first, rest = "", exponent] = /^(\d)(?:\.(\d+))?e(.*)$/.exec(Math.abs(value).toExponential());
    const power = Number(exponent);
    const digits = first + rest;
    if (power < -4 || power >= 16) {
      return sign + first + (rest && `.${rest}`) + "e" + (power < 0 ? "-" : "+") + String(Math.abs(power)).padStart(2, "0");
    }
    if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${digits}`;
    return sign + digits.slice(0, power + 1).padEnd(power + 1, "0") + "." + (digits.slice(power + 1) || "0");
  };

  // Returns a number of a dtype as Python's `repr` writes it.
  const numberText = (value, dtype) =>
    dtype.startsWith("float") ? floatText(value) : dtype === "bool" ? (value ? "True" : "False") : String(value);

  // Returns `%.{precision}g` of a finite number.
  const general = (value, precision) => {
    const digits = Math.max(precision, 1);
    const power = value === 0 ? 0 : Number(scientific(value, digits - 1).replace(/^.*e/, ""));
    const isFixed = power >= -4 && power < digits;
    const text = isFixed ? fixed(value, digits - 1 - power) : scientific(value, digits - 1);
    return text.replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "");
  };

  const kinds = { f: fixed, e: scientific, g: general, d: (value) => String(Math.trunc(value)),
    "%": (value, precision) => `${fixed(value * 100, precision)}%`, round: (value, precision) => floatText(Number(fixed(value, precision))) };

  // Returns a number of a dtype in a form such as `>8.3f`: {"align": ">", "width": "8", "precision": 3, "kind": "f"}.
  const formedText = (value, { align, sign, width = "", comma, precision, kind }, dtype) => {
    const isFinite = Number.isFinite(value);
    const plain = isFinite && kinds[kind] ? kinds[kind](value, precision) : isFinite ? numberText(value, dtype) : special(value) + (kind === "%" ? "%" : "");
    const signed = sign && !plain.startsWith("-") ? sign + plain : plain;
    const text = comma ? signed.replace(/\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",")) : signed;
    const missing = Math.max(Number(width) - text.length, 0);
    const before = { "<": 0, "^": Math.floor(missing / 2) }[align] ?? missing;
    return " ".repeat(before) + text + " ".repeat(missing - before);
  };

  Object.assign(engine, { fixed, scientific, special, floatText, numberText, formedText });
}
