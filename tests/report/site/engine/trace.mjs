// Reads a trace as src/torchbook/part/trace_file.cpp does: the outermost operations and the tensors that cells show.
const kinds = ["", "string", "run", "named", "value", "begin", "end", "mark", "finished", "arguments"];
const head = "torchbook trace\n".length + 4;
const roleShown = 3;

class Cursor {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }
  take(size) {
    this.at += size;
    return this.at - size;
  }
  u8() { return this.view.getUint8(this.take(1)); }
  u32() { return this.view.getUint32(this.take(4), true); }
  u64() { return this.view.getBigUint64(this.take(8), true); }
  i64() { return this.view.getBigInt64(this.take(8), true); }
  f64() { return this.view.getFloat64(this.take(8), true); }
  rest() { return this.bytes.subarray(this.at); }
}

// Returns the operations that no other calls and the shown tensors, in order: {name, mark, inputs, outputs, before, after}
// and {shown, mark, tensor}. `before` and `after` are the states of the generator. A tensor is {dtype, shape, strides,
// storage, hash}. `bytes` has the bytes of tensors by hash.
export const readTrace = (file) => {
  const texts = [""];
  const bytes = new Map();
  const events = [];
  const running = [];
  let mark = "";

  const readTensor = (cursor) => {
    const dtype = texts[cursor.u32()];
    cursor.u32(); // the device
    const strided = (cursor.u8() & 2) === 0;
    const dim = cursor.u8();
    const numbers = () => Array.from({ length: dim }, () => Number(cursor.i64()));
    const shape = numbers();
    const strides = strided ? numbers() : null;
    return { dtype, shape, strides, storage: cursor.u32(), hash: cursor.u64() };
  };
  const readList = (cursor) => Array.from({ length: cursor.u32() }, () => readValue(cursor));
  const readers = [
    () => null,
    (cursor) => ({ tensor: readTensor(cursor) }),
    (cursor) => Number(cursor.i64()),
    (cursor) => ({ real: cursor.f64() }),
    (cursor) => cursor.u8() !== 0,
    (cursor) => texts[cursor.u32()],
    readList,
    (cursor) => ({ complex: [cursor.f64(), cursor.f64()] }),
    (cursor) => ({ other: texts[cursor.u32()] }),
  ];
  const readValue = (cursor) => readers[cursor.u8()](cursor);
  const readGenerator = (cursor) => cursor.u8() !== 0 && { seed: cursor.u64(), hash: cursor.u64() };

  const records = {
    string: (cursor) => texts.push(Buffer.from(cursor.rest()).toString()),
    mark: (cursor) => { mark = texts[cursor.u32()]; },
    value: (cursor) => {
      const hash = cursor.u64();
      const total = Number(cursor.u64());
      bytes.set(hash, { bytes: cursor.rest(), total });
    },
    named: (cursor) => {
      const shown = texts[cursor.u32()];
      if (cursor.u8() === roleShown) events.push({ shown, mark, tensor: readTensor(cursor) });
    },
    begin: (cursor) => {
      const name = texts[cursor.u32()];
      cursor.u32(); // the module
      const line = texts[cursor.u32()];
      cursor.u8(); // whether it runs backward
      const before = readGenerator(cursor);
      running.push({ name, mark, line, before, inputs: readList(cursor) });
    },
    end: (cursor) => {
      const after = readGenerator(cursor);
      const operation = running.pop();
      operation.after ||= after;
      operation.outputs = readList(cursor);
      const caller = running.at(-1);
      if (!caller) {
        events.push(operation);
      } else if (operation.before) { // a caller such as aten::rand has no generator of its own
        caller.before ||= operation.before;
        caller.after = operation.after;
      }
    },
  };

  const checksum = 4; // follows the kind and size of a record, and its payload
  for (let at = head; at + 5 <= file.length;) {
    const size = file.readUInt32LE(at + 1);
    const payload = at + 5 + checksum;
    records[kinds[file[at]]]?.(new Cursor(file.subarray(payload, payload + size)));
    at = payload + size + checksum;
  }
  return { events, bytes };
};
