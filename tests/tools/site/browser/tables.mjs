// Tests tables of colours: pointing, keys, printed numbers, and the origin of an entry.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hash, lights, open, read, until } from "./browser.mjs";

const name = "attention_as_alignment.html"; // inputs (1), scores (4) = inputs @ inputs.T, weights (5), contexts (6)

const words = ["Your", "journey", "starts", "with", "one", "step"]; // the port and its twin name them
const entry = (page, tensor, row, column) => page.locator(`#${tensor} tbody tr`).nth(row).locator("td").nth(column);
const printed = (page, tensor, index) => page.locator(`samp [data-of="${tensor}"][data-i="${index}"]`);
const lit = (page, selector) => page.locator(selector).evaluateAll((found) => found.map((one) => one.textContent.trim()));
const rows = (page, tensor) =>
  page.locator(`#${tensor} .panel tr`).evaluateAll((found) =>
    found.map((row) => [...row.cells].map((cell) => cell.textContent).join(" ")));

test("a table is a table: caption, headers with scopes, values as text, a scale", async () => {
  await read(name, async (page) => {
    const table = page.locator("#t4-1 .heat");
    assert.match(await table.locator("caption").textContent(), /attn_scores of In \[13\] as a table of colours, attn_scores: torch\.float32, 6 × 6/);
    assert.deepEqual(await table.locator("thead th[scope=col]").allTextContents(), words);
    assert.deepEqual(await table.locator("tbody th[scope=row]").allTextContents(), words);
    assert.equal(await entry(page, "t4-1", 0, 1).textContent(), "0.9544");
    assert.deepEqual(await page.locator("#t4-1 .legend").textContent(), "Colours go from 0.2935 to 1.495");
  });
});

test("pointing lights up the entry, its row, its column and the printed number", async () => {
  await open(name, async (page) => {
    await entry(page, "t4-1", 1, 2).hover();
    assert.deepEqual(await lights(entry(page, "t4-1", 1, 2)), [["lit"]]);
    assert.deepEqual(await lights(printed(page, "t4-1", 8)), [["lit"]]);
    assert.equal(await printed(page, "t4-1", 8).textContent(), "1.4754");
    assert.equal(await page.locator("#t4-1 tbody td.near").count(), 10);
    assert.equal(await page.locator("samp [data-of=t4-1].near").count(), 10);
    assert.deepEqual(await lit(page, "#t4-1 th.near"), ["starts", "journey"]);
    await page.hover("h1");
    assert.equal(await page.locator(".lit:not(.panel *), .near, .used").count(), 0);
  });
});

test("pointing at a printed number lights up its entry", async () => {
  await open(name, async (page) => {
    await printed(page, "t4-1", 3).hover();
    assert.deepEqual(await lights(entry(page, "t4-1", 0, 3)), [["lit"]]);
    assert.equal(await page.locator("#t4-1 tbody td.near").count(), 10);
  });
});

test("every printed number of a tensor is the entry's text", async () => {
  for (const page_name of [name, "attention_by_hand.html", "keys_queries_values.html", "mathematical_trick.html"]) {
    await read(page_name, async (page) => {
      const pairs = await page.evaluate(() =>
        [...document.querySelectorAll(".cell > :not(.unshown) .tensor")].map((tensor) => [
          [...tensor.querySelectorAll(".heat tbody td")].map((td) => td.textContent).join(" "),
          [...document.querySelectorAll(`samp [data-of="${tensor.id}"]`)].map((span) => span.textContent.trim()).join(" "),
        ]));
      assert.ok(pairs.length > 3);
      for (const [entries, numbers] of pairs) assert.equal(entries, numbers);
    });
  }
});

test("a table has one tab stop, and the arrow keys move inside it", async () => {
  await open(name, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    assert.equal(await page.locator("#t4-1 td[tabindex='0']").count(), 1);
    await entry(page, "t4-1", 0, 0).focus();
    for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
    assert.deepEqual(await lights(entry(page, "t4-1", 1, 0)), [["lit"]]);
    for (const key of ["ArrowLeft", "End", "ArrowRight"]) await page.keyboard.press(key);
    assert.equal(await focused(), "1.0865");
    await page.keyboard.press("Home");
    assert.equal(await focused(), "0.9544");
    assert.equal(await page.locator("#t4-1 td[tabindex='0']").count(), 1);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.closest(".heat")), null);
    await page.keyboard.press("Shift+Tab");
    assert.equal(await focused(), "0.9544");
  });
});

test("an entry of a product shows its row, its column and the sum", async () => {
  await open(name, async (page) => {
    await entry(page, "t4-1", 0, 1).hover();
    assert.deepEqual(await rows(page, "t4-1"), [
      "Your, row 0 of inputs 0.4300 0.1500 0.8900",
      "× journey, row 1 of inputs 0.5500 0.8700 0.6600",
      "products 0.2365 0.1305 0.5874",
      "sum 0.9544",
    ]);
    assert.deepEqual(await lit(page, "#t1-1 td.used"), ["0.4300", "0.1500", "0.8900", "0.5500", "0.8700", "0.6600"]);
    await entry(page, "t6-1", 2, 1).hover();
    assert.match((await rows(page, "t6-1"))[0], /^starts, row 2 of attn_weights 0\.1390 0\.2369 /);
    assert.match((await rows(page, "t6-1"))[1], /^× column 1 of inputs 0\.1500 0\.8700 0\.8500 0\.5800 0\.2500 0\.8000$/);
    assert.equal((await rows(page, "t6-1"))[3], "sum 0.6496");
  });
});

