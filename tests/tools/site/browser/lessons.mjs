// Changes ids, weights and seeds on the pages of five lessons. Every text and every table then shows what PyTorch shows.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, test } from "node:test";
import { browser, open } from "./browser.mjs";

const { JUDGE, PYTHON } = process.env;
const { cases } = JSON.parse(execFileSync(PYTHON, [JUDGE, "lessons", "60"], { encoding: "utf8", maxBuffer: 2 ** 28 }));
const slugs = [...new Set(cases.map(({ slug }) => slug))];
after(() => browser.close());

const number = /[-+]?(?:\d+\.?\d*(?:e[-+]\d+)?|\binf\b|\bnan\b)/g;
const valueOf = (text) => ({ True: 1, False: 0 })[text] ?? Number(text.replace("inf", "Infinity"));
const unitOf = (text) => 10 ** (Number(/e(.*)/.exec(text)?.[1] ?? 0) - (/\.(\d*)/.exec(text)?.[1].length ?? 0));

// Returns whether numbers are as PyTorch has them, but for the last digit that is shown, and for what adding in another order
// makes of small numbers beside large ones.
const areNear = (shown, expected) => {
  const values = expected.map(valueOf);
  const error = 2e-5 * Math.max(0, ...values.filter(Number.isFinite).map(Math.abs));
  return shown.length === expected.length && shown.every((text, i) => Object.is(valueOf(text), values[i])
    || Math.abs(valueOf(text) - values[i]) <= Math.max(error, 1.01 * unitOf(text)));
};

// Returns whether texts are alike: all but numbers and the spaces that align them is equal, and the numbers are near.
const areAlike = (shown, expected) => {
  const rest = (text) => text.replace(number, "0").replace(/\s+/g, " ");
  return rest(shown) === rest(expected) && areNear(shown.match(number) ?? [], expected.match(number) ?? []);
};

// Returns the changes of a case: those that an address may have, because a table has the number, such as "t1-1.12=3", and the
// others, {tensor, place, number}.
const changesOf = (page, { seeds, changes }) => page.evaluate(([seeds, changes]) => {
  const { page, numberOf } = globalThis.torchbook;
  const isOf = ({ dtype, shape, values }) => (own) => own?.dtype === dtype && own.shape.join() === shape.join()
    && own.values().every((value, i) => Math.abs(value - Number(numberOf(values[i]))) <= 1e-6);
  const all = changes.map(({ tensor, place, number }) =>
    ({ id: page.pictures.find((one) => isOf(tensor)(page.program.document[one.tensor]))?.id,
      tensor: page.program.document.findIndex(isOf(tensor)), place, number: Number(number) }));
  const inTables = all.filter(({ id }) => id).map(({ id, place, number }) => `${id}.${place}=${number}`);
  return { inAddress: [...seeds.map(([place, seed]) => `seed.${place}=${seed}`), ...inTables], others: all.filter(({ id }) => !id) };
}, [seeds, changes]);

// Makes changes at once, as a link does.
const make = (page, { inAddress, others }) => page.evaluate(([inAddress, others]) => {
  const { page } = globalThis.torchbook;
  page.apply(inAddress);
  for (const { tensor, place, number } of others) page.draw(page.program.set(tensor, place, number));
}, [inAddress, others]);

// Returns what the page shows: the texts and tables of each cell, how much of it is grey, and the changes that it does not know.
const shownBy = (page) => page.evaluate(() => {
  const all = (element, selector) => [...element.querySelectorAll(selector)];
  const cells = all(document, ".cell").map((cell) => ({
    out: cell.querySelector("[data-where=out] samp")?.textContent ?? "",
    result: cell.querySelector("[data-where=result] samp")?.textContent ?? "",
    tables: all(cell, ".output:not(.unshown) .tensor").map((box) =>
      ({ shape: box.dataset.shape, entries: all(box, ".heat tbody td").map((entry) => entry.firstChild.data) })),
  }));
  return { cells, stale: all(document, ".stale, .wall").length, unread: globalThis.torchbook.page.unread() };
});

const count = { cases: 0, numbers: 0, others: 0, typed: 0, texts: 0, equal: 0, tables: 0 };

// Compares the page with what PyTorch shows.
const compare = (shown, expected, what) => {
  assert.deepEqual([shown.stale, shown.unread, shown.cells.length], [0, [], expected.length], what);
  shown.cells.forEach((cell, i) => {
    for (const where of ["out", "result"]) {
      const [here, there] = [cell[where], expected[i][where]].map((text) => text.trimEnd());
      assert.ok(areAlike(here, there), `${what}, cell ${i + 1}:\n${here}\nPyTorch:\n${there}`);
      count.texts += there !== "";
      count.equal += there !== "" && here === there;
    }
    for (const { shape, entries } of cell.tables) {
      const isIt = ({ shape: other, values }) => other.join(" ") === shape && areNear(entries, values);
      assert.ok(expected[i].tensors.some(isIt), `${what}, cell ${i + 1}: ${entries} is none of ${JSON.stringify(expected[i].tensors)}`);
      ++count.tables;
    }
  });
};

// Types the changes of a case. Returns whether all its numbers are in tables that the reader sees.
const type = async (page, changes) => {
  const entries = changes.map((change) => /^([\w-]+)\.(\d+)=(.*)$/.exec(change).slice(1));
  const places = entries.map(([id, index]) => page.locator(`#${id} .heat tbody td`).nth(index));
  for (const place of places) if (!(await place.isVisible())) return false;
  for (const [i, place] of places.entries()) {
    await place.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type(entries[i][2]);
    await page.keyboard.press("Enter");
  }
  return true;
};

for (const slug of slugs) {
  test(`${slug}: what a change shows is what PyTorch shows`, async () => {
    await open(`${slug}.html`, async (page) => {
      assert.equal(await page.locator(".walls").count(), 0);
      let typed = 0;
      for (const one of cases.filter((all) => all.slug === slug)) {
        const changes = await changesOf(page, one);
        await page.evaluate(() => globalThis.torchbook.page.reset());
        const isTyped = typed < 3 && one.seeds.length + changes.others.length === 0 && await type(page, changes.inAddress);
        typed += isTyped;
        if (!isTyped) await make(page, changes);
        compare(await shownBy(page), one.cells, `${slug}, ${JSON.stringify(changes)}`);
        ++count.cases;
        count.numbers += changes.inAddress.length;
        count.others += changes.others.length;
      }
      count.typed += typed;
    });
  });
}

test("five lessons had hundreds of changes", () => {
  console.log(JSON.stringify(count));
  assert.equal(slugs.length, 5);
  assert.ok(count.cases >= 300 && count.typed >= 10 && count.texts > 3000 && count.tables > 3000);
  assert.ok(count.equal > count.texts * 0.95);
});

await import("./lesson.mjs");
