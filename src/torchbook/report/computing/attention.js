// Lets a reader touch a small attention: six words, their embeddings, and lines from a word to the words that it looks at.
// The embeddings are those of the notebook: the numbers that its seed draws.
"use strict";
{
  const { Generator, rand, tensor, matmul, softmax, mT, tensorText, select } = globalThis.torchbook;
  const box = document.getElementById("attention");
  const words = box.dataset.words.split(" ");
  const size = 3;
  const drawn = [...rand(new Generator(Number(box.dataset.seed)), [words.length, size]).values()];
  let numbers = [...drawn];
  let chosen = 1;

  const make = (tag, { text, ...attributes } = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    made.append(...children);
    return made;
  };

  // ------------------------------------------------------------ elements

  const radios = words.map((word, i) => make("input", { type: "radio", name: "word", value: i, id: `word-${i}` }));
  const labels = words.map((word, i) => make("label", { for: `word-${i}`, text: word }));
  const looking = make("fieldset", { class: "words" }, make("legend", { class: "unseen", text: "The word that looks" }),
    ...radios.map((radio, i) => make("div", {}, radio, labels[i])));

  const svg = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const lines = svg("svg", { viewBox: "0 0 600 100", preserveAspectRatio: "none", "aria-hidden": "true", class: "lines" });
  const center = (i) => (i + 0.5) * 100;
  const line = words.map((_, i) => words.map((_, j) =>
    lines.appendChild(svg("path", { d: `M${center(i)} 0C${center(i)} 50 ${center(j)} 50 ${center(j)} 100`, fill: "none", "vector-effect": "non-scaling-stroke" }))));

  const percents = words.map(() => make("span", { class: "percent" }));
  const seen = make("ul", { class: "words", "aria-label": "How much it looks at each word" },
    ...words.map((word, j) => make("li", {}, make("span", { text: word }), percents[j])));

  const sliders = Array.from({ length: size }, () => make("input", { type: "range", min: -1, max: 2, step: 0.01 }));
  const shown = sliders.map(() => make("output", {}));
  const head = make("p", { class: "embedding" });
  const embedding = make("div", { class: "sliders" },
    ...sliders.map((slider, k) => make("label", {}, make("span", { class: "unseen", text: `number ${k + 1} of the embedding` }), slider, shown[k])));
  const back = make("button", { type: "button", text: "The document’s numbers" });
  const mixture = make("p", { class: "mixture" });

  // ------------------------------------------------------------ computing and drawing

  const draw = () => {
    const x = tensor("float32", [words.length, size], numbers);
    const weights = softmax(matmul(x, mT(x)), -1);
    const context = select(matmul(weights, x), 0, chosen);
    weights.values().forEach((weight, at) => {
      const [i, j] = [Math.floor(at / words.length), at % words.length];
      line[i][j].style.strokeWidth = `${(weight * 28).toFixed(2)}px`;
      line[i][j].classList.toggle("chosen", i === chosen);
      if (i === chosen) percents[j].textContent = `${(weight * 100).toFixed(1)} %`;
    });
    radios[chosen].checked = true;
    sliders.forEach((slider, k) => {
      const number = numbers[chosen * size + k];
      slider.value = number;
      shown[k].textContent = number.toFixed(4);
    });
    head.replaceChildren(make("strong", { text: words[chosen] }), " as three numbers. Drag one:");
    mixture.replaceChildren("The words, mixed in these parts: ", make("code", { text: tensorText(context) }));
    back.hidden = numbers.every((number, i) => number === drawn[i]);
  };

  sliders.forEach((slider, k) => slider.addEventListener("input", () => {
    numbers[chosen * size + k] = Math.fround(Number(slider.value));
    draw();
  }));
  radios.forEach((radio, i) => radio.addEventListener("change", () => {
    chosen = i;
    draw();
  }));
  back.addEventListener("click", () => {
    numbers = [...drawn];
    draw();
    radios[chosen].focus();
  });

  box.append(looking, lines, seen, make("div", { class: "numbers" }, head, embedding, mixture, back));
  draw();
}
