// Tests the lines between words: where they are, what they show, how a word is chosen, and the switch.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, read } from "./browser.mjs";

const counts = {
  attention_as_alignment: 1, // In [14]
  attention_by_hand: 7, // In [14], [19], [20], [24], [26], [34], [35], and no more: rows of In [25] do not add up to 1
  keys_queries_values: 1, // In [157]
  mathematical_trick: 2, // the weights of In [49] and In [78]
  self_attention_in_three_steps: 2, // In [5] and cell 10
};

const percents = (page, tensor) => page.locator(`#${tensor} .percent`).allTextContents();
const numbers = (texts) => texts.map((text) => Number(text.replace(" %", "")) / 100);

// Asserts that percentages with one digit are those of printed weights with four.
const areNear = (found, printed) => {
  assert.equal(found.length, printed.length);
  found.forEach((one, i) => assert.ok(Math.abs(one - printed[i]) <= 0.00056, `${one} and ${printed[i]}`));
};

test("weights between words are lines, and nothing else is", async () => {
  for (const [name, count] of Object.entries(counts)) {
    await read(`${name}.html`, async (page) => assert.equal(await page.locator(".looks").count(), count, name));
  }
});

test("a word is chosen by click, by key and by pointing at an entry, and has the weights of its row", async () => {
  await open("attention_as_alignment.html", async (page) => {
    const rows = (await page.locator("#cell-5 samp").textContent()).match(/\d\.\d{4}/g).map(Number); // the document's
    const row = (i) => rows.slice(6 * i, 6 * i + 6);
    areNear(numbers(await percents(page, "t5-1")), row(0));
    await page.locator("#t5-1 .words input").nth(1).click();
    areNear(numbers(await percents(page, "t5-1")), row(1));
    await page.keyboard.press("ArrowRight");
    areNear(numbers(await percents(page, "t5-1")), row(2));
    assert.equal(await page.locator("#t5-1 tr.chosen th").textContent(), "starts");
    await page.locator("#t5-1 tbody tr").nth(4).locator("td").first().hover();
    areNear(numbers(await percents(page, "t5-1")), row(4));
    const widths = await page.locator("#t5-1 path.chosen").evaluateAll((found) => found.map((one) => parseFloat(one.style.strokeWidth)));
    assert.deepEqual(widths.map((width) => (width / 28).toFixed(2)), row(4).map((weight) => weight.toFixed(2)));
  });
});

test("lines follow a changed number", async () => {
  await open("mathematical_trick.html", async (page) => {
    await page.locator("#u13-2 .words input").nth(3).click();
    assert.deepEqual(await percents(page, "u13-2"), ["25 %", "25 %", "25 %", "25 %", "0 %", "0 %", "0 %", "0 %"]);
    await page.locator("#u13-1 tbody tr").nth(3).locator("td").nth(0).click(); // a score
    await page.keyboard.type("-1e9");
    await page.keyboard.press("Enter");
    assert.deepEqual(await percents(page, "u13-2"), ["0 %", "33 %", "33 %", "33 %", "0 %", "0 %", "0 %", "0 %"]);
  });
});

test("a switch shows tables, lines or both, and is remembered", async () => {
  await open("attention_as_alignment.html", async (page) => {
    const shown = async () => [await page.isVisible("#t5-1 .picture"), await page.isVisible("#t5-1 .looks")];
    assert.deepEqual(await shown(), [true, true]);
    await page.click(".view summary");
    await page.click("#weights label:has([value=table])");
    assert.deepEqual(await shown(), [true, false]);
    await page.click("#weights label:has([value=lines])");
    assert.deepEqual(await shown(), [false, true]);
    assert.ok(await page.isVisible("#t4-1 .picture"));
    await page.reload();
    assert.deepEqual(await shown(), [false, true]);
  });
});
