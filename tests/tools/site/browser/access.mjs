// Tests accessibility: axe reports no violation, in both themes, at the widths of a desktop and of a phone. Only the
// contrast of colours depends on the theme, so the other rules run in one of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { open, pagesOf, site } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const contrast = { runOnly: ["color-contrast"] };

export const violations = async (page, rules = {}) => {
  await page.addStyleTag({ content: ".cell { content-visibility: visible !important; }" }); // axe skips what is not drawn
  await page.evaluate(axe);
  const options = { resultTypes: ["violations"], preload: false, ...rules };
  const { violations: found } = await page.evaluate((options) => window.axe.run(document, options), options);
  return found.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(" | ")}`);
};

for (const [colorScheme, width, rules] of [["light", 1280, {}], ["dark", 360, contrast]]) {
  test(`every page loads without a complaint or a request to anywhere, and axe finds nothing, ${colorScheme}`, async () => {
    for (const name of pagesOf(site)) {
      await open(name, async (page) => {
        assert.equal(await page.locator("h1").count(), 1);
        assert.deepEqual(await violations(page, rules), [], name);
      }, { colorScheme });
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
