// Finds the tensors that a cell shows in its texts.
//
// The build knows which tensors a cell shows, and in which order:
// {"cell": 4, "shown": [7, 9], "scalar": 12, "printed": [8], "taken": [5]}. `scalar` is a result that is no tensor, such as that of
// allclose. `printed` are the tensors of which a statement that only prints took a number, `taken` those of which another one did,
// perhaps to print it later; a tensor is there once for each number. The texts are those of the document. Where a tensor is in
// them is found here, with the printer that prints it again after a change. A tensor without dimensions may be there as a number,
// also in a form of the code (forms.js), if the texts of the cell can mean nothing else.
"use strict";
{
  const engine = globalThis.torchbook;
  const unknown = "\0"; // for the text of a tensor without numbers: no document has it

  const isWordAt = (text, at) => /[-+\w.[]/.test(text[at] ?? " ");
  // A number is not part of a longer number or word, nor an index, nor in the text of a tensor.
  const isApart = (text, at, length) =>
    !isWordAt(text, at - 1) && !text.endsWith("tensor(", at) && !/^[\w\]]|^\.\d/.test(text.slice(at + length, at + length + 2));

  // Returns where a text has a number by itself, outside of the tensors at `wholes`.
  const placesApart = (text, number, wholes) => {
    const places = [];
    for (let at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1)) {
      const isWithin = wholes.some(({ place, length }) => place <= at && at < place + length);
      if (!isWithin && isApart(text, at, number.length)) places.push(at);
    }
    return places;
  };

  // Returns where a text has a tensor as print writes it, from `at` on, perhaps with what autograd adds: {part, place, length}, or
  // null.
  const nextWhole = (program, tensor, text, at) => {
    if (program.values[tensor] === null) return null;
    const begin = program.documentText({ tensor }).slice(0, -1);
    for (let place = text.indexOf(begin, at); place >= 0; place = text.indexOf(begin, place + 1)) {
      const end = place + begin.length;
      const [, suffix] = /^,\s+(grad_fn=<\w+>|requires_grad=True)\)/.exec(text.slice(end, end + 99)) ?? [];
      const part = { tensor, ...(suffix && { suffixes: [suffix] }) };
      const whole = program.documentText(part);
      if (text.startsWith(whole, place)) return { part, place, length: whole.length };
    }
    return null;
  };

  const countsOf = (tensors) => {
    const counts = new Map();
    for (const tensor of tensors) counts.set(tensor, (counts.get(tensor) ?? 0) + 1);
    return counts;
  };

  // How the tensors of a cell are in its texts.
  class Shown {
    // `forms` are those of the code, or null.
    constructor(program, { shown, printed = [], taken = [] }, texts, forms) {
      const [times, prints, takes] = [shown, printed, taken].map(countsOf);
      Object.assign(this, { program, texts, forms, times, prints, takes, owners: new Map(), known: new Map() });
      this.wholes = texts.map((text) => [...times.keys()].flatMap((tensor) => this.wholesIn(text, tensor)));
      for (const tensor of new Set([...shown, ...printed, ...taken])) {
        for (const { text } of [{ text: program.documentText({ tensor }) }, ...this.numbers(tensor)]) {
          this.owners.set(text, [...this.owners.get(text) ?? [], tensor]);
        }
      }
    }

    wholesIn(text, tensor) {
      const found = [];
      for (let next, at = 0; (next = nextWhole(this.program, tensor, text, at)); at = next.place + next.length) found.push(next);
      return found;
    }

    // Returns the texts that a tensor without dimensions may have as a number, each with the parts that write it:
    // [{text, parts}, …].
    numbers(tensor) {
      if (this.program.values[tensor]?.rank !== 0) return [];
      const texts = new Map();
      for (const form of [undefined, ...this.forms ?? []]) {
        const part = { tensor, as: "format", ...(form && { form }) };
        const text = this.program.documentText(part);
        texts.set(text, [...texts.get(text) ?? [], part]);
      }
      return [...texts].map(([text, parts]) => ({ text, parts }));
    }

    // Returns how often the texts of the cell have a number by itself.
    count(number) { return this.texts.reduce((sum, text, i) => sum + placesApart(text, number, this.wholes[i]).length, 0); }

    // Returns how often the cell shows a tensor as print writes it: each time, if the texts have it and its equals that often. Returns
    // NaN if another tensor's text is the same, and the texts have it less often.
    timesWhole(tensor) {
      const found = this.wholes.flat().filter(({ part }) => part.tensor === tensor).length;
      const equals = this.owners.get(this.program.documentText({ tensor }));
      const all = equals.reduce((sum, one) => sum + (this.times.get(one) ?? 0), 0);
      return found === all ? this.times.get(tensor) ?? 0 : equals.length === 1 ? found : NaN;
    }

    // Returns the number, {text, parts: [part]}, as which a tensor is shown, or null if it is shown as print writes it. Returns undefined if
    // the texts can be read in several ways: if they have its numbers more often than the cell shows it, or in two forms, or those
    // of another tensor.
    number(tensor) {
      if (!this.known.has(tensor)) this.known.set(tensor, this.foundNumber(tensor));
      return this.known.get(tensor);
    }

    foundNumber(tensor) {
      const [times, prints, takes] = [this.times, this.prints, this.takes].map((counts) => counts.get(tensor) ?? 0);
      const formatted = times - this.timesWhole(tensor); // which may be how its number was taken
      if (formatted === 0 && prints + takes === 0) return null;
      const found = this.numbers(tensor).filter(({ text }) => this.count(text) > 0);
      if (found.length === 0) return prints === 0 ? null : undefined;
      const [one] = found;
      const count = this.count(one.text);
      const isClear = this.forms !== null && found.length === 1 && one.parts.length === 1
        && this.owners.get(one.text).length === 1 && Math.max(formatted, prints) <= count && count <= formatted + prints + takes;
      return isClear ? one : undefined;
    }
  }

  // Returns where a shown tensor is in a text, from `at` on. With `isWhole`, it must be there as print writes it.
  const placeOf = (program, shown, { tensor, text, wholes }, at, isWhole) => {
    const number = shown.number(tensor);
    if (number === undefined && shown.timesWhole(tensor) !== shown.times.get(tensor)) return null;
    const places = [nextWhole(program, tensor, text, at)].filter(Boolean);
    if (number && !isWhole) {
      const place = placesApart(text, number.text, wholes).find((one) => one >= at);
      if (place !== undefined) places.push({ part: number.parts[0], place, length: number.text.length });
    }
    return places.sort((a, b) => a.place - b.place)[0] ?? null;
  };

  // Returns the places of the numbers that statements took out of tensors, in a text without those `before`.
  const takenPlaces = (shown, text, wholes, before) =>
    [...new Set([...shown.prints.keys(), ...shown.takes.keys()])].map((tensor) => shown.number(tensor)).filter(Boolean)
      .flatMap(({ text: number, parts: [part] }) => placesApart(text, number, [...wholes, ...before])
        .map((place) => ({ part, place, length: number.length })));

  // Returns a tuple as IPython displays it, and how many of the tensors it has: {tuple: [PART, …], count}, or null.
  const tupleOf = (program, text, tensors) => {
    const inner = text.slice(1, -1).replaceAll("\n ", "\n");
    const between = inner.includes("\n") ? ",\n" : ", ";
    const tuple = [];
    let count = 0;
    for (let at = 0, end; at < inner.length; at = end + between.length) {
      const next = count < tensors.length ? nextWhole(program, tensors[count], inner, at) : null;
      const isNext = next?.place === at;
      const other = inner.indexOf(between, at);
      end = isNext ? at + next.length : other < 0 ? inner.length : other;
      tuple.push(isNext ? next.part : inner.slice(at, end));
      count += isNext;
    }
    return count > 0 && text === program.documentText({ tuple }) ? { tuple, count } : null;
  };

  // Returns the parts of a text (program.js), and the tensors that were not found in it.
  const partsOf = (program, shown, { text, where, wholes }, tensors) => {
    const tuple = where === "result" && tupleOf(program, text, tensors);
    if (tuple) return { parts: [{ tuple: tuple.tuple }], left: tensors.slice(tuple.count) };
    const places = [];
    const left = []; // without numbers, or in a text that can be read in several ways
    let at = 0;
    for (const tensor of tensors) {
      const next = placeOf(program, shown, { tensor, text, wholes }, at, left.length > 0);
      if (next) places.push(next);
      else left.push(tensor);
      if (next) at = next.place + next.length;
    }
    places.push(...takenPlaces(shown, text, wholes, places));
    const parts = [];
    at = 0;
    for (const { part, place, length } of places.sort((a, b) => a.place - b.place)) {
      if (place > at) parts.push(text.slice(at, place));
      parts.push(part);
      at = place + length;
    }
    if (at < text.length) parts.push(text.slice(at));
    return { parts, left };
  };

  // Returns the tensors of whose numbers a page does not see what became of them: a number that was printed is not found, one that
  // was taken is whole, and perhaps an index, or the texts have numbers that no tensor explains.
  const unseen = (program, shown, texts, missing) => {
    const isExplained = texts.every(({ text }) => text.every((part) => typeof part !== "string" || !/\d\.\d|\de[-+]?\d|\b(inf|nan)\b/.test(part)));
    const isSeen = (tensor) => isExplained && program.nodes[tensor].dtype.startsWith("float");
    return [...[...shown.prints.keys()].filter((tensor) => !shown.number(tensor) && !missing.includes(tensor)),
      ...[...shown.takes.keys()].filter((tensor) => !isSeen(tensor))];
  };

  // Returns the outputs of a program (program.js) for the texts of the document, [{cell, where, text}, …]. `codeOf` returns the code
  // that may write texts of a cell. `missing` of an output are the tensors of its cell whose text is in none of the cell's texts,
  // and `taken` those whose numbers it may have.
  const outputsOf = (program, texts, codeOf) => {
    const { cells } = program;
    const left = new Map(cells.map(({ cell, shown }) => [cell, shown]));
    const scalars = new Map(cells.map(({ cell, scalar }) => [cell, scalar]));
    const textsOf = (cell, all) => all.filter((one) => one.cell === cell);
    const ways = new Map(cells.map((one) => {
      const own = textsOf(one.cell, texts).map(({ text }) => text);
      return [one.cell, new Shown(program, one, own, engine.formsIn(codeOf(one.cell)))];
    }));
    const outputs = texts.map(({ cell, where, text }) => {
      if (!ways.has(cell)) return { cell, where, text: [text] };
      const tensors = left.get(cell);
      const scalar = scalars.get(cell);
      if (where === "result" && tensors.length === 0 && scalar !== undefined) {
        const part = { tensor: scalar, as: "format" };
        if (text === program.documentText(part)) return { cell, where, text: [part] };
      }
      const shown = ways.get(cell);
      const { parts, left: missing } = partsOf(program, shown, { text, where, wholes: shown.wholes[shown.texts.indexOf(text)] }, tensors);
      left.set(cell, missing);
      return { cell, where, text: parts };
    });
    const taken = new Map([...ways].map(([cell, shown]) => [cell, unseen(program, shown, textsOf(cell, outputs), left.get(cell))]));
    return outputs.map((output) => ({ ...output, missing: left.get(output.cell) ?? [], taken: taken.get(output.cell) ?? [] }));
  };

  const tensorsOf = (part) => (typeof part === "string" ? [] : part.tuple?.flatMap(tensorsOf) ?? [part.tensor]);

  Object.assign(engine.Program.prototype, {
    // Finds what the cells show in the texts of the document: [{cell, where, text}, …]. The code that writes them has the forms of
    // numbers; `codeOf` returns that of a cell.
    show(texts, codeOf = () => "") {
      this.written = this.nodes.map((node, id) => (node.values && this.document[id] !== null ? this.given(node) : this.document[id]));
      this.outputs = outputsOf(this, texts, codeOf);
      for (const part of this.outputs.flatMap(({ text }) => text.filter((one) => typeof one !== "string"))) {
        if (this.partText(part) !== this.documentText(part)) part.was = this.documentText(part);
      }
    },

    // Returns the text of a part as the tensors are now. `values` are others.
    partText(part, values = this.values) {
      if (typeof part === "string") return part;
      if (part.was !== undefined && !tensorsOf(part).some((id) => this.hasMoved(id))) return part.was;
      if ("tuple" in part) return engine.displayedTuple(part.tuple.map((one) => this.partText(one, values)));
      const value = values[part.tensor];
      if (value === null) return unknown;
      return part.as === "format" ? engine.formatText(value, part) : engine.tensorText(value, part.suffixes);
    },

    // Returns the text of a part of the document.
    documentText(part) { return this.partText(part, this.written); },

    // Returns whether a part of an output is stale.
    isStale(output) { return output.text.flatMap(tensorsOf).some((id) => this.stale.has(id)); },
  });
}
