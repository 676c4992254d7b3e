// Describes the walls of a page: operations that it does not compute.
"use strict";
{
  const { page, make } = globalThis.torchbook;

  // Returns the parts of a sentence about a wall.
  const wordsOf = ({ cell, reason }) => {
    const label = document.querySelector(`#head-${cell} a`)?.textContent.replace("In [None]", `cell ${cell}`);
    return label ? [`${reason} (`, make("a", { href: `#cell-${cell}`, text: label }), ")"] : [reason];
  };

  // Says at the end of an element why tensors are stale, or that a text has numbers of tensors that changed, and is not computed.
  page.sayWall = (element, tensors, { taken = [], missing = [] } = {}) => {
    const { program } = page;
    const own = [...element.children].find((child) => child.className === "wall");
    const stale = tensors.find((tensor) => program.stale.has(tensor));
    const [isTaken, isMissing] = [taken, missing].map((all) => all.some((tensor) => program.hasMoved(tensor)));
    own?.remove();
    if (stale === undefined && !isTaken && !isMissing) return;
    const why = stale !== undefined ? wordsOf(program.wallOf(stale))
      : isTaken ? ["the cell took them out of tensors, and a page does not see how it prints them"]
        : ["the cell prints them in a form that a page does not compute, such as f\"{x:+g}\", or their text can be read in several ways"];
    element.append(make("p", { class: "wall" }, "These are still the document’s numbers: ", ...why, "."));
  };

  // Returns the walls of the page, one for each reason and cell.
  const walls = () => {
    const all = new Map();
    for (const [id, reason] of page.program.walls()) {
      const { cell } = page.program.nodes[id];
      all.set(`${cell} ${reason}`, { cell, reason });
    }
    return [...all.values()];
  };

  // Reports how much of the page is computed, and lists its walls.
  page.addWalls = () => {
    const { made, computed } = page.program.counts();
    if (made === computed) return;
    const sentence = `${computed} of ${made} tensors that the notebook makes are computed here. What depends on another one keeps its numbers.`;
    const items = walls().map((wall) => make("li", {}, ...wordsOf(wall), "."));
    document.getElementById("computes").after(
      make("details", { class: "walls" }, make("summary", { text: sentence }), make("ul", {}, ...items)));
  };
}
