// Tests the files: they are valid and small, and hostile text stays text.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { open, pagesOf, read, site } from "./browser.mjs";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ["html-validate:recommended"],
    rules: {
      "no-inline-style": "off", // each cell of a table of colours has its own colour
      "require-sri": "off", // the pages load nothing from elsewhere
      "no-trailing-whitespace": "off", // a notebook's output may have trailing spaces
      "long-title": "off",
    },
  }),
);

const folders = ["pages", "alone", "hostile", "traced"];

test("every page is valid HTML", async () => {
  for (const folder of folders) {
    for (const name of pagesOf(folder)) {
      const report = await validator.validateString(readFileSync(`${folder}/${name}`, "utf8"));
      const errors = report.results.flatMap(({ messages }) => messages);
      assert.deepEqual(errors.map(({ line, ruleId, message }) => `${name}:${line} ${ruleId}: ${message}`), []);
    }
  }
});

test("a page that is not valid would be seen", async () => {
  const report = await validator.validateString("<!doctype html><html lang=en><body><p><div></p>");
  assert.equal(report.valid, false);
});

test("every page is under 400 KB", () => {
  assert.ok(pagesOf(site).length >= 6);
  for (const name of pagesOf(site)) assert.ok(statSync(`${site}/${name}`).size < 400_000, name);
});

test("a notebook's page and all that it loads are under 400 KB", async () => {
  for (const name of pagesOf(site).filter((one) => one !== "porting.html")) {
    await read(name, async (page) => {
      const loaded = await page.evaluate(() =>
        [...document.querySelectorAll("script[src], link[rel=stylesheet]")].map((one) => one.getAttribute("src") ?? one.getAttribute("href")));
      assert.ok(loaded.length > 5);
      const bytes = [name, ...loaded].reduce((sum, file) => sum + statSync(`${site}/${file}`).size, 0);
      assert.ok(bytes < 400_000, `${name}: ${bytes}`);
    });
  }
});

test("every link inside the site leads somewhere", async () => {
  const names = pagesOf(site);
  for (const name of names) {
    await read(name, async (page) => {
      const broken = await page.evaluate(
        (known) =>
          [...document.querySelectorAll("a[href]")]
            .map((link) => link.getAttribute("href"))
            .filter((address) => !/^https?:/.test(address))
            .filter((address) => (address.startsWith("#") ? !document.querySelector(address) : !known.includes(address))),
        names,
      );
      assert.deepEqual(broken, [], name);
    });
  }
});

test("hostile text in every field is shown and not obeyed", async () => {
  for (const name of pagesOf("hostile")) {
    await open(
      name,
      async (page) => {
        assert.doesNotMatch(await page.title(), /^obeyed$/);
        assert.equal(await page.locator("script:not([src])").count(), 0);
        assert.equal(await page.locator("[onclick], a[href^='javascript:']").count(), 0);
        const shown = await page.evaluate(() => document.body.textContent);
        assert.match(shown, /<\/script><script>document\.title='obeyed'<\/script>/);
        assert.match(shown, /\{\{title\}\} \{\{\{main\}\}\} \{\{#items\}\}/);
        assert.match(shown, /&amp; &lt; &nosuch;/);
      },
      { folder: process.cwd() + "/hostile" },
    );
  }
});

test("without a PyTorch the pages say with what they were compared", async () => {
  const folder = process.cwd() + "/alone";
  await open("index.html", async (page) => {
    assert.match(await page.textContent("main"), /compared with the documents’ printed outputs\. No PyTorch ran: none was asked for/);
  }, { folder });
  await open("attention_as_alignment.html", async (page) => {
    assert.match(await page.textContent(".title"), /compared with the document’s printed outputs/);
    assert.equal(await page.locator(".cell .verdict").count(), 6);
  }, { folder });
  await open("attention_as_alignment.html", async (page) => {
    assert.equal(await page.locator(".cell .verdict", { hasText: "text and bits" }).count(), 6);
  });
});
