// Says of a program (program.js) what it does not compute.
"use strict";
{
  const { Program } = globalThis.torchbook;

  Object.assign(Program.prototype, {
    // Returns the wall that makes a tensor stale: {cell, reason}.
    wallOf(id) {
      const before = this.nodes[id].operands.find((operand) => this.stale.has(operand));
      const reason = this.failures.get(id) ?? this.reasons.get(id);
      if (reason === undefined || (before !== undefined && !this.failures.has(id))) return this.wallOf(before);
      return { cell: this.nodes[id].cell, reason };
    },

    // Returns how many tensors the notebook made from others or drew, and how many of them are computed here.
    counts() {
      const made = this.nodes.filter(({ op, wall }) => op !== undefined || wall !== undefined).length;
      return { made, computed: made - this.reasons.size };
    },

    // Returns the numbers of the tensors that are walls, with the reasons.
    walls() { return this.reasons; },
  });
}
