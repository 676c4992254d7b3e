// Makes the program of a page (engine/program.js) from the trace of a notebook and its golden.
import { engine } from "./engine.mjs";

const written = (value) => (Number.isFinite(value) ? value : engine.floatText(value));
const baseName = (name) => name.replace(/^aten::/, "").replace(/\..*$/, "");
const isInPlace = (name) => /[a-z]_$/.test(baseName(name));
const makesRoom = new Set(["empty", "empty_like", "new_empty", "empty_strided"]);
const scalarResults = new Set(["allclose", "equal", "item"]);

// Returns the elements of a tensor of a trace as a program has them.
const elements = ({ dtype, hash }, bytes) => {
  const held = bytes.get(hash);
  if (!held || held.bytes.length < held.total) throw new Error("a trace lacks the bytes of a tensor");
  const { buffer } = Uint8Array.from(held.bytes);
  if (dtype === "bool") return [...new Uint8Array(buffer)].map(Boolean);
  if (dtype === "int64") return [...new BigInt64Array(buffer)].map(Number);
  if (dtype === "float32") return [...new Float32Array(buffer)].map(written);
  throw new Error(`a trace has a tensor of ${dtype}`);
};

class Builder {
  constructor({ events, bytes }) {
    this.bytes = bytes;
    this.nodes = [];
    this.traced = []; // by tensor of the program: that of the trace
    this.memories = new Map(); // by number of the memory
    this.views = new Map(); // numbers of views by what they show
    this.areViews = new Set();
    this.shown = []; // {cell, id}
    this.scalars = []; // {cell, id}: results that are no tensors
    this.unknown = 0; // tensors whose origin the trace does not have
    this.lastState = null;
    for (const event of events) {
      if (event.shown) this.shown.push({ cell: Number(/@(\d+)/.exec(event.shown)[1]), id: this.resolve(event.tensor).id });
      else this.add(event);
    }
  }

  emit(node, traced) {
    if (!node.values && node.op !== "insert" && !engine.operation(node.op)) node.values = elements(traced, this.bytes);
    this.nodes.push({ ...node, dtype: traced.dtype, shape: traced.shape });
    this.traced.push(traced);
    return this.nodes.length - 1;
  }

  // Adds a view, once for all that show the same.
  emitView(id, [name, ...args], traced, output) {
    const node = { op: name, args: [{ tensor: id }, ...args], ...(output !== undefined && { output }) };
    const key = JSON.stringify(node);
    if (!this.views.has(key)) this.views.set(key, this.emit(node, traced));
    this.areViews.add(this.views.get(key));
    return this.views.get(key);
  }

  newMemory(traced, id) {
    const memory = { whole: id, traced, version: 0, views: [] };
    this.memories.set(traced.storage, memory);
    return this.know(memory, traced, [], id);
  }

  // Notes the number of a view of a memory. `path` are the views that lead to it, or null.
  know(memory, { shape, strides, hash }, path, id) {
    const view = { key: `${shape}/${strides}`, hash, path, id, version: memory.version };
    memory.views.push(view);
    return view;
  }

  // Returns the view that a tensor of the trace is.
  resolve(traced) {
    const memory = this.memories.get(traced.storage);
    if (!memory) {
      ++this.unknown;
      return this.newMemory(traced, this.emit({ values: elements(traced, this.bytes) }, traced));
    }
    const alike = memory.views.filter(({ key }) => key === `${traced.shape}/${traced.strides}`);
    const isNow = ({ hash, version }) => hash === traced.hash && version === memory.version;
    const view = alike.findLast(isNow) ?? alike.findLast(({ path }) => path !== null);
    if (!view) throw new Error("a trace has a view of unknown origin");
    if (view.version === memory.version) return view;
    if (view.path === null) throw new Error("a view of unknown origin was written to");
    let id = memory.whole;
    view.path.forEach((step, i) => {
      const last = i === view.path.length - 1;
      id = this.emitView(id, step, last ? traced : this.between(id, step));
    });
    return this.know(memory, traced, view.path, id);
  }

  // Returns dtype and shape of a view that the trace does not have at this moment.
  between(id, [name, ...args]) {
    const { dtype, shape } = this.nodes[id];
    return { dtype, shape: engine.operation(name).compute(engine.made(dtype, shape), ...args).shape };
  }

  argument(value) {
    if (Array.isArray(value)) return value.map((one) => this.argument(one));
    if (value?.tensor) return { tensor: this.resolve(value.tensor).id };
    if (value !== null && typeof value === "object" && "real" in value) return { real: written(value.real) };
    return value?.other ? null : value;
  }

