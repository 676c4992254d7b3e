// Draws the tensors and texts of a page again after they were computed again.
"use strict";
{
  const { page, Program, numberOf, tensorText, make } = globalThis.torchbook;

  const number = /-?(?:\d+\.?\d*(?:e[+-]\d+)?|inf|nan)|True|False/g;

  // Returns where the elements of a printed tensor are in a text, from `from` on: [begin, end] of each.
  const elementsIn = (text, from, size) => {
    const begin = text.indexOf("tensor(", from);
    if (begin < 0) return [];
    number.lastIndex = begin;
    const ranges = [];
    for (let i = 0; i < size; ++i) {
      const found = number.exec(text);
      if (!found) return [];
      ranges.push([found.index, number.lastIndex]);
    }
    return text.slice(begin, ranges.at(-1)[1]).includes("...") ? [] : ranges;
  };

  // ------------------------------------------------------------ what the page shows

  const readPicture = (box) => {
    const entries = [...box.querySelectorAll(".heat tbody td")];
    const legend = [...box.querySelectorAll(".legend > span:not(.unseen)")];
    return {
      box,
      id: box.id,
      name: box.dataset.name,
      tensor: Number(box.dataset.computed),
      dtype: box.dataset.dtype.replace("torch.", ""),
      shape: box.dataset.shape.split(" ").map(Number),
      entries,
      legend,
      isPrinted: document.querySelector(`samp [data-of="${box.id}"]`) !== null,
      values: box.dataset.values,
      texts: entries.map((entry) => entry.textContent),
      styles: entries.map((entry) => entry.style.cssText),
      drawn: [], // the styles that entries have now
      ends: legend.map((end) => [end.textContent, end.style.cssText]),
    };
  };

  // Returns whether the program has the numbers of a picture, but for the order in which kernels add. Others cannot be changed.
  // One without numbers in the program can only turn grey.
  const isComputed = ({ box, tensor, values }) => {
    if (page.program.values[tensor] === null) {
      delete box.dataset.computed;
      return true;
    }
    const given = values.split(" ").map((text) => ({ True: 1, False: 0 })[text] ?? Number(numberOf(text)));
    const largest = Math.max(...given.filter(Number.isFinite).map(Math.abs), 0);
    const computed = [...page.program.values[tensor].values()];
    const isNear = (one, i) => Object.is(one, given[i]) || Math.abs(one - given[i]) <= 1e-5 * largest;
    const isAlike = computed.length === given.length && computed.every(isNear);
    if (!isAlike) delete box.dataset.computed;
    return isAlike;
  };

  const readText = (samp) => ({
    samp,
    cell: Number(samp.closest(".cell").id.replace("cell-", "")),
    where: samp.parentElement.dataset.where,
    text: samp.textContent,
    html: samp.innerHTML,
    isOther: false, // than the document's
    pictures: [...new Set([...samp.querySelectorAll("[data-of]")].map((span) => span.dataset.of))],
  });

  // Reads the page's program. Throws a TypeError if the engine does not understand it.
  page.read = () => {
    page.program = new Program(JSON.parse(document.getElementById("program").textContent));
    page.pictures = [...document.querySelectorAll(".tensor[data-computed]")].map(readPicture).filter(isComputed);
    page.byId = new Map(page.pictures.map((picture) => [picture.id, picture]));
    page.texts = [...document.querySelectorAll(".printed > [data-where] samp")].map(readText);
    // The document's text of a cell ends with a line break, its golden does not.
    const ended = page.texts.map((one) => (one.text.endsWith("\n") ? "\n" : ""));
    // The Python of a cell, or its C++, and code that may define the functions that it calls.
    const code = new Map([...document.querySelectorAll(".cell")].map((cell) =>
      [Number(cell.id.replace("cell-", "")), cell.querySelector(".code pre")?.textContent ?? ""]));
    const defining = [...code.values()].filter((one) => /\b(def|lambda|class)\b|\[[&=]/.test(one)).join("\n");
    page.program.show(page.texts.map((one, i) => ({ ...one, text: one.text.slice(0, one.text.length - ended[i].length) })),
      (cell) => `${code.get(cell) ?? ""}\n${defining}`);
    page.texts.forEach((one, i) => Object.assign(one, { output: page.program.outputs[i], end: ended[i] }));
  };

  // Returns for each element of a picture the element that a change of it sets, as [tensor, index]: in a view, that of the tensor
  // whose memory it shows.
  page.sourcesOf = (picture) => (picture.sources ??= page.program.sources(picture.tensor));
  page.sourceOf = (picture, index) => page.sourcesOf(picture)[index];

  const isEdited = (picture, index) => {
    const [tensor, at] = page.sourceOf(picture, index);
    return page.program.edits.get(tensor)?.has(at) ?? false;
  };

  // Returns the elements as they are printed, or rounded if no text has all of them.
  const textsOf = ({ tensor, isPrinted, dtype, texts }) => {
    const value = page.program.values[tensor];
    const text = tensorText(value);
    const ranges = isPrinted ? elementsIn(text, 0, texts.length) : [];
    if (ranges.length > 0) return ranges.map(([begin, end]) => text.slice(begin, end));
    return [...value.values()].map((one) => (dtype === "float32" ? page.general(one) : String(one)));
  };

  // ------------------------------------------------------------ drawing

  const exact = (value, dtype) => {
    if (dtype === "bool") return value ? "True" : "False";
    if (!Number.isFinite(value)) return globalThis.torchbook.floatText(value);
    if (dtype !== "float32") return String(value);
    for (let digits = 1; digits < 9; ++digits) {
      const short = Number(value.toPrecision(digits));
      if (Math.fround(short) === value) return String(short);
    }
    return String(Number(value.toPrecision(9)));
  };

  // Describes how far an element is from the document's.
  const mark = (element, moved, was) => {
    if (moved === 0 && element.title === "") return;
    element.classList.toggle("up", moved > 0);
    element.classList.toggle("down", moved < 0 || Number.isNaN(moved));
    if (moved === 0) {
      element.removeAttribute("title");
      delete element.dataset.moved;
      return;
    }
    const sign = moved > 0 ? "+" : "";
    element.dataset.moved = Number.isNaN(moved) ? "changed" : sign + page.general(moved).replace("-", "−");
    const title = `${was} in the document`;
    if (element.title !== title) element.title = title;
  };

  const styleOf = ({ colour, ink }, value) => `background:${colour(value)}${ink(value) === "#000000" ? "" : `;color:${ink(value)}`}`;
  page.styleOf = styleOf;
  const rampOf = (scale) => `background:linear-gradient(to right,${scale.ramp().join(",")})`;
  page.rampOf = rampOf;

  const drawPicture = (picture) => {
    const { program } = page;
    const { tensor, box, entries, dtype, legend } = picture;
    if (program.values[tensor] === null) return drawStale(picture);
    const moved = program.moved(tensor);
    const numbers = [...program.values[tensor].values()];
    const texts = moved ? textsOf(picture) : picture.texts;
    const scale = page.scaleOf(numbers);
    entries.forEach((entry, i) => {
      if (entry.firstChild.data !== texts[i]) entry.firstChild.data = texts[i];
      const style = moved ? styleOf(scale, numbers[i]) : picture.styles[i];
      if (style !== picture.drawn[i]) entry.style.cssText = picture.drawn[i] = style;
      mark(entry, moved ? moved[i] : 0, picture.texts[i]);
      entry.classList.toggle("edited", isEdited(picture, i));
    });
    const ends = [[page.general(scale.lowest), ""], null, [page.general(scale.highest), ""]];
    legend.forEach((end, i) => {
      if (end.className === "ramp") end.style.cssText = moved ? rampOf(scale) : picture.ends[i][1];
      else end.textContent = moved ? ends[i][0] : picture.ends[i][0];
    });
    box.dataset.values = moved ? numbers.map((one) => exact(one, dtype)).join(" ") : picture.values;
    drawStale(picture);
  };

  // Greys a tensor that cannot be computed again, and says why.
  const drawStale = ({ box, tensor }) => {
    box.classList.toggle("stale", page.program.stale.has(tensor));
    page.sayWall(box.querySelector(".picture"), [tensor]);
  };

  const spanOf = (picture, i, text, moved) => {
    const span = document.createElement("span");
    Object.assign(span.dataset, { of: picture.id, i });
    span.textContent = text;
    if (moved && moved[i] !== 0) mark(span, moved[i], picture.texts[i]);
    return span;
  };

  // Returns a text in which each element of these pictures has its span.
  const marked = (text, pictures) => {
    const nodes = [];
    let at = 0;
    for (const picture of pictures) {
      const moved = page.program.moved(picture.tensor);
      elementsIn(text, at, picture.entries.length).forEach(([begin, end], i) => {
        nodes.push(text.slice(at, begin), spanOf(picture, i, text.slice(begin, end), moved));
        at = end;
      });
    }
    return [...nodes, text.slice(at)];
  };

  const scalarOf = (part, text) => {
    const moved = page.program.moved(part.tensor);
    if (!moved) return text;
    const span = document.createElement("span");
    span.textContent = text;
    mark(span, moved[0], globalThis.torchbook.formatText(page.program.document[part.tensor], part));
    return span;
  };

  const tensorsIn = ({ output }) => {
    const of = (part) => (typeof part === "string" ? [] : part.tuple?.flatMap(of) ?? [part.tensor]);
    return [...output.text.flatMap(of), ...output.missing, ...output.taken];
  };

  // Returns the tensors of a text that have no picture, which would say why they are stale.
  const unpictured = (one) => tensorsIn(one).filter((tensor) => !page.pictures.some((picture) => picture.tensor === tensor));

  const drawText = (one) => {
    const { samp, output, end, html, text, pictures } = one;
    const { program } = page;
    const [isTaken, isMissing] = [output.taken, output.missing].map((all) => all.some((tensor) => program.hasMoved(tensor)));
    const isPartly = isMissing && !isTaken && output.text.some((part) => program.moved(part.tensor ?? -1));
    samp.classList.toggle("stale", program.isStale(output) || isTaken || (isMissing && !isPartly));
    page.sayWall(samp.parentElement.parentElement, unpictured(one), output);
    const texts = output.text.map((part) => program.partText(part));
    one.isOther = texts.join("") + end !== text;
    if (!one.isOther) {
      if (samp.innerHTML !== html) samp.innerHTML = html;
      return;
    }
    const left = pictures.map((id) => page.byId.get(id)).filter(Boolean);
    const take = (tensor) => {
      const index = left.findIndex((picture) => picture.tensor === tensor);
      return index < 0 ? [] : left.splice(index, 1);
    };
    const nodes = output.text.flatMap((part, i) => {
      if (typeof part === "string") return isPartly ? make("span", { class: "stale", text: part }) : part;
      if (part.tuple) return marked(texts[i], part.tuple.flatMap(({ tensor }) => take(tensor)));
      if (part.as === "format" && program.values[part.tensor].rank === 0) return scalarOf(part, texts[i]);
      return marked(texts[i], take(part.tensor));
    });
    samp.replaceChildren(...nodes, end);
  };

  // The verdict on a cell is about the document's numbers.
  const drawVerdicts = () => {
    const others = new Set(page.texts.filter(({ isOther }) => isOther).map(({ cell }) => `cell-${cell}`));
    for (const { box, tensor } of page.pictures) if (page.program.hasMoved(tensor)) others.add(box.closest(".cell").id);
    for (const cell of document.querySelectorAll(".cell")) cell.classList.toggle("moved", others.has(cell.id));
  };

  // Draws the tables and texts that show one of these tensors.
  page.draw = (tensors) => {
    page.pictures.filter(({ tensor }) => tensors.has(tensor)).forEach(drawPicture);
    page.texts.filter((text) => tensorsIn(text).some((tensor) => tensors.has(tensor))).forEach(drawText);
    drawVerdicts();
    page.nameEntries();
    document.dispatchEvent(new CustomEvent("drawn"));
  };

  // Returns how many tensors and texts are no longer the document's, besides the changed ones.
  page.followers = () => ({
    tensors: new Set(page.pictures.map(({ tensor }) => tensor)
      .filter((tensor) => page.program.moved(tensor) && !page.program.edits.has(tensor))).size,
    texts: page.texts.filter(({ isOther }) => isOther).length,
  });
}
