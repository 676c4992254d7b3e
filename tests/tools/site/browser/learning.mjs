// Tests the questions of the pages, and the past that grows step by step.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { test } from "node:test";
import { browser, open, read, site } from "./browser.mjs";

// Changes that answer the questions of each page, found with PyTorch.
const answers = {
  attention_as_alignment: ["#&t1-1.12=3"],
  attention_by_hand: ["#&seed.0=8"],
  keys_queries_values: ["#&t17-1.3=2"],
  mathematical_trick: ["#&t3-1.14=-0.4998"],
  self_attention_in_three_steps: ["#&u1-1.17=-3", "#&u1-1.0=3"],
};

const states = (page) => page.locator(".questions .state").allTextContents();

test("no question is answered by the document", async () => {
  for (const [name, changes] of Object.entries(answers)) {
    await read(`${name}.html`, async (page) =>
      assert.deepEqual(await states(page), changes.map(() => "Not yet."), name));
  }
});

test("each question has an answer, which the page finds by computing, and reset takes it back", async () => {
  for (const [name, changes] of Object.entries(answers)) {
    for (const [i, change] of changes.entries()) {
      await open(`${name}.html${change}`, async (page) => {
        assert.equal((await states(page))[i], "✓ Yes.", `${name}${change}`);
        await page.getByRole("button", { name: "Reset" }).click();
        assert.equal((await states(page))[i], "Not yet.");
      });
    }
  }
});

test("the past grows by button and key, and lights what it averages", async () => {
  await open("mathematical_trick.html", async (page) => {
    assert.equal(await page.locator(".past").count(), 2); // In [49] and In [78]
    assert.equal(await page.locator("#u13-1 td.hidden-entry").count(), 28);
    assert.deepEqual(new Set(await page.locator("#u13-1 td.hidden-entry").allTextContents()), new Set(["-inf"]));
    assert.deepEqual(new Set(await page.locator("#u13-2 td.hidden-entry").allTextContents()), new Set(["0"]));
    const said = page.locator("#u13-2 .step-said");
    assert.match(await said.textContent(), /^1 row, each times 1: /);
    assert.ok(await page.isDisabled("#u13-2 .past button >> nth=0"));
    for (let t = 1; t < 8; ++t) await page.click("#u13-2 .past button >> nth=1");
    assert.match(await said.textContent(), /^8 rows, each times 0\.125: /);
    assert.ok(await page.isDisabled("#u13-2 .past button >> nth=1"));
    await page.locator("#u13-2 .words input").nth(7).focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    const mean = (await page.locator("#u13-3 tbody").first().locator("tr").nth(5).locator("td").allTextContents()).join(", ");
    assert.equal(await said.textContent(), `6 rows, each times 0.1667: ${mean}`);
    assert.equal(await page.locator("#u2-1 tbody").first().locator("tr.at-step").count(), 6);
    assert.equal(await page.locator("#u13-2 tr.at-step th").textContent(), "t5");
  });
});

// The policy that docs/running.md names.
const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:";
const types = { html: "text/html", css: "text/css", js: "text/javascript" };

test("pages work from a web server with a strict policy", async () => {
  const server = createServer(async (request, response) => {
    const name = basename(new URL(request.url, "http://localhost").pathname);
    response.writeHead(200, { "Content-Type": types[name.split(".").at(-1)], "Content-Security-Policy": policy });
    response.end(await readFile(join(site, name)));
  });
  await new Promise((listening) => { server.listen(0, "127.0.0.1", listening); });
  const page = await browser.newPage();
  try {
    const complaints = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${server.address().port}/course/self_attention_in_three_steps.html#&u1-1.0=3`);
    assert.deepEqual(await states(page), ["Not yet.", "✓ Yes."]);
    assert.match(await page.locator("#t10-1 tbody td").first().getAttribute("style"), /^background:/);
    assert.deepEqual(complaints, []);
  } finally {
    await page.close();
    server.close();
  }
});
