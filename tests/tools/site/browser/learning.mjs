// Tests the questions of the pages, and the past that grows step by step.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { test } from "node:test";
import { contrast, violations } from "./access.mjs";
import { browser, hash, open, site, until } from "./browser.mjs";

const names = ["attention_as_alignment", "attention_by_hand", "keys_queries_values", "mathematical_trick",
  "self_attention_in_three_steps"];

const states = (page) => page.locator(".questions .state").allTextContents();

// Makes the changes of each answer by its button: only they answer the question, and reset takes them back.
const checkAnswers = async (page, name) => {
  const unanswered = await states(page);
  for (const text of unanswered) assert.match(text, /^Not yet\. .* is .*\.$/, `${name}: the document answers no question`);
  for (const i of unanswered.keys()) {
    await page.click(`.question >> nth=${i} >> summary:text("Answer")`);
    await page.click(`.question >> nth=${i} >> .apply`);
    assert.equal((await states(page))[i], "✓ Yes.", `${name}, question ${i + 1}`);
    assert.match(await page.textContent(".changes"), new RegExp(`That answers question (\\d and )*${i + 1}`));
    await page.click(`.question >> nth=${i} >> .apply`); // "Back to mine"
    assert.deepEqual(await states(page), unanswered);
  }
  return unanswered.length;
};

test("each page has three questions, and accepts their answers by computing", async () => {
  for (const name of names) {
    await open(`${name}.html`, async (page) => { assert.ok(await checkAnswers(page, name) >= 3, name); });
  }
});

test("an answered question keeps its tick after a reset, and is judged anew", async () => {
  await open("attention_as_alignment.html#&t1-1.2=1.5", async (page) => {
    assert.equal((await states(page))[0], "✓ Yes.");
    await page.getByRole("button", { name: "Reset" }).click();
    assert.match((await states(page))[0], /^✓ Answered before, and not with the numbers of now\. attn_scores of In \[13\]\[0, 1\] is 0\.\d+, and should be above 1\.2\.$/);
    assert.equal(await page.locator(".question.answered").count(), 0);
    await page.keyboard.press("Control+z");
    assert.equal((await states(page))[0], "✓ Yes.");
  });
});

test("a question is not answered by changes that it does not allow", async () => {
  await open("attention_as_alignment.html#&t1-1.2=1.5&t1-1.17=0.6", async (page) => { // the first one allows one number
    assert.equal((await states(page))[0], "Not yet. 2 changes were made, and 1 may be.");
    await page.evaluate(() => { location.hash = "#&t4-1.1=1.5"; }); // the score itself
    await until(async () => (await states(page))[0] === "Not yet. attn_scores of In [13][0, 1] was changed, and may not be.");
  });
});

test("a wrong answer is told what it makes, and what may not be changed", async () => {
  await open("attention_as_alignment.html#&t1-1.17=0.6", async (page) => {
    const [first, second] = await states(page);
    assert.equal(first, "Not yet. attn_scores of In [13][0, 1] is 0.9544, and should be above 1.2.");
    assert.equal(second, "Not yet. argmax(attn_weights[4]) is 2, and should be equal to 4. inputs[5, 2] was changed, and may not be.");
  });
  await open("attention_by_hand.html", async (page) => { // min(attention_weights1) > 0 holds, and is not said
    assert.match((await states(page))[2], /^Not yet\. min\(attention_weights\) is 0\.\d+, and should be below 0\.$/);
  });
});

test("the bar says how the first question stands that was begun", async () => {
  await open("self_attention_in_three_steps.html#&u1-1.17=-1", async (page) => {
    const [first] = await states(page);
    assert.match(first, /^Not yet\. attention_weights\[4, 5\] is 0\.\d+, and should be below 0\.05\.$/);
    assert.equal(await page.textContent(".changes a"), first.replace("Not yet.", "Question 1:"));
  });
});

test("infinity and nan answer no question that does not ask for them", async () => {
  for (const text of ["inf", "-inf", "nan"]) {
    await open(`attention_as_alignment.html#&t1-1.2=${text}`, async (page) => {
      assert.equal((await states(page))[0], `Not yet. attn_scores of In [13][0, 1] is ${text}. A finite number is asked for.`);
    });
  }
  await open("attention_as_alignment.html#&t1-1.2=inf", async (page) => {
    assert.deepEqual(await states(page), ["✓ Yes."]);
  }, { folder: `${process.cwd()}/infinite` });
});

test("an answer that is looked up gives way to the reader's own changes again", async () => {
  await open("attention_as_alignment.html#&t1-1.0=0.5&t1-1.17=-2", async (page) => {
    const button = (i) => page.locator(".question .apply").nth(i);
    for (const i of [0, 1]) await page.click(`.question >> nth=${i} >> summary:text("Answer")`);
    await button(0).click();
    assert.equal(await hash(page), "#&t1-1.2=1.5");
    assert.deepEqual(await page.locator(".question .apply").allTextContents(), ["Back to mine", "Make these changes", "Make these changes"]);
    await button(1).click(); // another answer
    assert.equal(await hash(page), "#&t1-1.12=3");
    await button(1).click();
    assert.equal(await hash(page), "#&t1-1.0=0.5&t1-1.17=-2");
    await button(0).click();
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await hash(page), "#&t1-1.0=0.5&t1-1.17=-2");
    assert.equal(await button(0).textContent(), "Make these changes");
  });
});

test("a question whose answer does not hold, or that is answered from the start, is a mistake that the page names", async () => {
  await open("attention_as_alignment.html", async (page) => {
    const [wrong, early] = await states(page);
    assert.equal(wrong, "Not yet. inputs[0, 0] is 0.43, and should be above 1.");
    assert.equal(early, "The question has a mistake: its condition holds before anything is changed.");
    assert.equal(await page.locator(".question .error").count(), 1);
    await page.click(".question >> nth=0 >> summary:text('Answer')");
    await page.click(".question >> nth=0 >> .apply");
    assert.equal((await states(page))[0], "The question has a mistake: its answer does not hold. inputs[0, 0] is 0.5, and should be above 1.");
    assert.deepEqual(await violations(page, contrast), []);
    await page.click(".question >> nth=0 >> .apply"); // "Back to mine"
    assert.deepEqual(await states(page), [wrong, early]);
    await page.evaluate(() => { location.hash = "#&t1-1.0=2"; });
    await until(async () => (await states(page)).join() === "✓ Yes.,✓ Yes.");
  }, { folder: `${process.cwd()}/mistaken` });
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
    assert.deepEqual((await states(page)).map((text) => text.split(". ")[0]), ["Not yet", "✓ Yes.", "Not yet"]);
    assert.match(await page.locator("#t10-1 tbody td").first().getAttribute("style"), /^background:/);
    assert.deepEqual(complaints, []);
  } finally {
    await page.close();
    server.close();
  }
});
