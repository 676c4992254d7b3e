// Turns formulas into MathML, in Node with KaTeX. Standard input is [[TEX, DISPLAY], …]; descriptor 3 gets [[ELEMENT, ERROR], …].
"use strict";
const { readFileSync, writeFileSync } = require("fs");
const katex = require("katex");

const made = JSON.parse(readFileSync(0, "utf8")).map(([tex, displayMode]) => {
  try {
    const html = katex.renderToString(tex, { displayMode, output: "mathml", strict: "ignore", maxExpand: 1000, maxSize: 50 });
    return [html.replace(/^<span class="katex">|<\/span>$/g, ""), ""];
  } catch (error) {
    return ["", error.message];
  }
});
writeFileSync(3, JSON.stringify(made));
