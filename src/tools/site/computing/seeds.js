// Makes the seed of a cell a field: another seed draws again, digit for digit as LibTorch does.
"use strict";
{
  const { page } = globalThis.torchbook;
  const largest = Number.MAX_SAFE_INTEGER;

  const add = (node, place) => {
    const cell = document.getElementById(`cell-${page.program.nodes[node].cell}`);
    const code = cell?.querySelector(".code");
    if (!code) return;
    const box = document.createElement("p");
    box.className = "seed";
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "text";
    input.inputMode = "numeric";
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

    const set = (text) => {
      const isSeed = /^\d+$/.test(text.trim()) && Number(text) <= largest;
      if (isSeed) input.removeAttribute("aria-invalid");
      else input.setAttribute("aria-invalid", "true");
      if (!isSeed) return;
      page.settle();
      page.setSeed(place, Number(text));
      page.settle();
      page.sayChanges();
    };
    input.addEventListener("change", () => set(input.value));
    input.addEventListener("keydown", (event) => {
      const step = { ArrowUp: 1, ArrowDown: -1, Enter: 0 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      set(String(Math.max(0, Number(input.value) + step)));
    });
    next.addEventListener("click", () => set(String(page.seedAt(place) + 1)));
    document.addEventListener("changes", () => {
      input.value = page.seedAt(place);
      input.removeAttribute("aria-invalid");
      box.classList.toggle("edited", page.seedAt(place) !== page.program.nodes[node].seed);
    });
  };

  page.addSeeds = () => page.seeded().forEach(add);
}
