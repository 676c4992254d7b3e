// Keeps the changes of a reader: undoes them, and writes them into the address.
"use strict";
{
  const { page, seedIn, sameSeed, inputText } = globalThis.torchbook;

  // A state is {numbers: Map of "picture.index", seeds: Map of the place among the seeds}.
  let now = { numbers: new Map(), seeds: new Map() };
  let past = [];
  let unread = []; // changes of the address that the page does not understand
  let gesture = null; // the change in progress: its steps are undone together

  const seeded = () => page.program.nodes.flatMap(({ seed }, id) => (seed === undefined ? [] : [id]));
  page.seeded = seeded;

  const changesOf = ({ numbers, seeds }) => ({
    numbers: [...numbers].map(([key, number]) => {
      const [id, index] = key.split(".");
      return [...page.sourceOf(page.byId.get(id), Number(index)), number];
    }),
    seeds: [...seeds].map(([place, seed]) => [seeded()[place], seed]),
  });

  // ------------------------------------------------------------ the address

  const suffixOf = ({ numbers, seeds }) =>
    [...numbers].map(([key, number]) => `&${key}=${inputText(number)}`).join("") +
    [...seeds].map(([place, seed]) => `&seed.${place}=${seed}`).join("");

  const written = () => {
    const [anchor] = location.hash.slice(1).split("&");
    return (anchor === "" && suffixOf(now) === "" ? "" : "#" + anchor) + suffixOf(now);
  };

  // Writes the changes into the address. The state marks addresses that the page has seen, for Back and Forward.
  const remember = () => {
    if (written() === location.hash && history.state !== null) return;
    history.replaceState("seen", "", written() || location.pathname + location.search);
  };

  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text; // a stray "%"
    }
  };

  // Returns the state that changes of an address make, and `unread`: those that this page does not understand.
  const stateOf = (changes) => {
    const state = { numbers: new Map(), seeds: new Map() };
    const unread = [];
    for (const part of changes.map(decoded)) {
      const [, id, index, text] = /^([\w-]+)\.(\d+)=(.+)$/.exec(part) ?? [];
      const picture = page.byId.get(id);
      if (id === "seed" && seeded()[index] !== undefined) {
        const { seed } = seedIn(text);
        if (seed === undefined) unread.push(part);
        else state.seeds.set(Number(index), seed);
      } else if (picture?.entries[index] && page.program.values[picture.tensor] !== null) {
        const { number } = page.entryIn(text, picture);
        if (number === undefined) unread.push(part);
        else state.numbers.set(`${id}.${index}`, number);
      } else {
        unread.push(part);
      }
    }
    return { state, unread };
  };

  // ------------------------------------------------------------ changing

  const show = (state, notRead = []) => {
    [now, unread] = [state, notRead];
    const before = [...page.program.edits.keys()];
    const others = page.program.apply(changesOf(now));
    page.draw(new Set([...others, ...before, ...page.program.edits.keys()]));
    remember();
    document.dispatchEvent(new CustomEvent("changes"));
  };

  const change = (key, next) => {
    if (suffixOf(next) === suffixOf(now)) return;
    if (gesture === null || gesture !== key) past.push(now);
    gesture = key;
    show(next);
  };

  // Returns the first picture that shows an element, and its index there. Several may, those of views included.
  const placeOf = (tensor, at) => {
    for (const picture of page.pictures) {
      const index = page.sourcesOf(picture).findIndex(([id, place]) => id === tensor && place === at);
      if (index >= 0) return { picture, index };
    }
  };

  const keyOf = ({ picture, index }) => `${picture.id}.${index}`;

  // Returns the name of an element: inputs[4, 0].
  page.nameOf = (tensor, at) => {
    const { picture, index } = placeOf(tensor, at);
    return `${picture.name}[${page.indicesOf(picture, index)}]`;
  };

  // Sets an entry among the changed numbers. Returns its key.
  const put = (numbers, picture, index, number) => {
    const [tensor, at] = page.sourceOf(picture, index);
    const key = keyOf(placeOf(tensor, at));
    if (Object.is(numbers.get(key), number)) return key;
    numbers.delete(key); // the number that was changed last is the last one
    const original = page.program.nodes[tensor].op === undefined && page.program.document[tensor].values()[at];
    if (!Object.is(original, page.rounded(picture, number))) numbers.set(key, number);
    return key;
  };

  // Sets an entry. Steps of one gesture are undone together, until settle().
  page.set = (picture, index, number) => {
    const numbers = new Map(now.numbers);
    const key = put(numbers, picture, index, number);
    change(key, { ...now, numbers });
  };

  // Sets those entries of a picture that are other numbers now, as a step of a gesture.
  page.setAll = (picture, all, key) => {
    const numbers = new Map(now.numbers);
    const before = page.program.values[picture.tensor].values();
    all.forEach((number, index) => { if (Number(before[index]) !== number) put(numbers, picture, index, number); });
    change(key, { ...now, numbers });
  };

  page.setSeed = (place, seed) => {
    const seeds = new Map(now.seeds);
    if (sameSeed(page.program.nodes[seeded()[place]].seed, seed)) seeds.delete(place);
    else seeds.set(place, seed);
    change(`seed.${place}`, { ...now, seeds });
  };

  // Returns a number as an element of a picture holds it.
  page.rounded = ({ dtype }, number) => (dtype === "float32" ? Math.fround(number) : Number(number));

  page.settle = () => { gesture = null; };

  page.undo = () => {
    page.settle();
    if (past.length > 0) show(past.pop());
  };

  page.reset = () => {
    page.settle();
    if (now.numbers.size + now.seeds.size > 0) past.push(now);
    show({ numbers: new Map(), seeds: new Map() });
  };

  page.canUndo = () => past.length > 0;
  page.changed = () => ({ numbers: now.numbers.size, seeds: now.seeds.size });
  // Returns the changes as [tensor, element, number] and [tensor, seed], with the tensors of the program.
  page.changes = () => changesOf(now);
  // Returns a seed as a text of digits.
  page.seedAt = (place) => String(now.seeds.get(place) ?? page.program.nodes[seeded()[place]].seed);

  page.unread = () => unread;

  // Returns an address with the changes that opens at the cell of the number that was changed last, or otherwise of a seed.
  page.link = () => {
    const [number] = [...now.numbers.keys()].slice(-1);
    const cell = number ? page.byId.get(number.split(".")[0]).box.closest(".cell").id
      : `cell-${page.program.nodes[seeded()[[...now.seeds.keys()].at(-1)]].cell}`;
    return `${location.href.split("#")[0]}#${cell}${suffixOf(now)}`;
  };

  // Returns the changes as the address has them, such as "t1-1.12=3".
  const inAddress = (state) => suffixOf(state).split("&").slice(1);
  page.inAddress = () => inAddress(now);
  // Returns changes of an address as inAddress() has them once they are made: "t1-1.12=3" for "t1-1.12=3.0".
  page.asMade = (changes) => inAddress(stateOf(changes).state);

  // Shows the changes of the address. A new address without changes, such as that of a link on the page, gets those of the page.
  page.fromAddress = () => {
    const changes = location.hash.slice(1).split("&").slice(1).filter(Boolean);
    if (changes.length > 0 || history.state !== null) page.apply(changes);
    remember();
  };

  // Makes these changes instead of those of the page. Each is one of an address, such as "t1-1.12=3".
  page.apply = (changes) => {
    const { state, unread: notRead } = stateOf(changes);
    const isOther = suffixOf(state) !== suffixOf(now);
    if (!isOther && notRead.join() === unread.join()) return;
    page.settle();
    if (isOther) past.push(now);
    show(state, notRead);
  };
}
