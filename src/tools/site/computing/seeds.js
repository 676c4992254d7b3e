// Makes the seed of a cell a field: another seed draws again, digit for digit as LibTorch does.
"use strict";
{
  const { page, seedIn, sameSeed } = globalThis.torchbook;

  const add = (node, place) => {
    const cell = document.getElementById(`cell-${page.program.nodes[node].cell}`);
    const code = cell?.querySelector(".code");
    if (!code) return;
    const box = document.createElement("p");
    box.className = "seed";
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "text";
    input.autocomplete = "off";
    input.id = `seed-${place}`;
    input.value = page.seedAt(place);
    label.htmlFor = input.id;
    label.textContent = "Seed";
    const next = document.createElement("button");
    next.type = "button";
    next.textContent = "Next seed";
    box.append(label, " ", input, " ", next);
    code.after(box);

    const problem = page.problemOf(input);
    box.append(" ", problem.box);

    const set = (text) => {
      const read = seedIn(text);
      if (read.problem) return problem.show(read.problem);
      problem.hide();
      page.settle();
      page.setSeed(place, read.seed);
      page.settle();
      page.sayChanges();
      input.value = page.seedAt(place);
    };
    // Steps from the seed that is typed, or otherwise from the seed of the page.
    const step = (by) => set(String(BigInt(seedIn(input.value).seed ?? page.seedAt(place)) + by));
    input.addEventListener("change", () => set(input.value));
    input.addEventListener("keydown", (event) => {
      const by = { ArrowUp: 1n, ArrowDown: -1n }[event.key];
      if (by === undefined && event.key !== "Enter") return;
      event.preventDefault();
      if (by === undefined) set(input.value);
      else step(by);
    });
    next.addEventListener("click", () => step(1n));
    document.addEventListener("changes", () => {
      input.value = page.seedAt(place);
      problem.hide();
      box.classList.toggle("edited", !sameSeed(page.seedAt(place), page.program.nodes[node].seed));
    });
  };

  page.addSeeds = () => page.seeded().forEach(add);
}
