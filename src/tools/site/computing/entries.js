// Lets a reader change an entry of a table: by typing over it, by arrow keys, and by dragging.
"use strict";
{
  const { page, inputText } = globalThis.torchbook;
  const dragStart = { mouse: 4, pen: 6, touch: 10 }; // px: less is a click
  const dragStep = 5; // px for each step
  let field = null; // {input, nudge, problem, entry, place, before}

  const placeOf = (element) => {
    const entry = element.closest?.(".tensor[data-computed] .heat tbody td");
    if (entry) {
      const picture = page.byId.get(entry.closest(".tensor").id);
      return picture && { picture, index: picture.entries.indexOf(entry) };
    }
    const number = element.closest?.("samp [data-i]");
    const picture = number && page.byId.get(number.dataset.of);
    return picture?.box.dataset.computed && { picture, index: Number(number.dataset.i) };
  };

  const valueOf = ({ picture, index }) => page.program.values[picture.tensor].values()[index];

  // Returns the indices of an element as a text: 4, 0.
  page.indicesOf = ({ shape }, index) => {
    const places = [];
    for (const length of [...shape].reverse()) {
      places.unshift(index % length);
      index = Math.floor(index / length);
    }
    return places.join(", ");
  };

  // Returns the step of an entry, a power of ten that is small beside the tensor's numbers.
  const stepOf = ({ picture }) => {
    if (picture.dtype !== "float32") return 1;
    const values = [...page.program.document[picture.tensor].values()].filter(Number.isFinite).map(Math.abs);
    return 10 ** (Math.floor(Math.log10(Math.max(...values, 1e-3))) - 1);
  };

  const stepped = (place, from, steps) => {
    const step = stepOf(place);
    const digits = Math.max(0, -Math.round(Math.log10(step)) + 2);
    return page.allowed(Number((from + steps * step).toFixed(Math.min(digits, 20))), place.picture);
  };

  // Returns a number as a reader types it.
  const short = (value, { picture }) => inputText(picture.dtype === "float32" ? Number(value.toPrecision(7)) : value);

  const set = (place, number) => page.set(place.picture, place.index, number);

  // ------------------------------------------------------------ typing

  // Restores the entry as it was before the field opened.
  const takeBack = () => {
    if (!Object.is(valueOf(field.place), field.before)) page.undo();
  };

  const close = ({ keep, focus }) => {
    if (!field) return;
    const { input, nudge, problem, entry } = field;
    if (!keep) takeBack();
    field = null;
    for (const one of [input, nudge, problem.box]) one.remove();
    entry.classList.remove("typing");
    page.settle();
    page.sayChanges();
    if (focus) entry.focus({ preventScroll: true });
  };

  const read = () => page.entryIn(field.input.value, field.place.picture);

  // Closes the field, unless the text is not a number. Then it shows the problem and waits.
  const finish = ({ focus = false } = {}) => {
    if (!field) return;
    const { problem } = read();
    if (problem) field.problem.show(problem);
    else close({ keep: true, focus });
  };

  // Closes the field for another one. A text that is not a number is dropped.
  const leave = () => { if (field) close({ keep: !read().problem }); };

  const onKey = (event) => {
    event.stopPropagation(); // the arrow keys of the table and of the page rest
    const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (event.key === "Enter") finish({ focus: true });
    else if (event.key === "Escape") close({ keep: false, focus: true });
    else if (steps) step(steps * (event.shiftKey ? 10 : 1));
    else return;
    event.preventDefault();
  };

  const step = (steps) => {
    const { input, place } = field;
    set(place, stepped(place, valueOf(place), steps));
    input.value = short(valueOf(place), place);
    field.problem.hide();
  };

  const onInput = () => {
    const { number, problem } = read();
    if (problem === undefined) {
      field.problem.hide();
      set(field.place, number);
      return;
    }
    takeBack();
    if (field.problem.box.hidden) field.input.setAttribute("aria-invalid", "true"); // it may be half a number: nothing is said yet
    else field.problem.show(problem);
  };

  // Makes the buttons that step by touch. They must not take the focus, which would close the field.
  const nudgeOf = () => {
    const buttons = [["−", -1, "Step down"], ["+", 1, "Step up"]].map(([text, steps, name]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = -1;
      button.textContent = text;
      button.setAttribute("aria-label", name);
      button.addEventListener("click", () => step(steps));
      return button;
    });
    const box = document.createElement("span");
    box.className = "nudge";
    box.append(...buttons);
    box.addEventListener("mousedown", (event) => event.preventDefault());
    return box;
  };

  const openField = (place, text) => {
    leave();
    const entry = place.picture.entries[place.index];
    const input = document.createElement("input");
    const nudge = nudgeOf();
    const problem = page.problemOf(input);
    field = { input, nudge, problem, entry, place, before: valueOf(place) };
    input.type = "text";
    input.autocomplete = "off";
    input.className = "field";
    input.setAttribute("aria-label", `Entry [${page.indicesOf(place.picture, place.index)}] of ${place.picture.name}; arrow keys step, Escape takes it back`);
    input.value = text ?? short(valueOf(place), place);
    input.addEventListener("keydown", onKey);
    input.addEventListener("input", onInput);
    input.addEventListener("blur", () => finish());
    entry.classList.add("typing");
    entry.append(input);
    place.picture.box.querySelector(".legend").append(nudge); // over no entry
    entry.closest(".scroll").after(problem.box);
    input.focus({ preventScroll: true });
    if (text === undefined) input.select();
    else onInput();
  };

  // Opens the field of an entry. A truth value turns into the other one.
  const open = (place, text) => {
    if (page.program.stale.has(place.picture.tensor)) return;
    if (place.picture.dtype !== "bool") return openField(place, text);
    set(place, valueOf(place) ? 0 : 1);
    page.settle();
    page.sayChanges();
  };

  // ------------------------------------------------------------ dragging

  let drag = null;

  const onDown = (event) => {
    const place = event.button === 0 && !event.target.closest(".field, .nudge") && placeOf(event.target);
    if (!place) return;
    const entry = event.target.closest("td");
    const pans = event.pointerType !== "mouse" && entry?.closest(".wide"); // a wide table scrolls by touch
    const mayDrag = entry && !pans && place.picture.dtype !== "bool" && !page.program.stale.has(place.picture.tensor);
    drag = { place, entry, mayDrag, x: event.clientX, y: event.clientY, from: valueOf(place), moves: false, id: event.pointerId };
  };

  const onMove = (event) => {
    if (!drag?.mayDrag || event.pointerId !== drag.id) return;
    const way = event.clientX - drag.x;
    const isDrag = Math.abs(way) >= dragStart[event.pointerType] && Math.abs(way) > Math.abs(event.clientY - drag.y);
    if (!drag.moves && !isDrag) return;
    if (!drag.moves) {
      leave();
      page.settle();
      drag.moves = true;
      drag.entry.setPointerCapture(drag.id);
      document.documentElement.classList.add("dragging");
    }
    const steps = Math.trunc(way / dragStep) * (event.shiftKey ? 10 : 1);
    const number = stepped(drag.place, drag.from, steps);
    if (!Object.is(number, valueOf(drag.place))) set(drag.place, number);
  };

  const onUp = (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { place, moves, from } = drag;
    drag = null;
    document.documentElement.classList.remove("dragging");
    if (moves) {
      if (event.type === "pointercancel" && valueOf(place) !== from) page.undo(); // the browser scrolls instead
      page.settle();
      page.sayChanges();
    } else if (event.type === "pointerup" && placeOf(event.target)?.index === place.index) {
      event.preventDefault();
      open(place);
    }
  };

  // ------------------------------------------------------------ keys

  const onTableKey = (event) => {
    const place = !event.ctrlKey && !event.metaKey && !event.altKey && event.target.matches?.("td") && placeOf(event.target);
    if (!place) return;
    const opens = event.key === "Enter" || event.key === "F2" || (event.key === " " && place.picture.dtype === "bool");
    const types = /^[-+−\d.]$/.test(event.key) && place.picture.dtype !== "bool";
    if (!opens && !types) return;
    event.preventDefault();
    open(place, types ? event.key : undefined);
  };

  page.listen = () => {
    document.addEventListener("pointerdown", onDown);
    document.addEventListener("pointermove", onMove);
    document.addEventListener("pointerup", onUp);
    document.addEventListener("pointercancel", onUp);
    document.addEventListener("keydown", onTableKey);
  };
}
