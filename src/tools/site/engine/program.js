// Runs the program of a page: computes its tensors, and computes again what depends on a change.
//
// A program is this JSON:
//
//   {
//     "version": 1,
//     "tensors": [TENSOR, …],   each after its operands; a tensor's number is its index
//     "cells": [CELL, …]        what the cells show (shown.js), from which show() makes the outputs
//   }
//
// TENSOR has `dtype` ("float32", "int64", "bool") and `shape`, and is one of these:
//   a constant      {"values": [0.43, 0.15, …]}
//   an operation    {"op": "aten::softmax.int", "args": [{"tensor": 3}, -1, null]}
//   an insertion    {"op": "insert", "args": [{"tensor": 4}, {"tensor": 9}], "through": [["aten::select.int", 0, 2]]}
// Optional: `"output": 1`, which result of an operation that has several; `"seed": 123`, the seed that the generator got
// before this draw, and `"cell": 4`, where; `values`, also of an operation: those of the document, which a wall needs and others are checked with.
//
// `values` are in row-major order. A number reads back as the element: 0.43 is the float32 nearest to 0.43. Those that JSON
// lacks are "nan", "inf" and "-inf". A bool is true or false.
//
// `args` are those of the operation's schema, in order: {"tensor": number}, a whole number, {"real": 0.5} for a
// floating-point number (with "nan", "inf" and "-inf"), a bool, a text, null, or a list of these. Trailing ones may be missing.
//
// An operation in place, such as `aten::add_.Tensor`, is a new tensor. What it wrote to a part of a larger tensor is an
// insertion: the first argument is the larger tensor before, the second is what the part holds now, and `through` are the
// views that lead from the larger tensor to the part, each with its arguments after the tensor.
//
// A draw continues from the state that the draw before it left, or from its own seed. The first one needs a seed.
//
// An output is {"cell": 4, "where": "out" or "result", "text": [PART, …]}. The text is its parts, one after another:
//   "a text"
//   {"tensor": 7}                       repr of a tensor; "suffixes": ["requires_grad=True"] if it has any
//   {"tensor": 7, "as": "format"}       what an f-string writes: a tensor without dimensions becomes a number
//   {"tuple": [PART, …]}                a tuple as IPython displays it
//
// A WALL is an operation that the engine does not compute, or of which it gets other numbers than the document. It has its `values` for as long as nothing before it changes.
// After that, it and all that depends on it is stale: it keeps the values of the document.
"use strict";
{
  const engine = globalThis.torchbook;
  const { Tensor, Scalar, tensor, same, operation, Generator } = engine;

  const version = 1;
  const special = new Map([["nan", NaN], ["inf", Infinity], ["-inf", -Infinity]]);
  // Returns a number of a program: "nan", "inf" and "-inf" are texts there.
  const numberOf = (value) => special.get(value) ?? value;

  const operandsOf = (args) =>
    args.flatMap((arg) => (Array.isArray(arg) ? operandsOf(arg) : Number.isInteger(arg?.tensor) ? [arg.tensor] : []));

  // Returns whether two tensors agree but for the order in which kernels add.
  const isNear = (one, other) => {
    const [left, right] = [one.values(), other.values()];
    const largest = right.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
    const tolerance = one.dtype === "float32" ? 1e-5 * largest : 0;
    return left.every((value, i) => Object.is(value, right[i]) || Math.abs(value - right[i]) <= tolerance);
  };

  const views = new Set(["select", "slice", "narrow", "t", "numpy_T", "mT", "transpose", "swapaxes", "swapdims", "permute",
    "view", "reshape", "flatten", "unflatten", "squeeze", "unsqueeze", "expand", "split", "chunk", "unbind", "diagonal",
    "alias", "detach"]);
  const isView = ({ op }) => op !== undefined && views.has(op.replace(/^aten::/, "").replace(/\..*/, ""));

  // Returns the positions of a tensor's elements in memory.
  const placesOf = ({ shape, strides, offset }) => {
    const places = [];
    engine.positions(shape, strides, offset, (at) => { places.push(at); });
    return places;
  };

  class Program {
    // Computes the tensors of the document. Throws a TypeError if this engine does not understand it.
    constructor({ version: given, tensors, outputs = [], cells = [] }) {
      if (given !== version) throw new TypeError(`a program of version ${given}, not ${version}`);
      this.outputs = outputs;
      this.cells = cells;
      this.nodes = tensors.map((node) => ({ ...node, operands: operandsOf(node.args ?? []) }));
      let lastDraw = null;
      this.nodes.forEach((node, id) => {
        if (node.operands.some((operand) => operand >= id)) throw new TypeError(`tensor ${id} comes before its operands`);
        node.draws = operation(node.op)?.draws ?? false;
        if (!node.draws) return;
        node.lastDraw = node.seed === undefined ? lastDraw : null;
        lastDraw = id;
      });
      this.values = []; // the tensors as they are now
      this.reasons = new Map(); // by tensor: why it is a wall
      this.states = new Map(); // by draw: the generator after it
      this.stale = new Set();
      this.edits = new Map(); // by tensor: numbers by index
      this.seeds = new Map(); // by tensor: another seed
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
        this.reasons.set(id, error.message);
        if (!node.values) throw new TypeError(`tensor ${id}, ${node.op}: ${error.message}; the program has no values of it`);
        return this.given(node);
      }
    }

    given(node) { return tensor(node.dtype, node.shape, node.values.map(numberOf)); }

    argument(arg) {
      if (Array.isArray(arg)) return arg.map((one) => this.argument(one));
      if (arg === null || typeof arg !== "object") return arg;
      return "tensor" in arg ? this.values[arg.tensor] : new Scalar(numberOf(arg.real), true);
    }

    // Computes a tensor from those before it. Throws if it cannot.
    computed(id) {
      const node = this.nodes[id];
      if (node.op === undefined) return this.given(node);
      const args = node.args.map((arg) => this.argument(arg));
      if (node.op === "insert") return engine.inserted(args[0], args[1], (whole) => this.seenThrough(whole, node.through));
      const found = operation(node.op);
      if (!found) throw new TypeError(`${node.op} is not computed here`);
      const results = found.draws ? this.drawn(id, found, args) : found.compute(...args);
      const result = Array.isArray(results) ? results[node.output ?? 0] : results;
      if (!(result instanceof Tensor) || result.dtype !== node.dtype || result.shape.join() !== node.shape.join()) {
        throw new TypeError(`${node.op} returned ${result?.dtype}[${result?.shape}], not ${node.dtype}[${node.shape}]`);
      }
      return result;
    }

    seenThrough(whole, views) {
      const seen = (view, [name, ...args]) => operation(name).compute(view, ...args.map((arg) => this.argument(arg)));
      return views.reduce(seen, whole);
    }

    drawn(id, { compute }, args) {
      const { seed, lastDraw } = this.nodes[id];
      const own = this.seeds.get(id) ?? seed;
      if (own === undefined && lastDraw === null) throw new TypeError("the seed of this draw is not known");
      const generator = own === undefined ? this.states.get(lastDraw).copy() : new Generator(own);
      const result = compute(generator, ...args);
      this.states.set(id, generator);
      return result;
    }

    // Returns a tensor with the numbers that were set in it.
    edited(id, value) {
      const edits = this.edits.get(id);
      if (!edits) return value;
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
        const redraws = node.draws && (redrawn.has(node.lastDraw) || (touched.has(id) && this.reseeded.has(id)));
        if (redraws) redrawn.add(id);
        if (!touched.has(id) && !redraws && !node.operands.some((operand) => others.has(operand))) continue;
        const wasStale = this.stale.delete(id);
        const value = this.next(id);
        if (same(value, this.values[id]) && wasStale === this.stale.has(id)) continue;
        this.values[id] = value;
        others.add(id);
      }
      return others;
    }

    next(id) {
      const { op, operands } = this.nodes[id];
      const changed = (operand) => this.stale.has(operand) || !same(this.values[operand], this.document[operand]);
      const isStale = operands.some((operand) => this.stale.has(operand)) || (this.reasons.has(id) && operands.some(changed));
      if (!isStale && this.reasons.has(id)) return this.edited(id, this.document[id]);
      try {
        if (!isStale) return this.edited(id, this.computed(id));
      } catch {
        // An operation may not be computed for these numbers, for example if one is no exact whole number.
      }
      this.stale.add(id);
      return op === undefined ? this.values[id] : this.document[id];
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
      const isReseeded = (id) => seedOf(this.seeds, id) !== seedOf(newSeeds, id);
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

    // Returns for each element of a tensor the element whose memory it shows, as [tensor, index]. An element of a view is one
    // of another tensor, and so on; any other element is its own.
    sources(id) {
      const own = this.document[id];
      const from = this.nodes[id].operands[0];
      const places = placesOf(own);
      const isShared = isView(this.nodes[id]) && own.data === this.document[from].data;
      if (!isShared) return places.map((_, index) => [id, index]);
      const before = this.sources(from);
      const at = new Map(placesOf(this.document[from]).map((place, index) => [place, index]));
      return places.map((place) => before[at.get(place)]);
    }

    // Returns the changes as apply() takes them.
    changes() {
      const numbers = [...this.edits].flatMap(([id, edits]) => [...edits].map(([index, number]) => [id, index, number]));
      return { numbers, seeds: [...this.seeds] };
    }

    // Sets one element, besides the changes so far.
    set(id, index, number) {
      const { numbers, seeds } = this.changes();
      const others = numbers.filter(([other, at]) => other !== id || at !== index);
      return this.apply({ numbers: [...others, [id, index, number]], seeds });
    }

    // Sets the seed of a draw that has one.
    seed(id, seed) {
      const { numbers, seeds } = this.changes();
      return this.apply({ numbers, seeds: [...seeds.filter(([other]) => other !== id), [id, seed]] });
    }

    reset() { return this.apply({}); }

    // ------------------------------------------------------------ results

    // Returns how far each element of a tensor is from the document's, or null if it has the document's bits.
    moved(id) {
      if (same(this.values[id], this.document[id])) return null;
      const before = this.document[id].values();
      return Float64Array.from(this.values[id].values(), (value, i) => (Object.is(value, before[i]) ? 0 : value - before[i]));
    }

    // Returns the numbers of the tensors that are not as in the document.
    changed() { return this.values.flatMap((value, id) => (same(value, this.document[id]) ? [] : [id])); }

    partText(part) {
      if (typeof part === "string") return part;
      if ("tuple" in part) return engine.displayedTuple(part.tuple.map((one) => this.partText(one)));
      const value = this.values[part.tensor];
      return part.as === "format" ? engine.formatText(value, part.suffixes) : engine.tensorText(value, part.suffixes);
    }

    // Finds what the cells show in the texts of the document: [{cell, where, text}, …].
    show(texts) { this.outputs = engine.outputsOf(this, this.cells, texts); }

    // Returns whether a part of an output is stale.
    isStale(output) {
      const tensorsOf = (part) => (typeof part === "string" ? [] : part.tuple?.flatMap(tensorsOf) ?? [part.tensor]);
      return output.text.flatMap(tensorsOf).some((id) => this.stale.has(id));
    }

    // Returns the numbers of the tensors that are walls, with the reasons.
    walls() { return this.reasons; }
  }

  Object.assign(engine, { Program, numberOf });
}
