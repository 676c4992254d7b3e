// Explains from which entries an entry was computed. The page says for each tensor where it comes from
// (data-origin and the attributes after it). This script computes the numbers from those of the tensors.
'use strict';
{
  const tensors = new Map();
  const {numbersOf} = globalThis.torchbook;

  const tensorOf = (id) => {
    if (!tensors.has(id)) {
      const box = document.getElementById(id);
      const data = box.dataset;
      tensors.set(id, {
        box,
        name: data.name,
        shape: data.shape.split(' ').map(Number),
        values: numbersOf(box),
        origin: data.origin,
        data,
        text: data.values,
        document: data.values,
      });
    }
    return tensors.get(id);
  };

  const number = (value) => {
    if (!Number.isFinite(value)) return String(value).replace('Infinity', 'inf');
    return String(Number(value.toPrecision(5)));
  };

  // Formats numbers in a row. They have equally many decimals if they are of similar size.
  const numbers = (values) => {
    const alike = values.every((value) => value === 0 || (Math.abs(value) >= 5e-4 && Math.abs(value) < 1e4));
    const whole = values.every(Number.isInteger);
    return values.map((value) => (alike && !whole ? value.toFixed(4) : number(value)));
  };

  const element = (tag, text, ...children) => {
    const made = document.createElement(tag);
    if (text !== null) made.textContent = text;
    made.append(...children);
    return made;
  };

  // Makes one row of numbers. `lit` is the index of the highlighted one.
  const line = (head, values, lit = -1) => {
    const row = element('tr', null, element('th', head));
    row.firstChild.scope = 'row';
    numbers(values).forEach((text, index) => {
      const cell = element('td', text);
      if (index === lit) cell.className = 'lit';
      row.append(cell);
    });
    return row;
  };

  const table = (...rows) => element('table', null, element('tbody', null, ...rows));

  const sum = (values) => values.reduce((total, value) => total + value, 0);

  // ------------------------------------------------------------ products

  const range = (count, of) => Array.from({length: count}, (_, index) => of(index));

  // Returns the elements of both sides that an entry of a product multiplies. A side of three dimensions is a
  // batch of matrices.
  const sides = (tensor, index) => {
    const {data} = tensor;
    const left = tensorOf(data.left);
    const right = tensorOf(data.right);
    const leftIsVector = left.shape.length === 1 || 'leftRow' in data;
    const rightIsVector = right.shape.length === 1 || 'rightRow' in data;
    const count = left.shape.at(-1);
    const columns = right.shape.at(-1);
    const rows = leftIsVector ? 1 : left.shape.at(-2);
    const width = rightIsVector ? 1 : tensor.shape.at(-1);
    const batch = Math.floor(index / (rows * width));
    const i = leftIsVector ? Number(data.leftRow ?? 0) : Math.floor(index / width) % rows;
    const j = rightIsVector ? Number(data.rightRow ?? 0) : index % width;
    const alongRow = rightIsVector || 'transposed' in data;
    const matrix = ({shape}) => shape.at(-2) * shape.at(-1);
    const batchOf = (side) => (side.shape.length > 2 && side.values.length > matrix(side) ? batch : 0);
    const first = (side) => (side.shape.length > 2 ? batchOf(side) * matrix(side) : 0);
    return {
      left: {
        tensor: left,
        at: range(count, (k) => first(left) + i * count + k),
        name: place(left, 'row', i, batchOf(left))
      },
      right: {
        tensor: right,
        at: range(count, (k) => first(right) + (alongRow ? j * columns + k : k * columns + j)),
        name: place(right, alongRow ? 'row' : 'column', j, batchOf(right)),
      },
    };
  };

  // Returns the word that heads a row or a column, or an empty text if an index does.
  const wordOf = ({box}, side, index) => {
    const heads = box.querySelector('.heat').querySelectorAll(side === 'row' ? 'tbody th' : 'thead th');
    return heads[index]?.className.includes('word') ? heads[index].textContent : '';
  };

  const place = (tensor, side, index, batch) => {
    if (tensor.shape.length === 1) return [wordOf(tensor, 'row', 0), tensor.name].filter(Boolean).join(', ');
    const word = wordOf(tensor, side, index);
    const matrix = tensor.shape.slice(0, -2).reduceRight(
        ([left, at], length) => [Math.floor(left / length), [left % length, ...at]], [batch, []])[1];
    return `${word ? `${word}, ` : ''}${side} ${index} of ${
        matrix.length > 0 ? `[${matrix.join(', ')}] of ` : ''}${tensor.name}`;
  };

  const product = (tensor, index) => {
    const {left, right} = sides(tensor, index);
    const a = left.at.map((at) => left.tensor.values[at]);
    const b = right.at.map((at) => right.tensor.values[at]);
    const terms = a.map((value, k) => value * b[k]);
    const total = line('sum', [sum(terms)]);
    total.className = 'sum';
    total.lastChild.colSpan = a.length;
    return {
      parts: [table(line(left.name, a), line('× ' + right.name, b), line('products', terms), total)],
      words: `the sum of ${terms.map(number).join(' + ')}`,
      used: [left, right],
    };
  };

  // ------------------------------------------------------------ softmax and quotient

  // Returns the elements along the dimension, through the entry.
  const along = (tensor, index) => {
    const dim = Number(tensor.data.dim);
    const step = tensor.shape.slice(dim + 1).reduce((size, length) => size * length, 1);
    const place = Math.floor(index / step) % tensor.shape[dim];
    return {at: range(tensor.shape[dim], (k) => index + (k - place) * step), place};
  };

  // LibTorch takes the largest score off before it takes exponentials. A notebook that divides them by hand
  // does not.
  const softmax = (tensor, index) => {
    const scores = tensorOf(tensor.data.left);
    const {at, place: lit} = along(tensor, index);
    const values = at.map((i) => scores.values[i]);
    const byHand = 'byHand' in tensor.data;
    const largest = byHand ? 0 : Math.max(...values);
    const powers = values.map((value) => Math.exp(value - largest));
    const total = sum(powers);
    const weights = powers.map((value) => value / total);
    const words =
        `exp(${number(values[lit])}${byHand ? '' : ` − ${number(largest)}`}) = ${number(powers[lit])}, ` +
        `divided by the sum ${number(total)}, is ${number(weights[lit])}`;
    const steps = table(
        line('score', values, lit), line(byHand ? 'exp(score)' : 'exp(score − largest)', powers, lit),
        line('weight', weights, lit));
    return {
      parts: [element('p', words + '.'), steps],
      words,
      used: [{tensor: scores, at}],
      from: [scores, index]
    };
  };

  const scaled = (tensor, index) => {
    const source = tensorOf(tensor.data.left);
    const words =
        `${number(source.values[index])} / ${tensor.data.divisor} = ${number(tensor.values[index])}`;
    return {
      parts: [element('p', words + '.')],
      words,
      used: [{tensor: source, at: [index]}],
      from: [source, index],
    };
  };

  // ------------------------------------------------------------ the panel

  const explain = {product, softmax, scaled};

  // Returns whether the reader has set an entry (computing/page.js).
  const entryOf = ({box}, index) => box.querySelectorAll('.heat tbody td')[index];
  const isSet = (tensor, index) => entryOf(tensor, index).classList.contains('edited');

  // Returns whether a tensor keeps the document's numbers while what it was computed from has others.
  const isOld = ({box}, used) => box.classList.contains('stale') ||
      (box.dataset.computed === undefined && used.some(({tensor: {text, document}}) => text !== document));

  // Explains what an entry was computed from, and what that was computed from in turn.
  const explained = (tensor, index) => {
    if (isSet(tensor, index))
      return {parts: [element('p', 'You set this number.')], words: 'you set this number', used: []};
    const now = explain[tensor.origin](tensor, index);
    if (isOld(tensor, now.used)) {
      const words = 'this is still the document’s number, and what it was computed from has changed';
      return {parts: [element('p', `${words[0].toUpperCase()}${words.slice(1)}.`)], words, used: []};
    }
    const [source, at] = now.from ?? [];
    if (!source?.origin) return now;
    const before = explained(source, at);
    const link = element('p', `${number(source.values[at])}, an entry of ${source.name}, is in turn:`);
    return {...now, parts: [...now.parts, link, ...before.parts], used: [...now.used, ...before.used]};
  };

  const nameOf = (tensor, index) => {
    const indices = [];
    for (const length of [...tensor.shape].reverse()) {
      indices.unshift(index % length);
      index = Math.floor(index / length);
    }
    return `[${indices.join(', ')}]`;
  };

  // Returns the row's word and the column's word of an entry; empty texts if they have none.
  const wordsOf = (tensor, index) => {
    const columns = tensor.shape.at(-1);
    const row = tensor.shape.length === 1 ? 0 : Math.floor(index / columns) % tensor.shape.at(-2);
    return [wordOf(tensor, 'row', row), wordOf(tensor, 'column', index % columns)];
  };

  // Describes the entry by its words: how much one looks at the other, if it is a weight.
  const titleOf = (tensor, index) => {
    const words = wordsOf(tensor, index);
    const strong = words.map((word) => element('strong', word));
    const value = number(tensor.values[index]);
    if (!words[0] && !words[1])
      return {parts: [element('strong', `Entry ${nameOf(tensor, index)}: ${value}`)], words: ''};
    if (!words[0] || !words[1])
      return {
        parts: [strong[words[0] ? 0 : 1], ` ${nameOf(tensor, index)}: `, element('strong', value)],
        words: words.join('')
      };
    const [before, between] = tensor.origin === 'softmax' ? ['How much ', ' looks at '] : ['', ' with '];
    return {
      parts: [before, strong[0], between, strong[1], ': ', element('strong', value)],
      words: before + words.join(between),
    };
  };

  // The panel never shrinks, so that the page does not jump.
  const fit = ({panel}) => {
    panel.style.minHeight = `${Math.ceil(panel.getBoundingClientRect().height)}px`;
    const scrolls = panel.scrollWidth > panel.clientWidth;
    if (scrolls)
      panel.tabIndex = 0;
    else
      panel.removeAttribute('tabindex');
  };

  const fill = (tensor, index) => {
    const {parts, words, used} = explained(tensor, index);
    const title = titleOf(tensor, index);
    const head = element('p', null, ...title.parts);
    const {moved} = entryOf(tensor, index).dataset;
    if (moved) head.append(` (${moved})`);
    tensor.index = index;
    tensor.panel.replaceChildren(head, ...parts);
    return {words: title.words ? `${title.words}: ${words}` : words, used};
  };

  for (const box of document.querySelectorAll('.tensor[data-origin]')) {
    const tensor = tensorOf(box.id);
    tensor.panel = element('div', null);
    tensor.panel.className = 'panel';
    tensor.panel.setAttribute('role', 'group');
    tensor.panel.setAttribute('aria-label', `What an entry of ${tensor.name} was computed from`);
    box.querySelector('.why').append(tensor.panel);
    fill(tensor, 0);
    fit(tensor);
    box.addEventListener('entry', ({detail: {index, byKey, lightUsed}}) => {
      const {words, used} = fill(tensor, index);
      fit(tensor);
      for (const {tensor: source, at} of used) lightUsed(source.box, at);
      if (byKey) document.getElementById('say').textContent = words;
    });
  }

  // A panel out of view is filled when it comes into view.
  const inView = new Set();
  const outdated = new Set();
  const watch = new IntersectionObserver((changes) => {
    for (const {target, isIntersecting} of changes) {
      const tensor = tensors.get(target.id);
      if (isIntersecting)
        inView.add(tensor);
      else
        inView.delete(tensor);
      if (isIntersecting && outdated.delete(tensor)) fill(tensor, tensor.index);
    }
  }, {rootMargin: '50%'});
  tensors.forEach((tensor) => {
    if (tensor.panel) watch.observe(tensor.box);
  });

  document.addEventListener('drawn', () => {
    for (const tensor of tensors.values()) {
      const text = tensor.box.dataset.values;
      if (text !== tensor.text) Object.assign(tensor, {text, values: numbersOf(tensor.box)});
    }
    for (const tensor of tensors.values()) {
      if (inView.has(tensor))
        fill(tensor, tensor.index);
      else if (tensor.panel)
        outdated.add(tensor);
    }
  });
}
