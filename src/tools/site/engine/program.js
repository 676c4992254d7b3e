// Runs the program of a page: computes its tensors, and computes again what depends on a change.
//
// A program is this JSON:
//
//   {
//     "version": 1,
//     "tensors": [TENSOR, …],   each after its operands; a tensor's number is its index
//     "cells": [CELL, …],       the tensors that cells show (shown.js), from which show() makes the outputs
//     "taken": [[7, 12], …],    the notebook took a number of tensor 7, and those from 12 on may have been made with it
//     "words": [WORDS, …]       {"value": 30, "tensor": 7, "words": ["cat", …]}: tensor 7 has ids of these words; the page
//                               calls it 30 where it names entries by its ids
//   }
//
// TENSOR has `dtype` ("float64", "float32", "int64", "bool") and `shape`, and is one of these:
//   a constant      {"values": [0.43, 0.15, …]}
//   an operation    {"op": "aten::softmax.int", "args": [{"tensor": 3}, -1, null]}
//   a wall          {"wall": "the origin of a view is not known", "args": [{"tensor": 3}]}, and what it may depend on
//   an insertion    {"op": "insert", "args": [{"tensor": 4}, {"tensor": 9}], "through": [["aten::select.int", 0, 2]]}
// Optional: `"cell": 4`, where it was made; `"name": "query"`, its variable; `"output": 1`, which result of an operation that has several; `"seed": 123`, the
// seed that the generator got before this draw, a text if it is 2^53 or more; `"follows": {"tensor": 3}`, the draw from whose
// state this one continues; `"since": 5`, the tensor since
// which the trace has the numbers that this one was given; `values`, also of an operation: those of the document, which a wall
// needs and others are checked with. A tensor of another dtype has none.
//
// `values` are in row-major order. A number reads back as the element: 0.43 is the float32 nearest to 0.43. Those that JSON
// lacks are "nan", "inf" and "-inf". A bool is true or false.
//
// `args` are those of the operation's schema, in order: {"tensor": number}, a whole number, {"real": 0.5} for a
// floating-point number (with "nan", "inf" and "-inf"), a bool, a text, null, or a list of these. Trailing ones may be missing.
//
// An operation in place, such as `aten::add_.Tensor`, is a new tensor. A write to a part of a larger tensor is an
// insertion: the first argument is the larger tensor before, the second is the part as it is now, and `through` are the
// views that lead from the larger tensor to the part, each with its arguments after the tensor.
//
// An output is {"cell": 4, "where": "out" or "result", "text": [PART, …]}. The text is its parts, one after another:
//   "a text"
//   {"tensor": 7}                       repr of a tensor; "suffixes": ["requires_grad=True"] if it has any
//   {"tensor": 7, "as": "format"}       as an f-string writes it: a tensor without dimensions becomes a number, in a "form" if it has
//                                       one (forms.js): {"width": "8", "precision": 3, "kind": "f"}
//   {"tuple": [PART, …]}                a tuple as IPython displays it
// A part has `was`, its text in the document, if that is another one, because kernels add in another order.
//
// A WALL is also an operation that the engine does not compute, or of which it gets other numbers than the document. It has its
// `values` for as long as nothing before it changes. After that, it and all that depends on it is stale: it keeps the values of
// the document. So does a tensor made with a number that came up after the notebook took one out of a tensor that changed.
// The value of a wall without `values` is null.
"use strict";
{
  const engine = globalThis.torchbook;
  const { Tensor, Scalar, tensor, alike, isNear, sameSeed, operation, Generator } = engine;

  const version = 1;
  const loose = Symbol("made with a number that was taken out of a tensor");
  const special = new Map([["nan", NaN], ["inf", Infinity], ["-inf", -Infinity]]);
  // Returns a number of a program: "nan", "inf" and "-inf" are texts there.
  const numberOf = (value) => special.get(value) ?? value;

  const operandsOf = (args) =>
    args.flatMap((arg) => (Array.isArray(arg) ? operandsOf(arg) : Number.isInteger(arg?.tensor) ? [arg.tensor] : []));

  // Returns a reason with the name of the operation.
  const named = ({ op }, reason) => (op === undefined || reason.includes(op) ? reason : `${op}: ${reason}`);

  // Returns an operand of arithmetic. A number that C++ made a tensor of float64 does not make the result one.
  const unwrapped = ({ op, dtype }, arg) =>
    (dtype === "float32" && arg?.dtype === "float64" && arg.rank === 0 && /^aten::(add|sub|mul|div)_?\./.test(op) ? new Scalar(arg.item(), true) : arg);

  class Program {
    // Computes the tensors of the document. Throws a TypeError if this engine does not understand it.
    constructor({ version: given, tensors, outputs = [], cells = [], taken = [], words = [] }) {
      if (given !== version) throw new TypeError(`a program of version ${given}, not ${version}`);
      this.outputs = outputs;
      this.cells = cells;
      this.words = words;
      this.nodes = tensors.map((node) => ({ ...node, operands: operandsOf(node.args ?? []) }));
      this.nodes.forEach((node, id) => {
        if (node.operands.some((operand) => operand >= id)) throw new TypeError(`tensor ${id} comes before its operands`);
      });
      this.values = []; // the tensors as they are now
      this.reasons = new Map(); // by tensor: why it is a wall
      this.failures = new Map(); // by tensor: why it is one for now
      this.taken = new Map(taken.toReversed()); // by tensor: the first that may have been made with a number of it
      this.loosest = Infinity; // the first that may have been made with a number that is now another
      this.states = new Map(); // by draw: the generator after it
      this.stale = new Set();
      this.edits = new Map(); // by tensor: numbers by index
      this.seeds = new Map(); // by tensor: another seed
      this.otherStates = new Set(); // the draws that begin in another state of the generator than in the document
      this.reseeded = new Set(); // the draws whose seed the last change replaced
      this.nodes.forEach((_, id) => this.values.push(this.first(id)));
      this.document = [...this.values];
    }

    // ------------------------------------------------------------ computing

    // Returns a tensor as the document has it.
    first(id) {
      const node = this.nodes[id];
      try {
        const value = this.computed(id);
        if (node.op !== undefined && node.values && !isNear(value, this.given(node))) {
          throw new TypeError(`${node.op} has other numbers here than in the document`);
        }
        return value;
      } catch (error) {
        this.reasons.set(id, named(node, error.message));
        return node.values ? this.given(node) : null;
      }
    }

    given(node) { return tensor(node.dtype, node.shape, node.values.map(numberOf)); }

    argument(arg) {
      if (Array.isArray(arg)) return arg.map((one) => this.argument(one));
      if (arg === null || typeof arg !== "object") return arg;
      if ("real" in arg) return new Scalar(numberOf(arg.real), true);
      if (!("tensor" in arg)) throw new TypeError("complex numbers are not computed here");
      const value = this.values[arg.tensor];
      if (value === null) throw new TypeError(`tensors of ${this.nodes[arg.tensor].dtype} are not computed here`);
      return value;
    }

    // Computes a tensor from those before it. Throws if it cannot.
    computed(id) {
      const node = this.nodes[id];
      if (node.wall !== undefined) throw new TypeError(node.wall);
      if (node.op === undefined) return this.given(node);
      if (node.op !== "insert" && !operation(node.op)) throw new TypeError(`${node.op} is not computed here`);
      const args = node.args.map((arg) => this.argument(arg)).map((arg) => unwrapped(node, arg));
      if (node.op === "insert") return engine.inserted(args[0], args[1], (whole) => this.seenThrough(whole, node.through));
      const found = operation(node.op);
      const results = found.draws ? this.drawn(id, found, args) : found.compute(...args);
      const result = Array.isArray(results) ? results[node.output ?? 0] : results;
      if (!(result instanceof Tensor) || result.dtype !== node.dtype || result.shape.join() !== node.shape.join()) {
        throw new TypeError(`${node.op} returned ${result?.dtype}[${result?.shape}], not ${node.dtype}[${node.shape}]`);
      }
      return result;
    }

    seenThrough(whole, views) {
      const seen = (view, [name, ...args]) => {
        if (!operation(name)) throw new TypeError(`${name} is not computed here`);
        return operation(name).compute(view, ...args.map((arg) => this.argument(arg)));
      };
      return views.reduce(seen, whole);
    }

    drawn(id, { compute, isIdle }, args) {
      if (isIdle(...args)) return compute(null, ...args);
      const { seed, follows } = this.nodes[id];
      const own = this.seeds.get(id) ?? seed;
      if (own === undefined && !follows) throw new TypeError("the seed of this draw is not known");
      const generator = own === undefined ? this.states.get(follows.tensor)?.copy() : new Generator(own);
      if (!generator) throw new TypeError("a draw before it is not computed here");
      this.states.set(id, generator); // also if the numbers are none that are computed here
      return compute(generator, ...args);
    }

    // Returns a tensor with the numbers that were set in it.
    edited(id, value) {
      const edits = this.edits.get(id);
      if (!edits || value === null) return value;
      const numbers = [...value.values()];
      for (const [index, number] of edits) numbers[index] = number;
      return tensor(value.dtype, value.shape, numbers);
    }

    // Computes again what depends on the given tensors. Returns the numbers of those that have other bits than before.
    recompute(touched) {
      const others = new Set();
      const redrawn = new Set();
      for (let id = Math.min(...touched); id < this.nodes.length; ++id) {
        const node = this.nodes[id];
        const before = node.follows?.tensor;
        const redraws = redrawn.has(before) || others.has(before) || (touched.has(id) && this.reseeded.has(id));
        if (redraws) redrawn.add(id);
        const turns = node.since !== undefined && node.since >= this.loosest !== (this.failures.get(id) === loose);
        if (!turns && !touched.has(id) && !redraws && !node.operands.some((operand) => others.has(operand))) continue;
        const wasStale = this.stale.delete(id);
        this.failures.delete(id);
        const value = this.next(id);
        if (alike(value, this.values[id]) && wasStale === this.stale.has(id)) continue;
        this.values[id] = value;
        others.add(id);
        if (this.taken.has(id)) this.loosest = this.firstLoose();
      }
      return others;
    }

    // Returns the first tensor that may have been made with a number that is now another.
    firstLoose() {
      return [...this.taken].reduce((first, [id, from]) => (this.hasMoved(id) ? Math.min(first, from) : first), Infinity);
    }

    // Returns whether a draw begins in another state of the generator than in the document, and notes it.
    hasOtherState(id) {
      const { seed, follows } = this.nodes[id];
      const isReseeded = this.seeds.has(id) && !sameSeed(this.seeds.get(id), seed);
      const isOther = isReseeded || this.otherStates.has(follows?.tensor) || this.stale.has(follows?.tensor);
      this.otherStates[isOther ? "add" : "delete"](id);
      return isOther;
    }

    next(id) {
      const { op, operands, since } = this.nodes[id];
      const isWall = this.reasons.has(id);
      const depends = this.hasOtherState(id) || operands.some((operand) => this.hasMoved(operand));
      const isLoose = since >= this.loosest;
      if (isLoose) this.failures.set(id, loose);
      const isStale = isLoose || operands.some((operand) => this.stale.has(operand)) || (isWall && depends);
      if (!isStale && isWall) return this.edited(id, this.document[id]);
      try {
        if (!isStale) return this.edited(id, this.computed(id));
      } catch (error) {
        // An operation may not be computed for these numbers, for example if one is no exact whole number.
        this.failures.set(id, named(this.nodes[id], error.message));
      }
      this.stale.add(id);
      return op === undefined && !isWall && !isLoose ? this.values[id] : this.document[id];
    }

    // ------------------------------------------------------------ changes

    // Replaces all changes: {"numbers": [[tensor, index, number], …], "seeds": [[tensor, seed], …]}. Returns the numbers of
    // the tensors that have other bits than before. Throws a RangeError, and changes nothing, if an element does not exist.
    apply({ numbers = [], seeds = [] }) {
      for (const [id, index] of numbers) {
        if (!(this.values[id]?.size > index && index >= 0)) throw new RangeError(`tensor ${id} has no element ${index}`);
      }
      for (const [id] of seeds) {
        if (this.nodes[id]?.seed === undefined) throw new RangeError(`tensor ${id} has no seed`);
      }
      const touched = new Set([...this.edits.keys(), ...numbers.map(([id]) => id)]);
      const newSeeds = new Map(seeds);
      const seedOf = (map, id) => map.get(id) ?? this.nodes[id].seed;
      const isReseeded = (id) => !sameSeed(seedOf(this.seeds, id), seedOf(newSeeds, id));
      this.reseeded = new Set([...this.seeds.keys(), ...newSeeds.keys()].filter(isReseeded));
      this.reseeded.forEach((id) => touched.add(id));
      this.seeds = newSeeds;
      this.edits = new Map();
      for (const [id, index, number] of numbers) {
        if (!this.edits.has(id)) this.edits.set(id, new Map());
        this.edits.get(id).set(index, number);
      }
      return touched.size === 0 ? new Set() : this.recompute(touched);
    }

    sources(id) { return engine.sourcesOf(this, id); }

    // Returns the changes as apply() takes them.
    changes() {
      const numbers = [...this.edits].flatMap(([id, edits]) => [...edits].map(([index, number]) => [id, index, number]));
      return { numbers, seeds: [...this.seeds] };
    }

    // Sets one element, besides the changes so far. A later change of an element takes the place of an earlier one.
    set(id, index, number) {
      const { numbers, seeds } = this.changes();
      return this.apply({ numbers: [...numbers, [id, index, number]], seeds });
    }

    // Sets the seed of a draw that has one.
    seed(id, seed) {
      const { numbers, seeds } = this.changes();
      return this.apply({ numbers, seeds: [...seeds, [id, seed]] });
    }

    reset() { return this.apply({}); }

    // ------------------------------------------------------------ results

    // Returns how far each element of a tensor is from the document's, or null if it has the document's bits.
    moved(id) {
      if (alike(this.values[id], this.document[id])) return null;
      const before = this.document[id].values();
      return Float64Array.from(this.values[id].values(), (value, i) => (Object.is(value, before[i]) ? 0 : value - before[i]));
    }

    // Returns whether a tensor is stale or has other bits than in the document.
    hasMoved(id) { return this.stale.has(id) || !alike(this.values[id], this.document[id]); }

    // Returns the numbers of the tensors that are not as in the document.
    changed() { return this.values.flatMap((value, id) => (alike(value, this.document[id]) ? [] : [id])); }
  }

  Object.assign(engine, { Program, numberOf, loose });
}
