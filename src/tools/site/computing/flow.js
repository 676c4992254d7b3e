// Shows how a cell computes, folded: its operations as boxes, each with what it takes and the shape of its result.
"use strict";
{
  const { page, make } = globalThis.torchbook;
  const most = 40; // boxes of a cell

  const short = (op) => op.replace(/^aten::_?|\..*$/g, "").replace(/_$/, "");

  const nameOf = (id) => {
    const { name, op } = page.program.nodes[id];
    return name ?? (op ? short(op) : "a tensor");
  };

  const boxOf = ({ op, name, shape, operands }) => {
    const from = [...new Set(operands.map(nameOf))].join(", ");
    return make("li", {},
      make("strong", { text: name ?? short(op) }), make("span", { class: "shape", text: `(${shape.join(", ")})` }),
      make("span", { text: `${name ? `${short(op)} ` : ""}${from && `of ${from}`}` }));
  };

  // Returns the fold of a cell, which is made if the cell has no tensors inside.
  const foldOf = (cell, count) => {
    const found = cell.querySelector(".inside");
    if (found) return found;
    const made = make("details", { class: "output unshown inside" }, make("summary", { text: `${count} operations` }));
    const before = [...cell.children].filter((child) => child.matches(".code, .seed, .output")).at(-1);
    before.after(made);
    return made;
  };

  page.addFlow = () => {
    const byCell = new Map();
    for (const node of page.program.nodes) {
      if (node.op === undefined || node.op === "insert") continue;
      if (!byCell.has(node.cell)) byCell.set(node.cell, []);
      byCell.get(node.cell).push(node);
    }
    for (const [position, all] of byCell) {
      const cell = document.getElementById(`cell-${position}`);
      if (!cell || all.length < 2) continue;
      const fold = foldOf(cell, all.length);
      fold.addEventListener("toggle", () => {
        if (fold.querySelector(".flow")) return;
        const more = all.length > most ? [make("li", { text: `and ${all.length - most} more` })] : [];
        fold.querySelector("summary").after(make("ol", { class: "flow", "aria-label": "Operations" }, ...all.slice(0, most).map(boxOf), ...more));
      }, { once: true });
    }
  };
}
