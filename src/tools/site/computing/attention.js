// Lets a reader touch a small attention: six words, their embeddings, and lines from a word to the words that it looks at.
// The embeddings are those of the notebook: the numbers that its seed draws.
"use strict";
{
  const { Generator, rand, tensor, matmul, softmax, mT, tensorText, select, make, wordLines } = globalThis.torchbook;
  const box = document.getElementById("attention");
  const words = box.dataset.words.split(" ");
  const size = 3;
  const drawn = [...rand(new Generator(Number(box.dataset.seed)), [words.length, size]).values()];
  let numbers = [...drawn];
  let chosen = 1;

  // ------------------------------------------------------------ elements

  const lines = wordLines({
    name: "word",
    rows: words,
    columns: words,
    choose: (row) => {
      chosen = row;
      draw();
    },
  });

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
    lines.draw(weights.values(), chosen);
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
  back.addEventListener("click", () => {
    numbers = [...drawn];
    draw();
    lines.focus(chosen);
  });

  box.append(...lines.parts, make("div", { class: "numbers" }, head, embedding, mixture, back));
  draw();
}
