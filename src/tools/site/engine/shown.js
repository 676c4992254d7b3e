// Finds the tensors that a cell shows in its texts.
//
// The build knows which tensors a cell shows, and in which order: {"cell": 4, "shown": [7, 9], "scalar": 12, "taken": [8]}.
// `scalar` is a result that is no tensor, such as that of allclose. `taken` are tensors of which the cell took a number, perhaps
// to print it. The texts are those of the document. Where the text of a tensor is in
// them is found here, with the printer that prints it again after a change.
"use strict";
{
  const engine = globalThis.torchbook;

  const isWordAt = (text, at) => /[\w.[]/.test(text[at] ?? " ");
  // A number is not part of a longer number or word, nor an index.
  const isApart = (text, at, length) => !isWordAt(text, at - 1) && !/^[\w\]]|^\.\d/.test(text.slice(at + length));

  // Returns where a tensor is in a text, from `at` on: {part, place, length}. A number must be there only once up to `end`.
  const placeOf = (program, tensor, text, at) => {
    const whole = program.partText({ tensor });
    const place = text.indexOf(whole, at);
    if (place >= 0) return { part: { tensor }, place, length: whole.length };
    const part = { tensor, as: "format" };
    const number = program.partText(part);
    if (number === whole) return null;
    for (let found = text.indexOf(number, at); found >= 0; found = text.indexOf(number, found + 1)) {
      if (isApart(text, found, number.length)) return { part, place: found, length: number.length };
    }
    return null;
  };

  const tupleOf = (program, text, tensors) => {
    const tuple = tensors.map((tensor) => ({ tensor }));
    return tensors.length > 1 && text === program.partText({ tuple }) ? [{ tuple }] : null;
  };

  // Returns the parts of a text (program.js), and the tensors that were not found in it.
  const partsOf = (program, text, tensors, where) => {
    const tuple = where === "result" && tupleOf(program, text, tensors);
    if (tuple) return { parts: tuple, left: [] };
    const parts = [];
    const lost = []; // without numbers, so that their texts are not known
    let at = 0;
    let found = 0;
    for (const tensor of tensors) {
      const next = placeOf(program, tensor, text, at);
      if (!next && program.values[tensor] !== null) break;
      if (!next) {
        lost.push(tensor);
        continue;
      }
      if (next.place > at) parts.push(text.slice(at, next.place));
      parts.push(next.part);
      at = next.place + next.length;
      ++found;
    }
    if (at < text.length) parts.push(text.slice(at));
    return { parts, left: [...lost, ...tensors.slice(found + lost.length)] };
  };

  // Returns the outputs of a program (program.js) for the texts of the document, [{cell, where, text}, …]. `missing` of an
  // output are the tensors of its cell whose text is in none of the cell's texts, and `taken` those whose numbers it may have.
  const outputsOf = (program, cells, texts) => {
    const left = new Map(cells.map(({ cell, shown }) => [cell, shown]));
    const scalars = new Map(cells.map(({ cell, scalar }) => [cell, scalar]));
    const outputs = texts.map(({ cell, where, text }) => {
      const tensors = left.get(cell) ?? [];
      const scalar = scalars.get(cell);
      if (where === "result" && tensors.length === 0 && scalar !== undefined) {
        const part = { tensor: scalar, as: "format" };
        if (text === program.partText(part)) return { cell, where, text: [part] };
      }
      const { parts, left: missing } = partsOf(program, text, tensors, where);
      left.set(cell, missing);
      return { cell, where, text: parts };
    });
    const taken = new Map(cells.map(({ cell, taken }) => [cell, taken ?? []]));
    return outputs.map((output) => ({ ...output, missing: left.get(output.cell) ?? [], taken: taken.get(output.cell) ?? [] }));
  };

  Object.assign(engine, { outputsOf });
}