test("an entry of a softmax shows scores, exponentials, weights, and where the score comes from", async () => {
  await open(name, async (page) => {
    await entry(page, "t5-1", 1, 2).hover();
    const text = await page.textContent("#t5-1 .panel");
    assert.match(text, /^How much journey looks at starts: 0\.23327/);
    assert.match(text, /exp\(1\.4754 − 1\.495\) = 0\.98059, divided by the sum 4\.2036, is 0\.23327\./);
    assert.match(text, /1\.4754, an entry of attn_scores of In \[13\], is in turn:/);
    const [scores, , weights, , , products, sum] = await rows(page, "t5-1");
    assert.equal(scores, "score 0.9544 1.4950 1.4754 0.8434 0.7070 1.0865");
    assert.equal(weights, "weight 0.1385 0.2379 0.2333 0.1240 0.1082 0.1581");
    assert.equal(products, "products 0.3135 0.7395 0.4224");
    assert.equal(sum, "sum 1.4754");
    assert.equal(await page.locator("#t4-1 td.used").count(), 6);
  });
});

test("exponentials divided by their sum are told with the numbers that the notebook prints", async () => {
  await open("attention_by_hand.html", async (page) => {
    await entry(page, "t26-1", 0, 0).hover(); // In [28] displays the sum, and In [30] the exponential
    assert.match(await page.textContent("#t26-1 .panel"), /exp\(0\.41\d*\) = 1\.5187, divided by the sum 8\.6883, is 0\.1748/);
    assert.equal((await rows(page, "t26-1"))[1], "exp(score) 1.5187 1.5844 1.1499 1.7348 1.2258 1.4747");
  });
});

test("what an entry was computed from is announced to those who come by key", async () => {
  await open(name, async (page) => {
    await entry(page, "t4-1", 0, 0).hover();
    assert.equal(await page.textContent("#say"), "");
    await entry(page, "t4-1", 0, 0).focus();
    assert.equal(await page.textContent("#say"), "Your with Your: the sum of 0.1849 + 0.0225 + 0.7921");
  });
});

test("a product of what no cell shows has its numbers, too", async () => {
  await open("self_attention_in_three_steps.html", async (page) => {
    assert.match(await page.textContent("#cell-1 .unshown"), /Used here but not shown:\s+inputs as a table of colours, /);
    await entry(page, "t11-1", 4, 0).hover();
    assert.deepEqual((await rows(page, "t11-1")).slice(0, 2), [
      "light, row 4 of attention_weights 0.2068 0.1480 0.1526 0.1706 0.1829 0.1389",
      "× column 0 of inputs 0.2100 0.5200 0.0300 0.7300 0.1300 0.2200",
    ]);
    assert.deepEqual(await lit(page, "#u1-1 td.used"), ["0.21", "0.52", "0.03", "0.73", "0.13", "0.22"]);
  });
});

test("what an entry was computed from is a link away", async () => {
  await open("self_attention_in_three_steps.html", async (page) => {
    await page.locator("#t11-1 .origin a").last().click();
    await until(async () => await hash(page) === "#u1-1");
    await page.waitForSelector("#cell-1[aria-current=true]");
    assert.equal(await page.locator("[aria-current=true]").count(), 1);
    const bar = await page.locator(".bar").boundingBox();
    await until(async () => {
      const { y } = await page.locator("#u1-1").boundingBox();
      return y >= bar.height && y < 900;
    });
  });
});

test("a batch of products multiplies with the matrix of its own index", async () => {
  await open("mathematical_trick.html", async (page) => {
    assert.deepEqual(await page.locator("#u13-3 caption").allTextContents(), [0, 1, 2, 3].map((index) =>
      `xbow3 as a table of colours, [${index}]`));
    await page.locator("#u13-3 table").nth(2).locator("tbody tr").nth(1).locator("td").nth(1).hover(); // [2, 1, 1]
    const [weights, column, , sum] = await rows(page, "u13-3");
    assert.equal(weights, "t1, row 1 of wei 2 of In [78] 0.5000 0.5000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000");
    assert.match(column, /^× column 1 of \[2\] of x 0\.5204 0\.3209 -0\.8331 /);
    assert.equal(sum, "sum 0.4206");
    assert.equal(await page.locator("#u2-1 table").nth(2).locator("td.used").count(), 8);
    assert.equal(await page.locator("#u2-1 td.used").count(), 8);
  });
});

test("products of rows and vectors, of integers, and along the other dimension", async () => {
  await open("keys_queries_values.html", async (page) => {
    await entry(page, "t39-1", 0, 1).hover();
    assert.deepEqual(await rows(page, "t39-1"), [
      "v_1, row 0 of queries of In [158] 1 0 2", "× v_2, column 1 of In [147] 4 4 0", "products 4 0 0", "sum 4",
    ]);
  });
  await open("attention_by_hand.html", async (page) => {
    assert.equal(await page.textContent("#t35-1 .origin"), "= softmax of attn_scores of In [27] along dim 0");
    await entry(page, "t35-1", 2, 1).hover();
    const [scores] = await rows(page, "t35-1");
    assert.equal(scores, "score 0.4602 1.2304 0.2611 1.1189 0.3408 1.0023"); // a column of the scores
  });
});
