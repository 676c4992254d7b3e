// Highlights an entry of a table of colours, its row, its column and its printed number when it is pointed at
// or reached by key. Other scripts listen to the event "entry" of a tensor. Its detail is the element's index
// or null.
"use strict";
{
  // Returns the numbers of a tensor of the page.
  const numbersOf = ({ dataset }) =>
    dataset.values.split(" ").map((text) => Number(text.replace(/^(-?)inf$/, "$1Infinity")));

  // A table has one tab stop. The arrow keys move inside it.
  const prepare = (table) => {
    table.setAttribute("role", "grid");
    table.querySelectorAll("tbody td").forEach((entry, index) => {
      entry.tabIndex = index === 0 ? 0 : -1;
    });
  };

  const entriesOf = (tensor) => [...tensor.querySelectorAll(".heat tbody td")];
  const printedOf = (tensor) => [...document.querySelectorAll(`samp [data-of="${tensor.id}"]`)];

  const parts = new Map();
  const partsOf = (tensor) => {
    if (!parts.has(tensor)) parts.set(tensor, { entries: entriesOf(tensor), printed: printedOf(tensor) });
    return parts.get(tensor);
  };

  let lit = [];
  const darken = () => {
    for (const element of lit) element.classList.remove("lit", "near", "used");
    lit = [];
  };
  const light = (element, how) => {
    if (!element) return;
    element.classList.add(how);
    lit.push(element);
  };

  // Highlights an element, its row and its column.
  const lightEntry = (tensor, index) => {
    const { entries, printed } = partsOf(tensor);
    const entry = entries[index];
    const table = entry.closest("table");
    const first = Number(table.dataset.first);
    const columns = Number(table.dataset.columns);
    const size = table.querySelectorAll("tbody td").length;
    const row = Math.floor((index - first) / columns);
    const column = (index - first) % columns;
    for (let i = first; i < first + size; ++i) {
      const sameRow = Math.floor((i - first) / columns) === row;
      const sameColumn = (i - first) % columns === column;
      if (i === index || !(sameRow || sameColumn)) continue;
      light(entries[i], "near");
      light(printed[i], "near");
    }
    light(table.tHead.querySelectorAll("th")[column], "near");
    light(entry.parentElement.querySelector("th"), "near");
    light(entry, "lit");
    light(printed[index], "lit");
  };

  // Highlights elements of other tensors from which an entry was computed.
  const lightUsed = (tensor, indices) => {
    const { entries, printed } = partsOf(tensor);
    for (const index of indices) {
      light(entries[index], "used");
      light(printed[index], "used");
    }
  };

  const tensorOf = (target) => {
    const entry = target.closest(".heat tbody td");
    if (entry) {
      const tensor = entry.closest(".tensor");
      return { tensor, index: partsOf(tensor).entries.indexOf(entry) };
    }
    const number = target.closest("samp [data-i]");
    return number && { tensor: document.getElementById(number.dataset.of), index: Number(number.dataset.i) };
  };

  const show = (target, byKey) => {
    const place = tensorOf(target);
    darken();
    if (!place) return;
    lightEntry(place.tensor, place.index);
    place.tensor.dispatchEvent(new CustomEvent("entry", { detail: { index: place.index, byKey, lightUsed } }));
  };

  const shownByKey = () => document.activeElement?.closest(".heat tbody td") ?? document.body;

  document.addEventListener("pointerover", (event) => show(tensorOf(event.target) ? event.target : shownByKey(), false));
  document.addEventListener("focusin", (event) => show(event.target, true));
  document.addEventListener("focusout", darken);

  const moves = {
    ArrowRight: (row, column) => [row, column + 1],
    ArrowLeft: (row, column) => [row, column - 1],
    ArrowDown: (row, column) => [row + 1, column],
    ArrowUp: (row, column) => [row - 1, column],
    Home: (row) => [row, 0],
    End: (row, column, last) => [row, last],
  };

  document.addEventListener("keydown", (event) => {
    const entry = event.target.closest(".heat tbody td");
    if (event.key === "Escape") entry?.closest(".cell")?.focus({ preventScroll: true }); // the arrow keys step from cell to cell again
    const move = moves[event.key];
    if (!entry || !move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const rows = [...entry.closest("tbody").rows].map((row) => [...row.querySelectorAll("td")]);
    const row = rows.findIndex((entries) => entries.includes(entry));
    const [toRow, toColumn] = move(row, rows[row].indexOf(entry), rows[row].length - 1);
    const next = rows[toRow]?.[toColumn];
    if (!next) return;
    entry.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });

  document.querySelectorAll(".heat").forEach(prepare);
  document.addEventListener("drawn", () => parts.clear()); // the texts have new elements

  globalThis.torchbook ??= {};
  Object.assign(globalThis.torchbook, { numbersOf });
}
