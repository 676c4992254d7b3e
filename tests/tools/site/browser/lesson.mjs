// Tests the page of a lesson that was imported: words as input, heads at a glance, names of weights, and what is folded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./browser.mjs";

const page_name = "translated_lesson.html";
const field = ".words-field input";
const problem = ".words-field .problem";

test("the words of a lesson may be typed, and all that they name follows", async () => {
  await open(page_name, async (page) => {
    assert.equal(await page.inputValue(field), "the cat sat on the mat");
    const before = await page.textContent("#cell-4 samp");
    await page.fill(field, "the mat sat on the cat");
    assert.match(await page.textContent("#cell-2 samp"), /tensor\(\[4, 1, 3, 2, 4, 0\]\)/);
    assert.equal(await page.textContent("#t4-1 tbody tr:nth-child(2) th"), "mat");
    assert.notEqual(await page.textContent("#cell-4 samp"), before);
    assert.match(page.url(), /t2-1\.1=1/);
    assert.deepEqual(await page.locator("#t7-1 .looks label").allTextContents(), ["the", "mat", "sat", "on", "the", "cat"]);
    await page.fill(field, "the cat sat on the mat");
    assert.equal(await page.textContent("#cell-4 samp"), before);
    assert.equal(await page.isVisible(".changes"), false);
  });
});

test("a word that the notebook does not have, and another number of words, are told beside the field", async () => {
  await open(page_name, async (page) => {
    const before = await page.textContent("#cell-4 samp");
    for (const [text, why] of [["the dog sat on the mat", "“dog” is no word of this notebook, which has cat, mat, on, sat, the."],
      ["the cat sat", "Type 6 words, as the notebook has; these are 3."]]) {
      await page.fill(field, text);
      assert.equal(await page.textContent(problem), why);
      assert.equal(await page.getAttribute(field, "aria-invalid"), "true");
      assert.equal(await page.textContent("#cell-4 samp"), before);
    }
    await page.fill(field, "The cat sat on the cat.");
    assert.equal(await page.isVisible(problem), false);
    assert.equal(await page.textContent("#t4-1 tbody tr:nth-child(6) th"), "cat");
  });
});

test("an id that is no word is refused in its table, in a link and by steps", async () => {
  await open(`${page_name}#&t2-1.5=99`, async (page) => {
    assert.match(await page.textContent(".changes .error"), /does not understand this of the address: t2-1\.5=99$/);
    await page.locator("#t2-1 tbody td").nth(0).click();
    for (const text of ["1.5", "9", "-1"]) {
      await page.fill("#t2-1 .field", text);
      await page.keyboard.press("Enter");
      assert.equal(await page.textContent("#t2-1 .problem"), "An id is a whole number from 0 to 4: that of cat mat on sat the.");
    }
    await page.fill("#t2-1 .field", "3");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.inputValue("#t2-1 .field"), "4");
  });
});

test("the explanation is that of the head and the word that were chosen", async () => {
  await open(page_name, async (page) => {
    const said = page.locator("#t7-1 .panel p").first();
    await page.locator("#t7-1 .heads button").nth(1).click();
    await page.locator("#t7-1 .looks input").nth(4).click();
    const shown = await page.locator("#t7-1 .heat:visible tbody tr").nth(4).locator("td").allTextContents();
    const most = Math.max(...shown.map(Number));
    assert.match(await said.textContent(), /^How much the looks at /);
    assert.equal(Number((await said.textContent()).split(": ")[1]).toFixed(4), most.toFixed(4));
    await page.locator("#t7-1 .heads button").nth(0).click();
    const other = await page.locator("#t7-1 .heat:visible tbody tr").nth(4).locator("td").allTextContents();
    assert.equal(Number((await said.textContent()).split(": ")[1]).toFixed(4), Math.max(...other.map(Number)).toFixed(4));
  });
});

test("undo gives the focus back to the entry that it restores", async () => {
  await open(page_name, async (page) => {
    await page.locator("#t6-1 tbody td").nth(5).click();
    await page.keyboard.type("2");
    await page.keyboard.press("Enter");
    await page.locator(".changes button").first().focus();
    await page.keyboard.press("Enter");
    assert.ok(await page.locator("#t6-1 tbody td").nth(5).evaluate((one) => one === document.activeElement));
  });
});

test("heads are shown at a glance, and one of them large", async () => {
  await open(page_name, async (page) => {
    const buttons = page.locator("#t7-1 .heads button");
    assert.equal(await buttons.count(), 2);
    assert.equal(await page.locator("#t7-1 .heat:visible").count(), 1);
    assert.match(await page.textContent("#t7-1 .heat:visible caption"), /\[0\]/);
    await buttons.nth(1).click();
    assert.match(await page.locator("#t7-1 .heat:visible caption").textContent(), /\[1\]/);
    assert.equal(await page.locator("#t7-1 .heads button svg").first().locator(".masked").count(), 15);
    assert.equal(await page.locator("#t7-1 .heads button svg").first().locator(".link").count(), 21);
    assert.equal(await page.locator("#t7-1 .heat:visible td.hidden-entry").count(), 15);
  });
});

test("what a cell does not show is folded, with its operations and the names of its tensors", async () => {
  await open(page_name, async (page) => {
    const fold = page.locator("#cell-7 .inside");
    assert.match(await fold.locator("summary").textContent(), /scores/);
    assert.equal(await fold.locator(".tensor").first().isVisible(), false);
    await fold.locator("summary").click();
    assert.ok(await fold.locator(".tensor").first().isVisible());
    const boxes = await fold.locator(".flow li").allTextContents();
    assert.ok(boxes.some((text) => /weights.*\(2, 6, 6\)/.test(text)), boxes.join());
    assert.equal(await page.locator(".tensor[data-name^='W_q.weight']").count() > 0, true);
    assert.doesNotMatch(await page.content(), /unshown tensor/);
  });
});

test("a lesson is at most 8000 pixels high before anything is unfolded", async () => {
  await open(page_name, async (page) => {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const cells = await page.locator(".cell").count();
    assert.ok(height * 12 / cells <= 8000, `${height} px for ${cells} cells`);
  });
});
