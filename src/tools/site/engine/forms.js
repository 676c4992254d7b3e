// Reads in code the forms in which it may write numbers.
"use strict";
{
  const engine = globalThis.torchbook;

  // Returns a form such as `8.3f`, {align, sign, width, comma, precision, kind}, or null if it is not computed here.
  const formOf = (spec) => {
    const found = /^([<>^]?)(\+?)((?:[1-9]\d*)?)(,?)(?:\.(\d|[1-4]\d))?([efgd%]?)$/.exec(spec);
    if (!found) return null;
    const [, align, sign, width, comma, precision, kind] = found;
    const isPlain = kind === "" || kind === "d";
    if ((isPlain && precision !== undefined) || (kind === "e" && precision === "0")) return null;
    return { align, sign, width, comma, precision: Number(precision ?? 6), kind };
  };

  // Returns the forms of a text that `%` fills. `%8s` writes a text.
  const percentForms = (literal) =>
    [...literal.matchAll(/%([^%a-zA-Z]*[a-zA-Z])/g)].map(([, spec]) => spec.replace(/^(\d*)s$/, "$1")).filter((spec) => spec !== "");

  const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
  const rounding = /(?<![.\w])round\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*,\s*(\d)\s*\)/g;

  // Returns the forms of numbers that Python's or C++'s code has: f"{x:8.3f}" and round(x, 3). Returns null if it may write numbers in
  // any form that is not computed here, such as f"{x:{width}}" or f"{x}".rjust(8).
  const formsIn = (code) => {
    const forms = new Map();
    for (const { 0: literal, index } of code.matchAll(string)) {
      const rest = code.slice(index + literal.length, index + literal.length + 80);
      const isFilled = /^\s*%/.test(rest);
      if (!isFilled && !literal.includes("{")) continue;
      if (/^\s*(\[|\.(?!format\b|join\b)\w)/.test(rest) || /\{[^{}]+\{/.test(literal)) return null;
      const specs = [...literal.matchAll(/\{[^{}]*?:([^{}\])]*)\}/g)].map(([, spec]) => spec);
      for (const spec of isFilled ? [...specs, ...percentForms(literal)] : specs) {
        const form = formOf(spec);
        if (form === null) return null;
        forms.set(JSON.stringify(form), form);
      }
    }
    for (const [, precision] of code.matchAll(rounding)) forms.set(`round ${precision}`, { precision: Number(precision), kind: "round" });
    return /(?<![.\w])format\s*\(/.test(code) ? null : [...forms.values()];
  };

  Object.assign(engine, { formsIn });
}
