// Finds the elements whose memory a view shows: a change of an element of a view is one of the tensor that it shows.
"use strict";
{
  const engine = globalThis.torchbook;

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

  // Returns for each element of a tensor of a program the element whose memory it shows, as [tensor, index]. An element of a
  // view is one of another tensor, and so on; any other element is its own.
  const sourcesOf = ({ document, nodes }, id) => {
    const own = document[id];
    if (own === null) return [];
    const from = nodes[id].operands[0];
    const places = placesOf(own);
    const isShared = isView(nodes[id]) && own.data === document[from]?.data;
    if (!isShared) return places.map((_, index) => [id, index]);
    const before = sourcesOf({ document, nodes }, from);
    const at = new Map(placesOf(document[from]).map((place, index) => [place, index]));
    return places.map((place) => before[at.get(place)]);
  };

  Object.assign(engine, { sourcesOf });
}
