// Plays weights that look at the past only: step by step, the averaging row, hidden words, and the mean.
"use strict";
{
  const { make, numbersOf, isPast } = globalThis.torchbook;
  const pause = 900; // ms for each step

  const rowsOf = (tensor) => [...tensor.querySelectorAll(".heat tbody tr")];

  const textOf = (row) => [...row.querySelectorAll("td")].map((entry) => entry.firstChild.data).join(", ");

  // Returns whether a tensor is a square matrix of weights that look at the past only.
  const canBePlayed = (tensor) => {
    const size = rowsOf(tensor).length;
    const numbers = numbersOf(tensor);
    return size > 2 && numbers.length === size * size && isPast(numbers, size);
  };

  // Hatches the future of each row.
  const hatch = (tensor) =>
    rowsOf(tensor).forEach((row, i) =>
      row.querySelectorAll("td").forEach((entry, j) => entry.classList.toggle("hidden-entry", j > i)));

  const lightRows = (tensor, isLit) => {
    const rows = tensor.querySelectorAll(".heat tbody");
    for (const body of rows) [...body.rows].forEach((row, i) => row.classList.toggle("at-step", isLit(i)));
  };

  const add = (tensor) => {
    const size = rowsOf(tensor).length;
    const scores = tensor.dataset.origin === "softmax" ? document.getElementById(tensor.dataset.left) : null;
    const means = [...document.querySelectorAll(`.tensor[data-origin="product"][data-left="${tensor.id}"]`)];
    hatch(tensor);
    if (scores) hatch(scores);
    const said = make("span", { class: "step-said", role: "status" });
    const buttons = ["Back", "On", "Play"].map((text) => make("button", { type: "button", text }));
    const [back, on, play] = buttons;
    tensor.querySelector(".looks").append(make("p", { class: "past" }, ...buttons, said));
    let [at, timer] = [0, null];

    const stop = () => {
      clearInterval(timer);
      timer = null;
      play.textContent = "Play";
    };

    const step = ({ detail: row }) => {
      at = row;
      lightRows(tensor, (i) => i === at);
      if (scores) lightRows(scores, (i) => i === at);
      for (const mean of means) {
        lightRows(mean, (i) => i === at);
        lightRows(document.getElementById(mean.dataset.right), (i) => i <= at);
      }
      const used = numbersOf(tensor).slice(at * size, at * size + at + 1);
      const times = used.every((weight) => weight === used[0]) ? `, each times ${Number(used[0].toPrecision(4))}` : "";
      const mean = means.length === 0 ? "" : `: ${textOf(rowsOf(means[0])[at])}`;
      said.textContent = `${at + 1} row${at === 0 ? "" : "s"}${times}${mean}`;
      [back.disabled, on.disabled] = [at === 0, at === size - 1];
    };

    const go = (row) => tensor.dispatchEvent(new CustomEvent("choose", { detail: row }));
    back.addEventListener("click", () => { stop(); go(at - 1); });
    on.addEventListener("click", () => { stop(); go(at + 1); });
    play.addEventListener("click", () => {
      if (timer) return stop();
      go(at === size - 1 ? 0 : at);
      play.textContent = "Stop";
      timer = setInterval(() => {
        if (at === size - 1) stop();
        else go(at + 1);
      }, pause);
    });
    tensor.addEventListener("chosen", step);
    go(0);
  };

  document.querySelectorAll(".tensor.has-lines").forEach((tensor) => { if (canBePlayed(tensor)) add(tensor); });
}