  add(event) {
    const { name, inputs, outputs } = event;
    const from = inputs[0]?.tensor;
    const results = outputs.flat(2).filter((one) => one?.tensor).map((one) => one.tensor);
    if (makesRoom.has(baseName(name))) {
      const [result] = results;
      this.newMemory(result, this.emit({ values: elements(result, this.bytes) }, result));
    } else if (isInPlace(name)) {
      this.write(event, results[0]);
    } else if (results.length > 0 && from && results[0].storage === from.storage) {
      this.look(event, results);
    } else {
      this.compute(event, results);
    }
  }

  look({ name, inputs }, results) {
    const [from] = inputs;
    const source = this.resolve(from.tensor);
    const memory = this.memories.get(from.tensor.storage);
    const args = inputs.slice(1).map((value) => this.argument(value));
    results.forEach((result, output) => {
      if (result.shape.join() === from.tensor.shape.join() && result.strides.join() === from.tensor.strides.join()) return;
      const several = baseName(name) === "unbind";
      const step = several ? ["aten::select.int", args[0] ?? 0, output] : [name, ...args];
      const path = source.path && [...source.path, step];
      const id = this.emitView(source.id, step, result, several || results.length === 1 ? undefined : output);
      this.know(memory, result, several || results.length === 1 ? path : null, id);
    });
  }

  compute({ name, mark, inputs, outputs, before, after }, results) {
    const node = { op: name, args: inputs.map((value) => this.argument(value)) };
    if (before && before.hash !== this.lastState) node.seed = Number(before.seed);
    if (before) this.lastState = after.hash;
    if (scalarResults.has(baseName(name))) {
      const dtype = typeof outputs[0] === "boolean" ? "bool" : inputs[0].tensor.dtype;
      const id = this.emit(node, { dtype, shape: [] });
      this.scalars.push({ cell: Number(mark.slice(1)), id });
      return;
    }
    results.forEach((result, output) => {
      this.newMemory(result, this.emit(results.length > 1 ? { ...node, output } : node, result));
    });
  }

  // Adds what an operation in place writes. A memory whose numbers are given, and that nothing has used, gets other numbers.
  write({ name, inputs }, result) {
    const target = this.resolve(inputs[0].tensor);
    const memory = this.memories.get(result.storage);
    const through = target.path;
    if (!through) throw new Error("a view of unknown origin is written to");
    const whole = this.nodes[memory.whole];
    const isGiven = whole.op === undefined && baseName(name) === "fill_" && !this.isUsed(memory.whole);
    let id;
    if (isGiven) {
      const values = engine.tensor(whole.dtype, whole.shape, whole.values.map(engine.numberOf));
      const number = inputs[1]?.real ?? inputs[1];
      const filled = engine.full(result.shape, number, whole.dtype);
      const see = (view) => through.reduce((one, [step, ...args]) => engine.operation(step).compute(one, ...args), view);
      const changed = [...engine.inserted(values, filled, see).values()];
      whole.values = whole.dtype === "float32" ? changed.map(shortest) : whole.dtype === "bool" ? changed.map(Boolean) : changed;
      this.traced[memory.whole] = { ...memory.traced, hash: undefined };
      this.views.clear();
      ++memory.version;
      this.know(memory, memory.traced, [], memory.whole);
      return;
    }
    const isLike = (one) => one.shape.join() === result.shape.join() && one.dtype === result.dtype;
    if (baseName(name) === "copy_" && isLike(inputs[1].tensor)) {
      id = this.resolve(inputs[1].tensor).id;
      if (through.length === 0) id = this.emit({ op: "aten::clone", args: [{ tensor: id }] }, result);
    } else {
      id = this.emit({ op: name, args: inputs.map((value) => this.argument(value)) }, result);
    }
    if (through.length > 0) {
      const node = { op: "insert", args: [{ tensor: memory.whole }, { tensor: id }], through };
      id = this.emit(node, { ...memory.traced, hash: undefined });
    }
    memory.whole = id;
    ++memory.version;
    this.know(memory, through.length === 0 ? result : memory.traced, [], id);
  }

  // Returns whether something other than a view takes a tensor, or a view of it.
  isUsed(id) {
    return this.nodes.some((node, other) => {
      const takes = JSON.stringify(node.args ?? []).includes(`{"tensor":${id}}`);
      return takes && (!this.areViews.has(other) || this.isUsed(other));
    }) || this.shown.some((one) => one.id === id);
  }
}

