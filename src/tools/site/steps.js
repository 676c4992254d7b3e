// Steps from cell to cell: by key, by the buttons at the top, and by scrolling. The key f shows the current cell on the whole
// screen.
"use strict";
{
  const root = document.documentElement;
  const now = document.getElementById("now");
  const cells = [...document.querySelectorAll(".cell")];
  const done = document.getElementById("done");
  const keys = document.getElementById("keys");
  const contents = document.querySelector(".contents");
  let current = -1;

  // Marks the section and the cell in the contents, and keeps them in view there.
  const markContents = (cell) => {
    if (!contents) return;
    for (const link of contents.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
    const linkTo = (id) => contents.querySelector(`a[href="#${id}"]`);
    const links = [linkTo(cell.closest(".section").id), linkTo(cell.id)];
    for (const link of links) link.setAttribute("aria-current", "location");
    const [box, { top }, { bottom }] = [contents, ...links].map((one) => one.getBoundingClientRect());
    if (top < box.top) contents.scrollTop += top - box.top;
    else if (bottom > box.bottom) contents.scrollTop += bottom - box.bottom;
  };

  const setCurrent = (index) => {
    if (index === current) return;
    cells[current]?.removeAttribute("aria-current");
    current = index;
    cells[current].setAttribute("aria-current", "true");
    markContents(cells[current]);
    now.textContent = current + 1;
    done.style.transform = `scaleX(${(current + 1) / cells.length})`;
    document.getElementById("back").disabled = current === 0;
    document.getElementById("on").disabled = current === cells.length - 1;
    fit();
  };

  const isWhole = () => root.classList.contains("whole");

  // Makes a cell on the whole screen as large as it has room for. A cell that is too long for the size of the page scrolls.
  const fit = () => {
    if (!isWhole()) return;
    let size = Math.max(16, Math.min(36, innerWidth / 50)); // px
    do root.style.setProperty("--size", `${size}px`);
    while (cells[current].scrollHeight > innerHeight && --size >= 16);
  };

  const setAnchor = (anchor) => {
    const [, ...changes] = location.hash.split("&"); // of numbers (computing/edits.js)
    history.replaceState(history.state, "", ["#" + anchor, ...changes].join("&"));
  };

  const goTo = (index) => {
    if (index < 0 || index >= cells.length) return;
    cells[index].closest(".section").open = true;
    setCurrent(index);
    cells[index].focus({ preventScroll: true });
    cells[index].scrollIntoView({ block: "start", behavior: "instant" });
    setAnchor(cells[index].id);
  };

  const setWhole = (whole) => {
    root.classList.toggle("whole", whole);
    fit();
    goTo(current);
  };

  // The address may name a cell, or another element. If it has changes, the browser does not scroll to them.
  const fromAddress = () => {
    const named = document.getElementById(location.hash.slice(1).split("&")[0]);
    const cell = named?.closest(".cell");
    if (cell && cell === named) return goTo(cells.indexOf(cell));
    if (cell) setCurrent(cells.indexOf(cell));
    named?.scrollIntoView({ behavior: "instant" });
  };

  // Keys belong to elements that use them: fields, menus, tables, code that scrolls.
  const isTaken = (target) =>
    target.closest("input, textarea, select, table, pre[tabindex], .view[open]") !== null;

  // On wide screens, the contents are beside the text and open.
  const wide = matchMedia("(min-width: 90rem)");
  const openContents = () => { if (contents) contents.open = wide.matches; };

  const steps = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 };
  const stepsOfWhole = { " ": 1, PageDown: 1, PageUp: -1, ...steps }; // a presenter's remote control sends PageDown and PageUp

  const byKey = (event) => {
    if (event.defaultPrevented || !keys.checked || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (isTaken(event.target)) return;
    const step = (isWhole() && !event.target.closest("button") ? stepsOfWhole : steps)[event.key];
    if (step) goTo(current + step);
    else if (event.key === "f" || (event.key === "Escape" && isWhole())) setWhole(!isWhole());
    else return;
    event.preventDefault();
  };

  // While scrolling, the current cell is the visible one that is nearest to the last, or otherwise the one above the view.
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
    const isAbove = (cell) => cell.checkVisibility() && cell.getBoundingClientRect().top < top;
    setCurrent(nearest >= 0 ? nearest : Math.max(cells.findLastIndex(isAbove), 0));
  };

  if (cells.length > 0) {
    openContents();
    wide.addEventListener("change", openContents);
    setCurrent(0);
    fromAddress();
    document.addEventListener("keydown", byKey);
    addEventListener("hashchange", fromAddress);
    addEventListener("resize", fit);
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
