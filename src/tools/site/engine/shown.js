// Finds the tensors that a cell shows in its texts.
//
// The build knows which tensors a cell shows, and in which order: {"cell": 4, "shown": [7, 9], "scalar": 12, "taken": [8]}.
// `scalar` is a result that is no tensor, such as that of allclose. `taken` are tensors of which the cell took a number, perhaps
// to print it. The texts are those of the document. Where the text of a tensor is in
// them is found here, with the printer that prints it again after a change. A number in a form of its own, such as `f"{x:.3f}"`,
// is found if the code of the page has that form.
"use strict";
{
  const engine = globalThis.torchbook;

  const isWordAt = (text, at) => /[-+\w.[]/.test(text[at] ?? " ");
  // A number is not part of a longer number or word, nor an index.
  const isApart = (text, at, length) => !isWordAt(text, at - 1) && !/^[\w\]]|^\.\d/.test(text.slice(at + length));

  // Returns the forms of numbers in code, each once: {width, precision, kind}. f"{x:8.3f}" has the width "8". Those of another kind,
  // or with another width than a number, such as "+", are not computed.
  const formsIn = (code) => {
    const found = code.matchAll(/(?<=[:%"'])([-<>=^+ ,\d]*)(?:\.(\d{1,2})([efg])|([efg])(?=[}"']))/g);
    const forms = [...found].map(([, width, precision = "6", kind, bare]) => ({ width, precision: Number(precision), kind: kind ?? bare }));
    return [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()];
  };
  const isComputed = ({ width, kind }) => /^([1-9]\d*)?$/.test(width) && kind !== "g";

  // Returns the places from `at` on where a number is by itself.
  const placesOf = (text, number, at) => {
    const places = [];
    for (let found = text.indexOf(number, at); found >= 0; found = text.indexOf(number, found + 1)) {
      if (isApart(text, found, number.length)) places.push(found);
    }
    return places;
  };

  // Returns where the first of some tensors without dimensions is in a text, from `at` on, as a number. If that can be meant in
  // two ways, it is nowhere: in two forms, or in one form where the text has the number more often than the tensors have it.
  const numberIn = (program, tensors, text, at, forms) => {
    const found = (tensor, form) => {
      const part = { tensor, as: "format", ...(form && { form }) };
      const number = program.partText(part);
      const places = placesOf(text, number, at);
      return { part, number, count: places.length, place: places[0] ?? Infinity, length: number.length };
    };
    const plain = found(tensors[0]);
    const formed = forms.map((form) => found(tensors[0], form)).filter(({ count, place }) => count > 0 && place <= plain.place);
    if (formed.length === 0) return plain.count > 0 ? plain : null;
    const [{ part: { form }, number, count }] = formed;
    const isClear = plain.count === 0 && formed.length === 1 && isComputed(form)
      && count === tensors.filter((tensor) => found(tensor, form).number === number).length;
    return isClear ? formed[0] : null;
  };

  // Returns where the first of some tensors is in a text, from `at` on: {part, place, length}. With `isWhole`, it must be there as
  // print writes it.
  const placeOf = (program, tensors, text, at, isWhole, forms) => {
    const [tensor] = tensors;
    const whole = program.partText({ tensor });
    const place = text.indexOf(whole, at);
    if (place >= 0) return { part: { tensor }, place, length: whole.length };
    const isNumber = (one) => program.values[one]?.rank === 0;
    return isWhole || !isNumber(tensor) ? null : numberIn(program, tensors.filter(isNumber), text, at, forms);
  };

  const tupleOf = (program, text, tensors) => {
    const tuple = tensors.map((tensor) => ({ tensor }));
    return tensors.length > 1 && text === program.partText({ tuple }) ? [{ tuple }] : null;
  };

  // Returns the parts of a text (program.js), and the tensors that were not found in it.
  const partsOf = (program, text, tensors, where, forms) => {
    const tuple = where === "result" && tupleOf(program, text, tensors);
    if (tuple) return { parts: tuple, left: [] };
    const parts = [];
    const left = []; // without numbers, or written in another form
    let isUnsure = false; // a number in the text may be that of a tensor in another form
    let at = 0;
    for (const [i, tensor] of tensors.entries()) {
      const next = placeOf(program, tensors.slice(i), text, at, isUnsure, forms);
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

  // Returns the outputs of a program (program.js) for the texts of the document, [{cell, where, text}, …], and the
  // code of the page. `missing` of an output are the tensors of its cell whose text is in none of the cell's texts, and `taken` those whose numbers it may have.
  const outputsOf = (program, cells, texts, code) => {
    const forms = formsIn(code);
    const left = new Map(cells.map(({ cell, shown }) => [cell, shown]));
    const scalars = new Map(cells.map(({ cell, scalar }) => [cell, scalar]));
    const outputs = texts.map(({ cell, where, text }) => {
      const tensors = left.get(cell) ?? [];
      const scalar = scalars.get(cell);
      if (where === "result" && tensors.length === 0 && scalar !== undefined) {
        const part = { tensor: scalar, as: "format" };
        if (text === program.partText(part)) return { cell, where, text: [part] };
      }
      const { parts, left: missing } = partsOf(program, text, tensors, where, forms);
      left.set(cell, missing);
      return { cell, where, text: parts };
    });
    const taken = new Map(cells.map(({ cell, taken }) => [cell, taken ?? []]));
    return outputs.map((output) => ({ ...output, missing: left.get(output.cell) ?? [], taken: taken.get(output.cell) ?? [] }));
  };

  Object.assign(engine, { outputsOf });
}