// Returns the shortest number that reads back as a float32.
const shortest = (value) => {
  if (!Number.isFinite(value)) return written(value);
  for (let digits = 1; digits < 10; ++digits) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
};

// Returns the outputs of a golden: {cell, where, text}.
export const readGolden = (text) => {
  const outputs = [];
  let cell = 0;
  const take = (mark, where, lines) => {
    const own = lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
    if (own.length > 0) outputs.push({ cell, where, text: own.join("\n") });
  };
  for (const part of text.split("\n\n").slice(1)) {
    const [head, ...lines] = part.split("\n");
    const found = /^@(\d+) /.exec(head);
    if (!found) continue;
    cell = Number(found[1]);
    take(">", "out", lines);
    take("=", "result", lines);
  }
  return outputs;
};

// Returns the parts of a text that shows tensors, in order, and how many of the tensors were found in it.
const partsOf = (text, tensors, where, program) => {
  const texts = tensors.map((id) => engine.tensorText(program.values[id]));
  if (where === "result" && tensors.length > 1 && text === engine.displayedTuple(texts)) {
    return { parts: [{ tuple: tensors.map((tensor) => ({ tensor })) }], found: tensors.length };
  }
  const parts = [];
  let at = 0;
  let found = 0;
  for (const id of tensors) {
    const value = program.values[id];
    const as = [{ tensor: id }, { tensor: id, as: "format" }].map((part) => ({ part, text: program.partText(part) }))
      .map((one) => ({ ...one, place: text.indexOf(one.text, at) })).find(({ place }) => place >= 0);
    if (!as) break;
    if (as.place > at) parts.push(text.slice(at, as.place));
    parts.push(as.part);
    at = as.place + as.text.length;
    ++found;
  }
  if (at < text.length) parts.push(text.slice(at));
  return { parts, found };
};

// Removes the tensors on which no output and no draw depends, and numbers the others anew.
const pruned = ({ version, tensors, outputs }, traced) => {
  const kept = new Set();
  const visit = (value) => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (value !== null && typeof value === "object") Object.values(value).forEach(visit);
    if (Number.isInteger(value?.tensor) && !kept.has(value.tensor)) {
      kept.add(value.tensor);
      visit(tensors[value.tensor].args ?? []);
    }
  };
  visit(outputs.map(({ text }) => text));
  tensors.forEach(({ op, args }, tensor) => { if (engine.operation(op)?.draws) visit([{ tensor }, args]); });
  const order = [...kept].sort((a, b) => a - b);
  const renumbered = (value) => {
    if (Array.isArray(value)) return value.map(renumbered);
    if (value === null || typeof value !== "object") return value;
    const entry = ([key, one]) => [key, key === "tensor" ? order.indexOf(one) : renumbered(one)];
    return Object.fromEntries(Object.entries(value).map(entry));
  };
  return {
    json: { version, tensors: order.map((id) => renumbered(tensors[id])), outputs: renumbered(outputs) },
    traced: order.map((id) => traced[id]),
  };
};

// Returns {json, traced, missing, unknown}: a program, the trace's tensor for each of its tensors, the shown tensors whose text
// is not in the output that shows them, and the number of tensors of unknown origin.
export const programOf = (trace, golden) => {
  const builder = new Builder(trace);
  const json = { version: 1, tensors: builder.nodes, outputs: [] };
  const program = new engine.Program(json);
  const missing = [];
  for (const cell of new Set(golden.map((one) => one.cell))) {
    const outputs = golden.filter((one) => one.cell === cell);
    let left = builder.shown.filter((one) => one.cell === cell).map(({ id }) => id);
    for (const { where, text } of outputs) {
      const scalar = builder.scalars.findLast((one) => one.cell === cell)?.id;
      const isAlone = where === "result" && left.length === 0 && scalar !== undefined;
      const isScalar = isAlone && text === engine.formatText(program.values[scalar]);
      const { parts, found } = isScalar ? { parts: [{ tensor: scalar, as: "format" }], found: 0 }
        : partsOf(text, left, where, program);
      left = left.slice(found);
      json.outputs.push({ cell, where, text: parts });
    }
    for (const id of left) missing.push({ cell, text: engine.tensorText(program.values[id]) });
  }
  return { ...pruned(json, builder.traced), missing, unknown: builder.unknown };
};

export { elements };
