// Tests the pages of `torchbook site --watch`, which reload when they were written again.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { open, until } from "./browser.mjs";

const file = "watched/attention_as_alignment.html";
const write_again = (stamp, title) => {
  writeFileSync(file, readFileSync(file, "utf8").replace(/<title>.*?</, `<title>${title}<`));
  writeFileSync("watched/stamp.js", `torchbookStamp("${stamp}");\n`);
};

test("a page that is written again is shown at once, at the same position", async () => {
  await open("attention_as_alignment.html", async (page) => {
    await page.evaluate(() => scrollTo(0, 700));
    await page.evaluate(() => { window.old = true; });
    for (const stamp of ["2", "3"]) {
      write_again(stamp, `written ${stamp}`);
      await until(async () => (await page.title()) === `written ${stamp}`);
      await page.waitForLoadState();
      await until(async () => (await page.evaluate(() => scrollY)) === 700);
    }
    assert.equal(await page.evaluate(() => window.old), undefined);
  }, { folder: "watched" });
});

test("a page with the same stamp stays", async () => {
  await open("index.html", async (page) => {
    await page.evaluate(() => { window.old = true; });
    await page.waitForTimeout(2000);
    assert.equal(await page.evaluate(() => window.old), true);
  }, { folder: "watched" });
});
