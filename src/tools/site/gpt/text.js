// Takes the reader's text, shows the words that are likely to follow, and draws one.
"use strict";
{
  const { gpt, make, Generator, seedIn } = globalThis.torchbook;
  const at = (id) => document.getElementById(id);
  const [field, said, drawn] = [at("text"), at("said"), at("drawn")];
  const shownBars = 10;
  const longest = 12; // words that are appended at most to finish a sentence

  // The state of the page: the words that the model reads, the output of each step, and what the reader chose. A part of the page
  // adds itself to `parts`, as a function that draws it again.
  const state = (gpt.state = { words: [], values: null, chosen: 0, layer: null, head: null, settings: { temperature: 1, top: 1 } });
  const parts = (gpt.parts = []);
  gpt.redraw = () => parts.forEach((draw) => draw());

  // ------------------------------------------------------------ the text

  const known = new Map(gpt.vocabulary.map((word, id) => [word, id]));
  let typed = field.value; // by the reader, before words were drawn
  let generator = null;

  // Returns why the text cannot be read, or an empty text.
  const problemOf = (words) => {
    if (words.length === 0) return "Type a word. Until then, the page shows the text before.";
    const strange = words.find((word) => !known.has(word));
    if (strange === undefined) return "";
    const near = gpt.vocabulary.filter((word) => word.startsWith(strange));
    const but = near.length > 0 ? `, but “${near.join("”, “")}”` : "";
    return `It does not know “${strange}”${but}. Until that changes, the page shows the text before.`;
  };

  // Reads the text of the field. If that is not possible, it says why, returns false, and the page stays as it was.
  const read = () => {
    const words = gpt.wordsOf(field.value);
    const problem = problemOf(words);
    field.setAttribute("aria-invalid", problem !== "");
    said.classList.toggle("wrong", problem !== "");
    said.textContent = problem || (words.length > gpt.context ? `${words.length} words: it reads only the last ${gpt.context}.` : "");
    update();
    if (problem) return false;
    state.words = words.slice(-gpt.context);
    state.values = gpt.forward(state.words.map((word) => known.get(word)));
    state.chosen = state.words.length - 1;
    return true;
  };

  // Begins anew with the seed, so the same text and seed draw the same words.
  const begin = () => {
    const { seed, problem = "" } = seedIn(at("seed").value);
    generator = problem ? null : new Generator(seed);
    at("seed").setAttribute("aria-invalid", problem !== "");
    drawn.textContent = problem;
    update();
  };

  // The field is as high as its text.
  const fit = () => {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight + 2}px`;
  };
  addEventListener("resize", fit);
  parts.push(fit);

  const type = (text) => {
    field.value = typed = text;
    begin();
    if (read()) gpt.redraw();
  };

  field.addEventListener("input", () => type(field.value));
  at("examples").addEventListener("click", ({ target }) => { if (target.matches("button")) type(target.textContent); });
  at("vocabulary").append(...gpt.vocabulary.map((word) => make("button", { type: "button", text: word })));
  at("vocabulary").addEventListener("click", ({ target }) => { if (target.matches("button")) type(`${field.value.trimEnd()} ${target.textContent}`); });

  // ------------------------------------------------------------ what follows

  const percent = (probability) => `${(probability * 100).toFixed(1)} %`;
  gpt.following = (place) => gpt.probabilities(state.values, place, state.settings);

  const bar = ({ word, probability }) => {
    const made = make("li", {}, make("span", { class: "word", text: word }), make("span", { class: "bar-of", "aria-hidden": "true" }),
      make("span", { class: "probability", text: percent(probability) }));
    made.style.setProperty("--probability", probability);
    return made;
  };
  parts.push(() => {
    const probabilities = [...gpt.following(state.words.length - 1).values()].map((probability, id) => ({ word: gpt.vocabulary[id], probability }));
    at("bars").replaceChildren(...probabilities.sort((a, b) => b.probability - a.probability).slice(0, shownBars).map(bar));
  });

  const drawOne = () => {
    const probabilities = gpt.following(state.words.length - 1);
    const id = gpt.draw(generator, probabilities);
    field.value = `${field.value.trimEnd()} ${gpt.vocabulary[id]}`;
    read();
    return { word: gpt.vocabulary[id], probability: probabilities.values()[id] };
  };

  const update = () => {
    const cannot = generator === null || field.getAttribute("aria-invalid") === "true";
    for (const button of [at("draw"), at("go-on")]) button.disabled = cannot;
    at("again").disabled = field.value === typed;
  };

  const set = () => {
    const [temperature, top] = [Number(at("temperature").value), Number(at("top").value)];
    Object.assign(state.settings, { temperature, top });
    at("temperature-now").textContent = temperature.toFixed(1);
    at("top-now").textContent = top === gpt.vocabulary.length ? `all ${top} words` : top;
  };

  for (const id of ["temperature", "top"]) {
    at(id).addEventListener("input", () => {
      set();
      gpt.redraw();
    });
  }
  at("seed").addEventListener("input", begin);
  at("draw").addEventListener("click", () => {
    const { word, probability } = drawOne();
    gpt.redraw();
    drawn.textContent = `Drawn: “${word}”, which had ${percent(probability)}`;
  });
  at("go-on").addEventListener("click", () => {
    const words = [];
    do words.push(drawOne().word); while (!/[.?]/.test(words.at(-1)) && words.length < longest);
    gpt.redraw();
    drawn.textContent = `Drawn: “${words.join(" ")}”`;
  });
  at("again").addEventListener("click", () => {
    type(typed);
    at("draw").focus();
  });

  at("top").max = at("top").value = gpt.vocabulary.length;
  set();
  for (const name of ["layers", "heads", "channels", "steps", "size"]) at(`of-${name}`).textContent = gpt[name].toLocaleString("en");
  gpt.start = () => type(field.value);
}
