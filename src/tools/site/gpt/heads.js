// Draws the weights of all heads, layer by layer, small, and those of the chosen head large, as lines between words.
"use strict";
{
  const { gpt, make, page, wordLines } = globalThis.torchbook;
  const { state, layers, heads } = gpt;
  const side = 192; // pixels of a small picture, which is shown smaller
  const numbers = (count) => [...Array(count).keys()];
  const nameOf = (layer, head) => `Layer ${layer + 1}, head ${head + 1}`;

  // Returns the weights of a head, row by row.
  const weightsOf = (layer, head) => {
    const size = state.words.length ** 2;
    return state.values[`${layer}.weights`].values().subarray(head * size, (head + 1) * size);
  };

  const hatch = (pen, colour, x, y, width) => {
    pen.save();
    pen.beginPath();
    pen.rect(x, y, width, width);
    pen.clip();
    pen.strokeStyle = colour;
    for (let at = 0; at < 2 * width; at += 6) {
      pen.beginPath();
      pen.moveTo(x, y + at);
      pen.lineTo(x + at, y);
      pen.stroke();
    }
    pen.restore();
  };

  const drawSmall = (canvas, weights) => {
    const count = state.words.length;
    const width = side / count;
    const pen = canvas.getContext("2d");
    const { color } = getComputedStyle(canvas);
    const { colour } = page.scaleOf([0, 1]);
    pen.clearRect(0, 0, side, side);
    weights.forEach((weight, at) => {
      const [row, column] = [Math.floor(at / count), at % count];
      if (column > row) return hatch(pen, color, column * width, row * width, width);
      pen.fillStyle = colour(weight);
      pen.fillRect(column * width, row * width, width, width);
    });
  };

  // Returns the word that the chosen word looks at most, and how much.
  const most = (layer, head) => {
    const count = state.words.length;
    const row = [...weightsOf(layer, head).subarray(state.chosen * count, (state.chosen + 1) * count)];
    const weight = Math.max(...row);
    return { word: state.words[row.indexOf(weight)], weight };
  };

  const small = numbers(layers).flatMap((layer) => numbers(heads).map((head) => {
    const canvas = make("canvas", { width: side, height: side, "aria-hidden": "true" });
    const looks = make("span", { class: "looks-most" });
    const button = make("button", { type: "button", class: "head-of" }, make("span", { text: nameOf(layer, head) }), canvas, looks);
    button.addEventListener("click", () => {
      Object.assign(state, { layer, head });
      gpt.redraw();
      document.getElementById("large").scrollIntoView({ block: "nearest" });
    });
    return { layer, head, button, canvas, looks };
  }));

  // Returns the head in which the chosen word looks most at one word. The page begins with it.
  const surest = () => small.map(({ layer, head }) => ({ layer, head, ...most(layer, head) }))
    .reduce((one, other) => (other.weight > one.weight ? other : one));

  document.getElementById("heads").append(...small.map(({ button }) => button));

  const title = document.getElementById("large-head");
  const box = document.querySelector("#large .scroll");
  let [drawing, drawnWords] = [null, null];
  const isInView = (start, width) => start >= box.scrollLeft && start + width <= box.scrollLeft + box.clientWidth;
  const choose = (row) => {
    state.chosen = row;
    gpt.redraw();
  };

  gpt.parts.push(() => {
    if (state.head === null) {
      const { layer, head } = surest();
      Object.assign(state, { layer, head });
    }
    for (const { layer, head, button, canvas, looks } of small) {
      drawSmall(canvas, weightsOf(layer, head));
      const { word, weight } = most(layer, head);
      looks.textContent = `“${state.words[state.chosen]}” looks at “${word}”: ${(weight * 100).toFixed(0)} %`;
      button.setAttribute("aria-pressed", layer === state.layer && head === state.head);
    }
    title.textContent = nameOf(state.layer, state.head);
    if (drawnWords !== state.words) {
      drawnWords = state.words;
      drawing = wordLines({ name: "word-that-looks", rows: drawnWords, columns: drawnWords, choose });
      box.replaceChildren(make("div", { class: "lines-of" }, ...drawing.parts));
      box.firstChild.style.setProperty("--count", drawnWords.length);
    }
    drawing.draw(weightsOf(state.layer, state.head), state.chosen);
    const width = box.scrollWidth / drawnWords.length;
    if (!isInView(state.chosen * width, width)) box.scrollLeft = (state.chosen + 0.5) * width - box.clientWidth / 2;
  });

  // The colours of the hatching depend on the theme.
  const redraw = () => { if (state.values) gpt.redraw(); };
  document.getElementById("theme").addEventListener("change", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}
