// Steps from cell to cell: by key, by the buttons at the top, and by scrolling.
"use strict";
{
  const cells = [...document.querySelectorAll(".cell")];
  const now = document.getElementById("now");
  const done = document.getElementById("done");
  const keys = document.getElementById("keys");
  let current = -1;

  const setCurrent = (index) => {
    if (index === current) return;
    cells[current]?.removeAttribute("aria-current");
    current = index;
    cells[current].setAttribute("aria-current", "true");
    now.textContent = current + 1;
    done.style.transform = `scaleX(${(current + 1) / cells.length})`;
    document.getElementById("back").disabled = current === 0;
    document.getElementById("on").disabled = current === cells.length - 1;
  };

  const goTo = (index) => {
    if (index < 0 || index >= cells.length) return;
    setCurrent(index);
    cells[index].focus({ preventScroll: true });
    cells[index].scrollIntoView({ block: "start", behavior: "instant" });
    const [, ...changes] = location.hash.split("&"); // of numbers (computing/edits.js)
    history.replaceState(null, "", ["#" + cells[index].id, ...changes].join("&"));
  };

  // The address may name a cell, or a tensor in one. The browser itself scrolls to a tensor.
  const fromAddress = () => {
    const named = document.getElementById(location.hash.slice(1).split("&")[0]);
    const cell = named?.closest(".cell");
    if (!cell) return;
    if (cell === named) goTo(cells.indexOf(cell));
    else setCurrent(cells.indexOf(cell));
  };

  // Keys belong to elements that use them: fields, menus, tables, code that scrolls.
  const isTaken = (target) =>
    target.closest("input, textarea, select, table, pre[tabindex], .view[open]") !== null;

  const steps = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 };

  const byKey = (event) => {
    const step = steps[event.key];
    if (!step || !keys.checked || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (isTaken(event.target)) return;
    event.preventDefault();
    goTo(current + step);
  };

  // While scrolling, the current cell is the visible one that is nearest to the last.
  const byScroll = () => {
    const top = document.querySelector(".bar").offsetHeight;
    const inView = (cell) => {
      const box = cell.getBoundingClientRect();
      return box.bottom > top + 8 && box.top < innerHeight - 8;
    };
    if (inView(cells[current])) return;
    let nearest = -1;
    cells.forEach((cell, index) => {
      if (!inView(cell)) return;
      if (nearest < 0 || Math.abs(index - current) < Math.abs(nearest - current)) nearest = index;
    });
    if (nearest >= 0) setCurrent(nearest);
  };

  if (cells.length > 0) {
    setCurrent(0);
    fromAddress();
    document.addEventListener("keydown", byKey);
    addEventListener("hashchange", fromAddress);
    document.getElementById("back").addEventListener("click", () => goTo(current - 1));
    document.getElementById("on").addEventListener("click", () => goTo(current + 1));
    document.addEventListener("focusin", (event) => {
      const cell = event.target.closest(".cell");
      if (cell) setCurrent(cells.indexOf(cell));
    });
    let waiting = false;
    addEventListener("scroll", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; byScroll(); });
    }, { passive: true });
  }

  try {
    keys.checked = localStorage.getItem("torchbook-keys") !== "off";
    keys.addEventListener("change", () => localStorage.setItem("torchbook-keys", keys.checked ? "on" : "off"));
  } catch {
    // the choice then holds only for this page
  }
}
