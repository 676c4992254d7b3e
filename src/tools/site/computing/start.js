// Makes the page compute, unless the engine does not understand its program. Nothing on the page changes by that.
"use strict";
{
  const { page } = globalThis.torchbook;

  // The browser lays out only the cells in view (computing.css). Each keeps the height that it has now, so that the page
  // does not jump.
  const keepHeights = () => {
    const cells = [...document.querySelectorAll(".cell")];
    const heights = cells.map((cell) => cell.clientHeight);
    cells.forEach((cell, i) => { cell.style.containIntrinsicBlockSize = `auto ${heights[i]}px`; });
  };

  // Marks the tables that scroll sideways: by touch, their entries cannot be dragged.
  const markWide = () => {
    const boxes = [...document.querySelectorAll(".scroll")];
    const areWide = boxes.map((box) => box.scrollWidth > box.clientWidth);
    boxes.forEach((box, i) => box.classList.toggle("wide", areWide[i]));
  };

  const start = () => {
    try {
      page.read();
    } catch (error) {
      const hint = document.getElementById("computes");
      hint.textContent = `The numbers of this page cannot be changed: ${error.message}.`;
      return;
    }
    keepHeights();
    markWide();
    addEventListener("resize", markWide);
    document.addEventListener("toggle", markWide, true); // a fold has its size once it is open
    document.documentElement.classList.add("computes");
    page.addWalls();
    page.addSeeds();
    page.addWords();
    page.addFlow();
    page.addBar();
    page.addQuestions();
    page.listen();
    page.fromAddress();
    addEventListener("hashchange", page.fromAddress);
  };

  start();
}
