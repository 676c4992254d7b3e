// Goes through the whole model, step by step, and shows the numbers of the chosen word.
"use strict";
{
  const { gpt, make, page } = globalThis.torchbook;
  const { state, vocabulary, channels, heads, layers } = gpt;
  const at = (id) => document.getElementById(id);
  const perRow = 8; // numbers of a row
  const perHead = channels / heads;

  // ------------------------------------------------------------ the steps

  // The steps of a block: name, title, and what happens there.
  const ofBlock = [
    ["norm1", "Norm", "Layer norm: the word’s numbers minus their mean, divided by their deviation, times learned weights, plus learned biases. So no word has larger numbers than others."],
    ["query", "Queries", `What the word looks for: a linear layer makes ${perHead} numbers for each of the ${heads} heads.`],
    ["key", "Keys", "What the word can be found by: another linear layer."],
    ["value", "Values", "What the word hands over to the words that look at it: a third linear layer."],
    ["scores", "Scores", `How well the word’s query fits the key of each word: their dot product, divided by the root of ${perHead}.`],
    ["masked", "Mask", "Words that come later get -inf: a model that sees them would not learn to guess them."],
    ["weights", "Softmax", "The scores become weights from 0 to 1 that add up to 1: how much the word looks at each word."],
    ["mixed", "Mixture", "The values of all words, mixed by these weights: the results of the heads stand side by side, a row each."],
    ["projected", "Projection", "A linear layer mixes the results of the heads."],
    ["found", "Residual", "That is added to the numbers from before the norm: the word keeps what it was, and has what it found."],
    ["norm2", "Norm", "Another layer norm."],
    ["wide", "Widen", "A linear layer makes four times as many numbers. From here to the end of the block, each word is by itself."],
    ["bent", "GELU", "GELU keeps large numbers and makes negative ones almost 0, so the model is more than one large product of matrices."],
    ["narrow", "Narrow", `A linear layer makes ${channels} numbers again.`],
    ["out", "Residual", "That is added, too. These numbers go on to the next layer."],
  ];
  const steps = [
    ["Text", "ids", "Words", "Each word has a number: its place in the vocabulary."],
    ["Text", "token", "Embedding", `A table has ${channels} learned numbers for each word of the vocabulary, the same wherever the word is.`],
    ["Text", "position", "Position", `Another table has ${channels} learned numbers for each place in the text.`],
    ["Text", "sum", "Sum", "Both are added: the numbers now say which word it is, and where."],
    ...[...Array(layers).keys()].flatMap((layer) => ofBlock.map(([name, title, text]) => [`Layer ${layer + 1}`, `${layer}.${name}`, title, text])),
    ["The next word", "norm", "Norm", "A last layer norm."],
    ["The next word", "logits", "Logits", "How well the numbers fit each word of the vocabulary as the next one: a linear layer without bias."],
    ["The next word", "probabilities", "Softmax", "Divided by the temperature and without all but the k likeliest, the logits become probabilities that add up to 1."],
  ].map(([group, name, title, text]) => ({ group, name, title, text, kind: name.replace(/^\d\./, "") }));

  const valuesOf = ({ name }) => (name === "probabilities" ? gpt.following(state.chosen) : state.values[name]);

  // ------------------------------------------------------------ the numbers of a word

  const chunks = (list, size) => Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
  const cells = (values, labels = []) => [...values].map((value, i) => ({ value, label: labels[i] }));

  // Returns the rows of a step's table: {head, entries: [{value, label}, …]}.
  const rowsOf = ({ kind }, tensor) => {
    const [count, values] = [state.words.length, tensor.values()];
    const row = (size, which) => values.subarray(which * size, (which + 1) * size);
    const byHead = (size, labels) => [...Array(heads).keys()].map((head) =>
      ({ head: `head ${head + 1}`, entries: cells(row(size, head * count + state.chosen), labels) }));
    if (kind === "ids") return chunks(cells(values, state.words), perRow).map((entries) => ({ entries }));
    if (["query", "key", "value"].includes(kind)) return byHead(perHead);
    if (["scores", "masked", "weights"].includes(kind)) return byHead(count, state.words);
    if (kind === "probabilities") return chunks(cells(values, vocabulary), perRow).map((entries) => ({ entries }));
    const own = row(tensor.shape[1], state.chosen);
    if (kind === "mixed") return chunks(cells(own), perHead).map((entries, head) => ({ head: `head ${head + 1}`, entries }));
    return chunks(cells(own, kind === "logits" ? vocabulary : []), perRow).map((entries) => ({ entries }));
  };

  const textOf = (value, kind) => {
    if (kind === "ids" || !Number.isFinite(value)) return page.general(value);
    return ["weights", "probabilities"].includes(kind) ? `${(value * 100).toFixed(0)} %` : value.toFixed(2);
  };

  const tableOf = (step) => {
    const rows = rowsOf(step, valuesOf(step));
    const { colour, ink } = page.scaleOf(rows.flatMap(({ entries }) => entries.map(({ value }) => value)));
    const entry = ({ value, label }) => {
      const made = make("td", {}, ...(label ? [make("span", { text: label })] : []), textOf(value, step.kind));
      made.classList.toggle("masked", value === -Infinity);
      if (step.kind !== "ids") made.style.cssText = `background-color: ${colour(value)}; color: ${ink(value)}`;
      return made;
    };
    return make("table", { class: "numbers-of", "aria-label": `${step.title} of “${state.words[state.chosen]}”` },
      make("tbody", {}, ...rows.map(({ head, entries }) =>
        make("tr", {}, ...(head ? [make("th", { scope: "row", text: head })] : []), ...entries.map(entry)))));
  };

  // ------------------------------------------------------------ choosing a step and a word

  let now = 0;
  const radios = steps.map((_, i) => make("input", { type: "radio", name: "step", id: `step-${i}` }));
  const shapes = steps.map(() => make("span", { class: "shape" }));
  const boxes = steps.map(({ title }, i) => make("div", {}, radios[i], make("label", { for: `step-${i}` }, title, " ", shapes[i])));
  for (const group of new Set(steps.map((step) => step.group))) {
    at("walk").append(make("fieldset", {}, make("legend", { text: group }), ...boxes.filter((_, i) => steps[i].group === group)));
  }

  const draw = () => {
    const step = steps[now];
    steps.forEach((one, i) => { shapes[i].textContent = `[${valuesOf(one).shape.join(", ")}]`; });
    at("word").replaceChildren(...state.words.map((word, i) => make("option", { value: i, text: `${i + 1}: ${word}` })));
    at("word").value = state.chosen;
    radios[now].checked = true;
    at("step-head").textContent = `${step.group}: ${step.title}`;
    at("step-said").textContent = step.text;
    at("step-values").replaceChildren(tableOf(step));
    [at("step-back").disabled, at("step-on").disabled] = [now === 0, now === steps.length - 1];
  };
  gpt.parts.push(draw);

  const go = (to) => {
    now = to;
    draw();
  };
  radios.forEach((radio, i) => radio.addEventListener("change", () => go(i)));
  // A button that is disabled loses the focus: the other one gets it.
  const press = (by, other) => {
    go(now + by);
    if (document.activeElement === document.body || document.activeElement.disabled) at(other).focus();
  };
  at("step-back").addEventListener("click", () => press(-1, "step-on"));
  at("step-on").addEventListener("click", () => press(1, "step-back"));
  at("word").addEventListener("change", ({ target }) => {
    state.chosen = Number(target.value);
    gpt.redraw();
  });

  gpt.start();
}
