// Draws lines from words to the words that they look at, as thick as the weight. A reader chooses the word that looks.
"use strict";
{
  const thickest = 28; // px: the line of a weight of 1
  const [width, height] = [600, 100];

  const make = (tag, { text, ...attributes } = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    made.append(...children);
    return made;
  };

  const svg = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };

  const center = (i, { length }) => ((i + 0.5) * width) / length;

  const words = (tag, count, attributes, ...children) => {
    const made = make(tag, { ...attributes, class: "words" }, ...children);
    made.style.setProperty("--words", count);
    return made;
  };

  // Returns the drawing's elements, `draw(weights, chosen)`, which takes the weights row by row, `rename(rows, columns)`, and
  // `focus(chosen)`.
  // `name` is unique on the page. `choose(row)` is called when the reader chooses a word.
  const wordLines = ({ name, rows, columns, choose }) => {
    const radios = rows.map((_, i) => make("input", { type: "radio", name, value: i, id: `${name}-${i}` }));
    const looking = words("fieldset", rows.length, {}, make("legend", { class: "unseen", text: "The word that looks" }),
      ...rows.map((word, i) => make("div", {}, radios[i], make("label", { for: `${name}-${i}`, text: word }))));
    const lines = svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true", class: "lines" });
    const line = rows.map((_, i) => columns.map((_, j) => {
      const [from, to] = [center(i, rows), center(j, columns)];
      const d = `M${from} 0C${from} ${height / 2} ${to} ${height / 2} ${to} ${height}`;
      return lines.appendChild(svg("path", { d, fill: "none", "vector-effect": "non-scaling-stroke" }));
    }));
    const percents = columns.map(() => make("span", { class: "percent" }));
    const columnWords = columns.map((word) => make("span", { text: word }));
    const seen = words("ul", columns.length, { "aria-label": "How much it looks at each word" },
      ...columns.map((_, j) => make("li", {}, columnWords[j], percents[j])));
    const rename = (rowNames, columnNames) => {
      rowNames.forEach((name, i) => { radios[i].nextSibling.textContent = name; });
      columnNames.forEach((name, j) => { columnWords[j].textContent = name; });
    };

    const draw = (weights, chosen) => {
      weights.forEach((weight, at) => {
        const [i, j] = [Math.floor(at / columns.length), at % columns.length];
        line[i][j].style.strokeWidth = `${(weight > 0 ? weight * thickest : 0).toFixed(2)}px`;
        line[i][j].classList.toggle("chosen", i === chosen);
        if (i === chosen) percents[j].textContent = `${(weight * 100).toFixed(columns.length > 6 ? 0 : 1)} %`;
      });
      radios[chosen].checked = true;
    };
    radios.forEach((radio, i) => radio.addEventListener("change", () => choose(i)));
    return { parts: [looking, lines, seen], draw, rename, focus: (chosen) => radios[chosen].focus() };
  };

  // ------------------------------------------------------------ the weights of a page

  const { numbersOf } = globalThis.torchbook;
  const namesOf = (tensor, selector) => [...tensor.querySelector(".heat").querySelectorAll(selector)].map((head) => head.textContent);

  // Returns whether each row has weights of the columns: the numbers are those of a softmax, or rows add up to 1.
  const areWeights = ({ dataset }, numbers, columns) => {
    if (dataset.origin === "softmax") return true;
    const sum = (row) => numbers.slice(row * columns, (row + 1) * columns).reduce((total, one) => total + one, 0);
    const rows = Array.from({ length: numbers.length / columns }, (_, row) => sum(row));
    return numbers.every((one) => one >= 0) && rows.every((one) => Math.abs(one - 1) < 1e-5);
  };

  // Returns the names of the rows and columns between which a tensor has weights, or null. Heads need no words: indices do.
  const weightsBetween = (tensor) => {
    const heads = tensor.querySelectorAll(".heat").length;
    const word = heads > 1 ? "" : ".word";
    const [rows, columns] = [namesOf(tensor, `tbody th${word}`), namesOf(tensor, `thead th${word}`)];
    const isSquare = tensor.dataset.origin === "softmax" && rows.length === columns.length;
    if (rows.length === 0 || columns.length < 2 || (heads > 1 && !isSquare)) return null;
    return areWeights(tensor, numbersOf(tensor), columns.length) ? { rows, columns, heads, size: rows.length * columns.length } : null;
  };

  const addLines = (tensor) => {
    const between = weightsBetween(tensor);
    if (!between) return;
    const { rows, columns, heads, size } = between;
    let [head, chosen] = [0, 0];
    const choose = (row) => {
      chosen = row;
      tensor.querySelectorAll(".heat tbody tr").forEach((one, i) => one.classList.toggle("chosen", i % rows.length === chosen));
      drawing.draw(numbersOf(tensor).slice(head * size, (head + 1) * size), chosen);
      tensor.dispatchEvent(new CustomEvent("chosen", { detail: row }));
    };
    // Chooses a row for the reader: the explanation is then that of its largest weight.
    const tell = (row) => {
      choose(row);
      const first = head * size + row * columns.length;
      const weights = numbersOf(tensor).slice(first, first + columns.length);
      const index = first + weights.indexOf(Math.max(...weights));
      if (index >= first) tensor.dispatchEvent(new CustomEvent("entry", { detail: { index, byKey: false, lightUsed: () => {} } }));
    };
    const drawing = wordLines({ name: `word-of-${tensor.id}`, rows, columns, choose: tell });
    const box = make("div", { class: "looks", role: "group", "aria-label": `${tensor.dataset.name} as lines` }, ...drawing.parts);
    box.style.setProperty("--all", columns.length);
    tensor.querySelector(".picture").after(box);
    tensor.addEventListener("head", ({ detail }) => {
      head = detail;
      choose(chosen);
    });
    if (heads > 1) globalThis.torchbook.addHeads(tensor, between);
    choose(chosen);
    tensor.classList.add("has-lines");
    let drawn = tensor.dataset.values;
    document.addEventListener("drawn", () => {
      drawing.rename(namesOf(tensor, "tbody th"), namesOf(tensor, "thead th"));
      if (drawn === tensor.dataset.values) return;
      drawn = tensor.dataset.values;
      choose(chosen);
    });
    tensor.addEventListener("choose", ({ detail }) => tell(detail));
    tensor.addEventListener("turned", () => tell(chosen));
    tensor.addEventListener("entry", ({ detail: { index } }) => choose(Math.floor(index / columns.length) % rows.length));
  };

  Object.assign(globalThis.torchbook, { make, svg, wordLines });
  globalThis.torchbook.drawLines = () => document.querySelectorAll(".tensor").forEach(addLines);
}
