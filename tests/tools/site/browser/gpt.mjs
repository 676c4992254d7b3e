// Tests the page of a small GPT: own text, probabilities, draws, heads, and the walk through the model. gpt_test.mjs has the numbers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { contrast, violations } from "./access.mjs";
import { open, read } from "./browser.mjs";

const name = "small_gpt.html";
const story = "in the evening mia goes to the street . she";
const bars = (page) => page.locator("#bars li").evaluateAll((all) => all.map((one) => [...one.querySelectorAll(".word, .probability")].map((part) => part.textContent)));
const words = (page) => page.locator("#large .words label").allTextContents();
const shape = (page) => page.locator("#walk :checked + label .shape").textContent();

test("the page begins with a story, the next words, all heads and the first step", async () => {
  await read(name, async (page) => {
    const [[word, probability], ...others] = await bars(page);
    assert.equal(word, "apples");
    assert.ok(parseFloat(probability) > 70, probability);
    assert.equal(others.length, 9);
    assert.equal(await page.locator("#heads button").count(), 8);
    assert.equal(await page.locator("#heads [aria-pressed=true]").count(), 1);
    assert.equal(await page.locator("#walk input").count(), 4 + 2 * 15 + 3);
    assert.equal(await shape(page), "[10]");
    assert.match(await page.textContent("#from + p"), /2 layers of 4 heads, 32 numbers .* \d,000 steps\. Its \d\d,\d{3} numbers/);
  });
});

test("another text is read at once, and what follows depends on a word further back", async () => {
  await open(name, async (page) => {
    for (const [more, word] of [["eats", "cake"], ["drinks", "tea"], ["sees a", "horse"]]) {
      await page.fill("#text", `${story} ${more}`);
      assert.equal((await bars(page))[0][0], word);
    }
    await page.fill("#text", story.replace("mia", "anna") + " eats");
    assert.equal((await bars(page))[0][0], "apples");
    assert.deepEqual(await words(page), "in the evening anna goes to the street . she eats".split(" "));
    await page.fill("#text", "Tom IS");
    assert.deepEqual(await words(page), ["tom", "is"]);
    await page.click("#examples button:nth-child(2)");
    assert.equal((await bars(page))[0][0], "milk");
    await page.click("summary:text('The words')");
    await page.click("#vocabulary button:text-is('anna')");
    assert.equal((await words(page)).at(-1), "anna");
  });
});

test("words that it does not know are told, and the page stays as it was", async () => {
  await open(name, async (page) => {
    const before = [await bars(page), await words(page)];
    for (const [text, told] of [["tom is in the zoo", /does not know “zoo”\. /], ["tom is in the ki", /“ki”, but “kitchen”/], ["", /Type a word/]]) {
      await page.fill("#text", text);
      assert.match(await page.textContent("#said"), told);
      assert.equal(await page.getAttribute("#text", "aria-invalid"), "true");
      assert.ok(await page.isDisabled("#draw"));
      assert.deepEqual([await bars(page), await words(page)], before);
    }
    await page.fill("#text", "tom");
    assert.equal(await page.textContent("#said"), "");
    await page.fill("#text", `${"tom ".repeat(30)}mia is in the`);
    assert.match(await page.textContent("#said"), /34 words: it reads only the last 32/);
    assert.equal((await words(page)).length, 32);
  });
});

test("temperature and top-k change the probabilities", async () => {
  await open(name, async (page) => {
    const largest = async () => parseFloat((await bars(page))[0][1]);
    await page.fill("#text", "tom is in the");
    const one = await largest();
    await page.locator("#temperature").fill("0.3");
    assert.ok(await largest() > one);
    await page.locator("#temperature").fill("2");
    assert.ok(await largest() < one);
    await page.locator("#top").fill("1");
    assert.equal((await bars(page))[0][1], "100.0 %");
    assert.equal((await bars(page))[1][1], "0.0 %");
  });
});

test("a seed draws the same words again, and the text comes back", async () => {
  await open(name, async (page) => {
    const text = () => page.inputValue("#text");
    const begun = await text();
    await page.locator("#temperature").fill("2");
    await page.click("#draw");
    const drawn = (await text()).slice(begun.length + 1);
    assert.match(await page.textContent("#drawn"), new RegExp(`Drawn: “${drawn.replace("?", "\\?")}”, which had`));
    await page.click("#go-on");
    const all = await text();
    assert.match(all.slice(begun.length), /[.?]$/);
    await page.click("#again");
    assert.equal(await text(), begun);
    await page.click("#draw");
    await page.click("#go-on");
    assert.equal(await text(), all);
    await page.fill("#seed", "1.5");
    assert.match(await page.textContent("#drawn"), /A seed is a whole number/);
    assert.ok(await page.isDisabled("#draw"));
  });
});

test("a head is chosen by click, its words by key, and all show the weights of the chosen word", async () => {
  await open(name, async (page) => {
    await page.click("#heads button:nth-child(3)");
    assert.equal(await page.textContent("#large-head"), "Layer 1, head 3");
    await page.locator("#large input").nth(1).click();
    await page.keyboard.press("ArrowLeft");
    const percents = await page.locator("#large .percent").allTextContents();
    assert.deepEqual(percents, ["100 %", ...Array(percents.length - 1).fill("0 %")]);
    assert.match(await page.textContent("#heads button:nth-child(8)"), /“in” looks at “in”: 100 %/);
    assert.equal(await page.inputValue("#word"), "0");
  });
});

test("keys and buttons go through the model, and each step shows the numbers of a word", async () => {
  await open(name, async (page) => {
    const head = () => page.textContent("#step-head");
    const texts = () => page.locator("#step-values td").allTextContents();
    await page.locator("#step-0").focus();
    await page.keyboard.press("ArrowRight");
    assert.deepEqual([await head(), await shape(page), (await texts()).length], ["Text: Embedding", "[10, 32]", 32]);
    await page.click("#step-on");
    assert.equal(await head(), "Text: Position");
    await page.click("#step-back");
    await page.check("#step-9", { force: true });
    assert.deepEqual([await head(), await shape(page)], ["Layer 1: Mask", "[4, 10, 10]"]);
    await page.selectOption("#word", "1");
    assert.equal(await page.locator("#step-values .masked").count(), 4 * 8);
    assert.deepEqual((await texts()).slice(2, 4), ["morning-inf", "anna-inf"]);
    await page.check("#step-36", { force: true });
    assert.ok(await page.isDisabled("#step-on"));
    const sum = (await texts()).reduce((total, text) => total + Number(/([\d.]+) %$/.exec(text)[1]), 0);
    assert.ok(Math.abs(sum - 100) < 5, sum);
  });
});

test("it fits phones and wide screens, and axe finds nothing at its last step, light and dark", async () => {
  for (const [width, colorScheme] of [[390, "dark"], [1920, "light"]]) {
    await open(name, async (page) => {
      await page.fill("#text", "zoo");
      await page.click("summary:text('The words')");
      for (const step of [10, 36]) {
        await page.check(`#step-${step}`, { force: true });
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        assert.deepEqual(await violations(page, step === 36 ? {} : contrast), []);
      }
    }, { colorScheme, viewport: { width, height: 900 } });
  }
});

test("without JavaScript it says that it needs it", async () => {
  await open(name, async (page) => {
    assert.match(await page.textContent("main noscript"), /computes with JavaScript/);
    assert.ok(!await page.isVisible("#text"));
  }, { javaScriptEnabled: false });
});
