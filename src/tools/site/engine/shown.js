// Finds the tensors that a cell shows in its texts.
//
// The build knows which tensors a cell shows, and in which order: {"cell": 4, "shown": [7, 9], "scalar": 12, "taken": [8]}.
// `scalar` is a result that is no tensor, such as that of allclose. `taken` are tensors of which the cell took a number, perhaps
// to print it. The texts are those of the document. Where the text of a tensor is in them is found here, with the printer that
// prints it again after a change. A tensor without dimensions may be there as a number, also in a form of the code, such as
// `f"{x:.3f}"`, if the texts of the cell can mean nothing else.
"use strict";
{
  const engine = globalThis.torchbook;

  const isWordAt = (text, at) => /[-+\w.[]/.test(text[at] ?? " ");
  // A number is not part of a longer number or word, nor an index, nor in the text of a tensor.
  const isApart = (text, at, length) =>
    !isWordAt(text, at - 1) && !text.endsWith("tensor(", at) && !/^[\w\]]|^\.\d/.test(text.slice(at + length, at + length + 2));

  const count = (text, part, isPlace = () => true) => {
    let found = 0;
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found += isPlace(text, at, part.length);
    return found;
  };

  const nextApart = (text, number, from) => {
    let at = text.indexOf(number, from);
    while (at >= 0 && !isApart(text, at, number.length)) at = text.indexOf(number, at + 1);
    return at;
  };

  // Returns the forms of numbers that Python's or C++'s code has, {width, precision, kind}: f"{x:8.3f}" has the width "8". Returns
  // null if it may write numbers in any form that is not computed here, such as f"{x:+g}" or f"{x}".rjust(8).
  const formsIn = (code) => {
    const forms = new Map();
    for (const { 0: literal, index } of code.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g)) {
      const rest = code.slice(index + literal.length, index + literal.length + 80);
      if (/^\s*(\[|\.(?!format\b|join\b)\w)/.test(rest) || /\{[^{}]+\{/.test(literal)) return null;
      const specs = [...literal.matchAll(/\{[^{}]*?:([^{}\])]*)\}/g)].map(([, spec]) => spec);
      if (/^\s*%/.test(rest)) specs.push(...[...literal.matchAll(/%([^%a-zA-Z]*[a-zA-Z])/g)].map(([, spec]) => spec));
      for (const spec of specs) {
        const [, width, precision = "6", kind] = /^((?:[1-9]\d*)?)(?:\.(\d|[1-4]\d))?([ef])$/.exec(spec) ?? [];
        if (kind === undefined || (kind === "e" && precision === "0")) return null;
        forms.set(spec, { width, precision: Number(precision), kind });
      }
    }
    return /(?<![.\w])format\s*\(/.test(code) ? null : [...forms.values()];
  };

  // How the tensors of a cell are in its texts.
  class Shown {
    // `forms` are those of the code, or null.
    constructor(program, tensors, texts, forms) {
      Object.assign(this, { program, texts, forms, times: new Map(), owners: new Map(), counts: new Map() });
      for (const tensor of tensors) this.times.set(tensor, (this.times.get(tensor) ?? 0) + 1);
      for (const tensor of this.times.keys()) {
        for (const { text } of [{ text: program.partText({ tensor }) }, ...this.numbers(tensor)]) {
          this.owners.set(text, [...this.owners.get(text) ?? [], tensor]);
        }
      }
    }

    // Returns the texts that a tensor without dimensions may have as a number, each with the parts that write it:
    // [{text, parts}, …].
    numbers(tensor) {
      if (this.program.values[tensor]?.rank !== 0) return [];
      const texts = new Map();
      for (const form of [undefined, ...this.forms ?? []]) {
        const part = { tensor, as: "format", ...(form && { form }) };
        const text = this.program.partText(part);
        texts.set(text, [...texts.get(text) ?? [], part]);
      }
      return [...texts].map(([text, parts]) => ({ text, parts }));
    }

    // Returns how often all texts of the cell have a text, a number by itself.
    count(part, isPlace) {
      if (!this.counts.has(part)) this.counts.set(part, this.texts.reduce((sum, text) => sum + count(text, part, isPlace), 0));
      return this.counts.get(part);
    }

    // Returns the number, {text, parts: [part]}, as which a tensor is shown, or null if it is shown as print writes it. Returns undefined if
    // the texts can be read in several ways: if they have its numbers more often than the cell shows it, or in two forms, or those
    // of another tensor.
    number(tensor) {
      const whole = this.program.partText({ tensor });
      const wholes = this.count(whole);
      const all = this.owners.get(whole).reduce((sum, one) => sum + this.times.get(one), 0);
      const found = this.numbers(tensor).filter(({ text }) => this.count(text, isApart) > 0);
      if (wholes === all || found.length === 0) return null;
      const [one] = found;
      const isClear = this.forms !== null && found.length === 1 && one.parts.length === 1
        && this.owners.get(one.text).length === 1
        && wholes + this.count(one.text, isApart) === this.times.get(tensor);
      return isClear ? one : undefined;
    }
  }

  // Returns where a tensor is in a text, from `at` on: {part, place, length}. With `isWhole`, it must be there as print writes it.
  const placeOf = (program, shown, tensor, text, at, isWhole) => {
    const number = shown.number(tensor);
    if (number === undefined) return null;
    const whole = program.partText({ tensor });
    const places = [{ part: { tensor }, place: text.indexOf(whole, at), length: whole.length }];
    if (number && !isWhole) {
      places.push({ part: number.parts[0], place: nextApart(text, number.text, at), length: number.text.length });
    }
    return places.filter(({ place }) => place >= 0).sort((a, b) => a.place - b.place)[0] ?? null;
  };

  const tupleOf = (program, text, tensors) => {
    const tuple = tensors.map((tensor) => ({ tensor }));
    return tensors.length > 1 && text === program.partText({ tuple }) ? [{ tuple }] : null;
  };

  // Returns the parts of a text (program.js), and the tensors that were not found in it.
  const partsOf = (program, shown, text, tensors, where) => {
    const tuple = where === "result" && tupleOf(program, text, tensors);
    if (tuple) return { parts: tuple, left: [] };
    const parts = [];
    const left = []; // without numbers, or in a text that can be read in several ways
    let at = 0;
    for (const tensor of tensors) {
      const next = placeOf(program, shown, tensor, text, at, left.length > 0);
      if (!next) {
        left.push(tensor);
        continue;
      }
      if (next.place > at) parts.push(text.slice(at, next.place));
      parts.push(next.part);
      at = next.place + next.length;
    }
    if (at < text.length) parts.push(text.slice(at));
    return { parts, left };
  };

  // Returns the outputs of a program (program.js) for the texts of the document, [{cell, where, text}, …]. `codeOf` returns the code
  // that may write texts of a cell. `missing` of an output are the tensors of its cell whose text is in none of the cell's texts,
  // and `taken` those whose numbers it may have.
  const outputsOf = (program, cells, texts, codeOf) => {
    const left = new Map(cells.map(({ cell, shown }) => [cell, shown]));
    const scalars = new Map(cells.map(({ cell, scalar }) => [cell, scalar]));
    const ways = new Map(cells.map(({ cell, shown }) => {
      const own = texts.filter((one) => one.cell === cell).map(({ text }) => text);
      return [cell, new Shown(program, shown, own, formsIn(codeOf(cell)))];
    }));
    const outputs = texts.map(({ cell, where, text }) => {
      const tensors = left.get(cell) ?? [];
      const scalar = scalars.get(cell);
      if (where === "result" && tensors.length === 0 && scalar !== undefined) {
        const part = { tensor: scalar, as: "format" };
        if (text === program.partText(part)) return { cell, where, text: [part] };
      }
      const { parts, left: missing } = partsOf(program, ways.get(cell), text, tensors, where);
      left.set(cell, missing);
      return { cell, where, text: parts };
    });
    const taken = new Map(cells.map(({ cell, taken }) => [cell, taken ?? []]));
    return outputs.map((output) => ({ ...output, missing: left.get(output.cell) ?? [], taken: taken.get(output.cell) ?? [] }));
  };

  Object.assign(engine, { outputsOf });
}
