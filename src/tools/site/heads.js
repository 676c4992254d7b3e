// Shows the heads of weights at a glance: a small picture of each, with its lines and its mask. A click makes one large.
"use strict";
{
  const { make, svg, numbersOf, drawLines } = globalThis.torchbook;
  const [side, gap] = [60, 26]; // px of a square of weights, and of the lines beside it

  // Returns whether row t has weights up to column t, and none after it.
  const isPast = (weights, size) => weights.every((weight, at) => (at % size > Math.floor(at / size) ? weight === 0 : weight > 0));

  // Draws a head: its weights as a square, with a line through what the mask hides, and lines from its rows to its columns.
  const drawHead = (drawing, weights, size, colours, isMasked) => {
    const step = side / size;
    const parts = weights.flatMap((weight, at) => {
      const [i, j] = [Math.floor(at / size), at % size];
      const [x, y] = [j * step, i * step];
      if (isMasked && j > i) return [svg("path", { d: `M${x} ${y + step}L${x + step} ${y}`, class: "masked" })];
      const line = svg("path", { d: `M${side + 6} ${y + step / 2}L${side + gap} ${x + step / 2}`, class: "link" });
      line.style.opacity = Math.max(weight, 0);
      const square = svg("rect", { x, y, width: step, height: step });
      square.style.fill = colours[at];
      return [square, line];
    });
    drawing.replaceChildren(...parts);
  };

  globalThis.torchbook.isPast = isPast;

  // Adds the heads of a tensor to its picture, and shows the table of one of them.
  globalThis.torchbook.addHeads = (tensor, { rows, size }) => {
    const tables = [...tensor.querySelectorAll(".tables > .scroll")];
    const captions = tables.map((table) => table.querySelector("caption").lastChild.textContent);
    const drawings = tables.map(() => svg("svg", { viewBox: `0 0 ${side + gap + 4} ${side}`, "aria-hidden": "true" }));
    const buttons = tables.map((_, i) => make("button", { type: "button" }, drawings[i], make("span", { text: captions[i] })));
    const choose = (head) => {
      tables.forEach((table, i) => { table.hidden = i !== head; });
      buttons.forEach((button, i) => button.setAttribute("aria-pressed", i === head));
      tensor.dispatchEvent(new CustomEvent("head", { detail: head }));
    };
    const weightsOf = (i) => numbersOf(tensor).slice(i * size, (i + 1) * size);
    const areMasked = tables.map((_, i) => isPast(weightsOf(i), rows.length)); // in the document: a change may bring other zeros
    const draw = () => {
      tables.forEach((table, i) => {
        const entries = [...table.querySelectorAll("tbody td")];
        entries.forEach((entry, at) => entry.classList.toggle("hidden-entry", areMasked[i] && at % rows.length > Math.floor(at / rows.length)));
        drawHead(drawings[i], weightsOf(i), rows.length, entries.map((entry) => entry.style.backgroundColor), areMasked[i]);
      });
    };
    buttons.forEach((button, i) => button.addEventListener("click", () => {
      choose(i);
      tensor.dispatchEvent(new CustomEvent("turned"));
    }));
    tensor.querySelector(".tables").before(make("div", { class: "heads", role: "group", "aria-label": `Heads of ${tensor.dataset.name}` }, ...buttons));
    tensor.addEventListener("entry", ({ detail: { index } }) => choose(Math.floor(index / size)));
    document.addEventListener("drawn", draw);
    draw();
    choose(0);
  };

  drawLines();
}
