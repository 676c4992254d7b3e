// Shows one cell at a time, larger, for a projector: the page with "#present" as its address, or "#present-7" for its
// seventh cell.
"use strict";
{
  const { steps } = globalThis.torchbook;
  const root = document.documentElement;
  const smallest = 16; // px
  const leave = document.getElementById("leave");

  const items = [...document.querySelectorAll(".section > :not(summary)")];

  // A slide is a cell with what explains it: the notes and the restored state between the cell before it and it. The last one has
  // the notes after it, too.
  const show = (cell) => {
    for (const one of document.querySelectorAll(".on-slide")) one.classList.remove("on-slide");
    const at = items.indexOf(cell);
    const first = items.findLastIndex((one, i) => i < at && one.matches(".cell")) + 1;
    const isLast = cell === steps.cells.at(-1);
    for (const one of items.slice(first, isLast ? items.length : at + 1)) {
      one.classList.add("on-slide");
      one.closest(".section").classList.add("on-slide");
      one.closest(".section").open = true;
    }
    fit();
  };

  // Makes a slide as large as the screen has room for. One that does not fit at the size of the page scrolls.
  const fit = () => {
    root.style.fontSize = "";
    const isHigh = () => root.scrollHeight > innerHeight;
    for (let size = parseFloat(getComputedStyle(root).fontSize) - 1; isHigh() && size >= smallest; --size) {
      root.style.fontSize = `${size}px`;
    }
  };

  const presents = () => root.classList.contains("present");

  const begin = (cell) => {
    root.classList.add("present");
    leave.hidden = false;
    document.querySelector(".view").open = false;
    steps.goTo(steps.cells[cell - 1] ? cell - 1 : steps.at());
  };

  const end = () => {
    root.classList.remove("present");
    leave.hidden = true;
    root.style.fontSize = "";
    steps.goTo(steps.at());
  };

  const targets = {
    ArrowRight: (at) => at + 1,
    PageDown: (at) => at + 1, // what a presenter's remote control sends
    ArrowLeft: (at) => at - 1,
    PageUp: (at) => at - 1,
    Home: () => 0,
    End: () => steps.cells.length - 1,
  };

  const onKey = (event) => {
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented;
    if (!presents() || isOther || steps.isTaken(event.target)) return;
    if (event.key !== "Escape" && !targets[event.key]) return;
    event.preventDefault();
    if (event.key === "Escape") end();
    else steps.goTo(targets[event.key](steps.at()));
  };

  if (steps?.cells.length > 0) {
    document.addEventListener("step", ({ detail }) => { if (presents()) show(detail); });
    document.addEventListener("keydown", onKey, { capture: true });
    leave.addEventListener("click", end);
    addEventListener("resize", () => { if (presents()) fit(); });
    const fromAddress = () => {
      const asked = /^#present(?:-(\d+))?(?:&|$)/.exec(location.hash);
      if (asked) begin(Number(asked[1]));
      else if (presents()) end();
    };
    addEventListener("hashchange", fromAddress);
    fromAddress();
  }
}
