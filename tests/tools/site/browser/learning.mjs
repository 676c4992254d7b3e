// Tests the questions of the pages, and the past that grows step by step.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { test } from "node:test";
import { browser, open, site, until } from "./browser.mjs";

const names = ["attention_as_alignment", "attention_by_hand", "keys_queries_values", "mathematical_trick",
  "self_attention_in_three_steps"];

const states = (page) => page.locator(".questions .state").allTextContents();
const reset = (page) => page.getByRole("button", { name: "Reset" }).click();

// Makes the changes of each answer by its button: only they answer the question, and reset takes them back.
const checkAnswers = async (page, name) => {
  const unanswered = await states(page);
  assert.deepEqual(unanswered, unanswered.map(() => "Not yet."), `${name}: the document answers no question`);
  for (const i of unanswered.keys()) {
    await page.click(`.question >> nth=${i} >> summary:text("Answer")`);
    await page.click(`.question >> nth=${i} >> .apply`);
    assert.equal((await states(page))[i], "✓ Yes.", `${name}, question ${i + 1}`);
    assert.match(await page.textContent(".changes"), new RegExp(`That answers question (\\d and )*${i + 1}`));
    await reset(page);
    assert.deepEqual(await states(page), unanswered);
  }
  return unanswered.length;
};

test("each page has three questions, and accepts their answers by computing", async () => {
  for (const name of names) {
    await open(`${name}.html`, async (page) => { assert.ok(await checkAnswers(page, name) >= 3, name); });
  }
});

test("a question is not answered by changes that it does not allow", async () => {
  await open("attention_as_alignment.html#&t1-1.2=1.5&t1-1.17=0.6", async (page) => { // the first one allows one number
    assert.deepEqual(await states(page), ["Not yet: 2 changes, and 1 may be made.", "Not yet.", "Not yet."]);
    await page.evaluate(() => { location.hash = "#&t4-1.1=1.5"; }); // the score itself
    await until(async () => (await states(page))[0] === "Not yet: something else was changed, too.");
  });
});

test("a change of a view is one of the tensor that it shows", async () => {
  await open("mathematical_trick.html#&t5-1.14=-0.4998", async (page) => { // In [23] shows x[0] once more
    assert.equal((await states(page))[1], "✓ Yes.");
  });
});

test("the documentation's questions are asked and answered", async () => {
  await open("attention_as_alignment.html", async (page) => {
    assert.equal(await page.locator(".question .state").count(), 1);
    await checkAnswers(page, "docs/site.md");
  }, { folder: `${process.cwd()}/asked` });
});

test("hints and answers are there without a script, and fold", async () => {
  await open("attention_as_alignment.html", async (page) => {
    assert.ok(await page.isVisible("#questions"));
    assert.equal(await page.isVisible(".question .apply >> nth=0"), false);
    await page.click(".question >> nth=1 >> summary:text('Hint')");
    assert.ok(await page.isVisible("text=its squared length"));
    await page.click(".question >> nth=1 >> summary:text('Answer')");
    assert.ok(await page.isVisible("text='inputs[4, 0] = 3'"));
    assert.equal(await page.textContent(".question >> nth=1 >> .may"), "To be changed: numbers of inputs[4].");
  }, { javaScriptEnabled: false });
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
    assert.deepEqual(await states(page), ["Not yet.", "✓ Yes.", "Not yet."]);
    assert.match(await page.locator("#t10-1 tbody td").first().getAttribute("style"), /^background:/);
    assert.deepEqual(complaints, []);
  } finally {
    await page.close();
    server.close();
  }
});
