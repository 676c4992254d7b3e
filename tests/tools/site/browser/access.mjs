// Tests accessibility: axe reports no violation, in both themes, at the widths of a desktop and of a phone. Only the
// contrast of colours depends on the theme, so the other rules run in one of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { open, pagesOf, read, site } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const contrast = { runOnly: ["color-contrast"] };

// Returns one element with text of each combination of what decides its contrast.
const differentlyColoured = () => {
  const looks = new Map([...document.querySelectorAll("body, body *")].map((one) => [one, getComputedStyle(one)]));
  const found = new Map();
  for (const [one, { color, fontSize, fontWeight }] of looks) {
    if (![...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())) continue;
    const key = [color, fontSize, fontWeight];
    for (let at = one; looks.has(at); at = at.parentElement) {
      const { backgroundColor, backgroundImage, opacity, position, display, visibility } = looks.get(at);
      key.push(backgroundColor, backgroundImage, opacity, position, display, visibility);
    }
    if (!found.has(key.join())) found.set(key.join(), one);
  }
  return [...found.values()];
};

// Returns what axe finds. For contrast alone, texts that look alike are read once; all of them are read with the other rules.
export const violations = async (page, rules = {}) => {
  await page.addStyleTag({ content: ".cell { content-visibility: visible !important; }" }); // axe skips what is not drawn
  if (!await page.evaluate(() => "axe" in window)) await page.evaluate(axe);
  const parts = await page.evaluateHandle(rules === contrast ? differentlyColoured : () => document);
  const options = { resultTypes: ["violations"], preload: false, ...rules };
  const { violations: found } = await page.evaluate(([parts, options]) => window.axe.run(parts, options), [parts, options]);
  return found.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(" | ")}`);
};

for (const [colorScheme, width, rules] of [["light", 1280, {}], ["dark", 360, contrast]]) {
  test(`every page loads without a complaint or a request to anywhere, and axe finds nothing, ${colorScheme}`, async () => {
    for (const name of pagesOf(site)) {
      await read(name, async (page) => {
        await page.emulateMedia({ colorScheme });
        assert.equal(await page.locator("h1").count(), 1);
        assert.deepEqual(await violations(page, rules), [], name);
        await page.emulateMedia({ colorScheme: "light" });
      });
    }
  });

  test(`axe finds nothing while things are lit up and open, ${colorScheme}, ${width}`, async () => {
    await open("attention_as_alignment.html", async (page) => {
      await page.click(".view summary");
      await page.locator("#t5-1 tbody td").nth(8).focus();
      await page.evaluate(() => { document.querySelector(".view").open = true; });
      assert.deepEqual(await violations(page), []);
    }, { colorScheme, viewport: { width, height: 900 } });
  });
}

test("a violation would be seen", async () => {
  await open("index.html", async (page) => {
    await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", "<img src='data:,'><p style='color:#eee;background:#fff'>pale</p>"));
    assert.ok((await violations(page)).length >= 2);
  });
});
