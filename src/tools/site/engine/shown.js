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

  // Returns where a tensor is in a text, from `at` on: {part, place, length}. With `isWhole`, it must be there as print writes it.
  const placeOf = (program, tensor, text, at, isWhole) => {
    const whole = program.partText({ tensor });
    const place = text.indexOf(whole, at);
    if (place >= 0) return { part: { tensor }, place, length: whole.length };
    const part = { tensor, as: "format" };
    const number = program.partText(part);
    if (isWhole || number === whole) return null;
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
    const left = []; // without numbers, or written in another form, such as f"{x:.3f}"
    let isUnsure = false; // a number in the text may be that of a tensor in another form
    let at = 0;
    for (const tensor of tensors) {
      const next = placeOf(program, tensor, text, at, isUnsure);
      if (!next) {
        left.push(tensor);
        isUnsure ||= program.values[tensor] !== null;
        continue;
      }
      if (next.place > at) parts.push(text.slice(at, next.place));
      parts.push(next.part);
      at = next.place + next.length;
    }
    if (at < text.length) parts.push(text.slice(at));
    return { parts, left };
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
