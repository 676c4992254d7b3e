// Prints tensors as PyTorch does with its default options. PyTorch leads, here and for pyrepr, the same in C++:
// tests/tools/site/engine/printing_test.mjs and tests/differential compare each with it.
"use strict";
{
  const engine = globalThis.torchbook;
  const { fixed, scientific, special, formedText, numberText, slice, cat } = engine;

  const precision = 4;
  const threshold = 1000; // a tensor of more elements is summarized
  const edge = 3; // how many elements a summary shows at each end of a dimension
  const lineWidth = 80;
  const start = "tensor(";

  // Returns the elements that decide the format: all, or the corners that a summary shows.
  const corners = (x) => {
    let part = x;
    for (let dim = 0; dim < x.rank; ++dim) {
      if (x.shape[dim] > 2 * edge) part = cat([slice(part, dim, 0, edge), slice(part, dim, -edge)], dim);
    }
    return part.values();
  };

  // ------------------------------------------------------------ elements

  const floatFormat = (values) => {
    const counted = [...values].filter((value) => Number.isFinite(value) && value !== 0);
    const whole = counted.every((value) => Number.isInteger(value));
    const magnitudes = counted.map(Math.abs);
    const largest = magnitudes.reduce((a, b) => Math.max(a, b), 0);
    const smallest = magnitudes.reduce((a, b) => Math.min(a, b), Infinity);
    const isScientific = counted.length > 0 && (largest / smallest > 1000 || largest > 1e8 || (!whole && smallest < 1e-4));
    const write = (value) =>
      isScientific ? scientific(value, precision) : whole ? fixed(value, 0) + "." : fixed(value, precision);
    return { texts: counted.map(write), write: (value) => (Number.isFinite(value) ? write(value) : special(value)) };
  };

  // Returns how to write an element, and the width to which elements are padded.
  const formatOf = (x) => {
    const shown = x.size > threshold ? corners(x) : x.values();
    const plain = (value) => numberText(value, x.dtype);
    const { texts, write } = x.dtype.startsWith("float") ? floatFormat(shown) : { texts: [...shown].map(plain), write: plain };
    return { write, width: texts.reduce((width, text) => Math.max(width, text.length), 1) };
  };

  // ------------------------------------------------------------ layout

  // Returns the indices of a dimension that are shown. null represents those that a summary leaves out.
  const places = (length, summarized) => {
    const all = [...Array(length).keys()];
    return summarized && length > 2 * edge ? [...all.slice(0, edge), null, ...all.slice(-edge)] : all;
  };

  const elementsText = (x) => {
    const { write, width } = formatOf(x);
    const summarized = x.size > threshold;
    const padded = (at) => write(x.data[at]).padStart(width);
    const vector = (at, indent) => {
      const perLine = Math.max(1, Math.floor((lineWidth - indent) / (width + 2)));
      const texts = places(x.shape.at(-1), summarized).map((i) => (i === null ? " ..." : padded(at + i * x.strides.at(-1))));
      const lines = [];
      for (let i = 0; i < texts.length; i += perLine) lines.push(texts.slice(i, i + perLine).join(", "));
      return `[${lines.join(",\n" + " ".repeat(indent + 1))}]`;
    };
    const slices = (dim, at, indent) => {
      if (dim === x.rank - 1) return vector(at, indent);
      const texts = places(x.shape[dim], summarized)
        .map((i) => (i === null ? "..." : slices(dim + 1, at + i * x.strides[dim], indent + 1)));
      return `[${texts.join("," + "\n".repeat(x.rank - dim - 1) + " ".repeat(indent + 1))}]`;
    };
    return x.rank === 0 ? padded(x.offset) : slices(0, x.offset, start.length);
  };

  // Adds suffixes such as `dtype=…`. As in Python, the first line counts as two columns longer than it is.
  const withSuffixes = (text, suffixes) => {
    let length = text.length - (text.lastIndexOf("\n") + 1) + 2;
    for (const suffix of suffixes) {
      if (length + suffix.length + 2 > lineWidth) {
        text += ",\n" + " ".repeat(start.length) + suffix;
        length = start.length + suffix.length;
      } else {
        text += ", " + suffix;
        length += suffix.length + 2;
      }
    }
    return text;
  };

  const tupleText = (texts) => `(${texts.join(", ")}${texts.length === 1 ? "," : ""})`;

  // Returns `repr` of a tensor. `more` are suffixes that it has besides, such as `requires_grad=True`.
  const tensorText = (x, more = []) => {
    const own = [];
    if (x.size === 0 && x.rank !== 1) own.push(`size=${tupleText(x.shape)}`);
    if (x.dtype === "float64" || (x.size === 0 && x.dtype !== "float32")) own.push(`dtype=torch.${x.dtype}`);
    return withSuffixes(start + (x.size === 0 ? "[]" : elementsText(x)), [...own, ...more]) + ")";
  };

  // Returns the text of `f"{x}"`: a number, perhaps in a form, if the tensor has no dimensions.
  const formatText = (x, { suffixes = [], form } = {}) =>
    (x.rank > 0 ? tensorText(x, suffixes) : form ? formedText(x.item(), form, x.dtype) : numberText(x.item(), x.dtype));

  // Returns a tuple as IPython displays it: on lines of their own if a text has several lines, or one line were too long.
  const displayedTuple = (texts) => {
    const flat = tupleText(texts);
    if (flat.length < lineWidth && !flat.includes("\n")) return flat;
    return `(${texts.map((text) => text.replaceAll("\n", "\n ")).join(",\n ")}${texts.length === 1 ? "," : ""})`;
  };

  Object.assign(engine, { tensorText, formatText, tupleText, displayedTuple });
}
