// Describes the tensors of a program (program.js) that it does not compute.
"use strict";
{
  const { Program, loose } = globalThis.torchbook;

  Object.assign(Program.prototype, {
    // Returns the wall that makes a tensor stale: {cell, reason}.
    wallOf(id) {
      const before = this.nodes[id].operands.find((operand) => this.stale.has(operand));
      const reason = this.failures.get(id) ?? this.reasons.get(id);
      if (reason === undefined || (before !== undefined && !this.failures.has(id))) return this.wallOf(before);
      return { cell: this.nodes[id].cell, reason: reason === loose ? this.looseReason(id) : reason };
    },

    // Returns the tensor from which a number was taken that a tensor may have been made with.
    looseReason(id) {
      const [taken] = [...this.taken].find(([one, from]) => from <= this.nodes[id].since && this.hasMoved(one));
      const { op } = this.nodes[taken];
      return `the notebook took a number out of ${op ? `the result of ${op}` : "a tensor"}, perhaps as an index, and a page does not see what it does with that number`;
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
