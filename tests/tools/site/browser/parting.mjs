// Tests the page of two traces, where a value can be followed, and the cells that tell where their operations part.
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { violations } from "./access.mjs";
import { open, until } from "./browser.mjs";

const parting = { folder: resolve("parting") };
const traced = { folder: resolve("traced") };

// Passes the page of where_they_part to `use`: Linear of C++ here, linear there.
const read = (use, options) => open("parting.html", use, { ...parting, ...options });

const side = (page, name) =>
  page.locator(`.rows tbody td[data-side=${name}]`).evaluateAll((cells) =>
    cells.map((cell) => cell.querySelector(".name")?.textContent ?? ""));

const pressed = (page) => page.locator("button.value[aria-pressed=true]");
const inputs = (page) => page.locator("td[data-side=here] .takes button.value"); // the first is the input of all layers
const isFocused = (locator) => locator.evaluate((one) => one === document.activeElement);
const overflows = (page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

test("both programs stand side by side, in order", async () => {
  await read(async (page) => {
    assert.deepEqual(await side(page, "here"),
      ["matmul", "add_", "matmul", "add_", "matmul", "add_", "matmul", "div", "softmax", "matmul"]);
    assert.deepEqual(await side(page, "there"),
      ["linear", "", "linear", "", "linear", "", "matmul", "div", "softmax", "matmul"]);
    const here = await page.locator(".rows tbody tr").first().locator("td[data-side=here]").boundingBox();
    const there = await page.locator(".rows tbody tr").first().locator("td[data-side=there]").boundingBox();
    assert.equal(here.y, there.y);
    assert.ok(here.x + here.width <= there.x + 1);
  });
});

test("each row that differs leads to the reason", async () => {
  await read(async (page) => {
    for (const link of await page.locator(".rows .why a").all()) {
      assert.equal(await page.locator(await link.getAttribute("href")).count(), 1);
    }
    await page.locator(".rows .why a").first().click();
    await until(() => page.locator("#difference-1").evaluate((one) => one.matches(":target")));
  });
});

test("a click follows a value through both programs, and another one forgets it", async () => {
  await read(async (page) => {
    await inputs(page).first().click();
    assert.equal(await pressed(page).count(), 6); // the three layers of each side take x
    assert.equal(await page.locator("tr.holds").count(), 3);
    assert.match(await page.locator("#followed").textContent(),
      /^float32 \(2, 6, 768\), in rows of this page: given 0 here, 0 there; taken 3 here, 3 there\./);
    assert.ok(await page.locator("#moves").isVisible());
    await inputs(page).first().click();
    assert.equal(await pressed(page).count(), 0);
    assert.equal(await page.locator("tr.holds, .related").count(), 0);
    assert.equal(await page.locator("#followed").textContent(), "");
    assert.ok(await page.locator("#moves").isHidden());
  });
});

test("a result is followed from the operation that gave it to those that take it", async () => {
  await read(async (page) => {
    const weights = page.locator("td[data-side=here] .gives button.value").nth(8); // of softmax
    await weights.click();
    assert.match(await page.locator("#followed").textContent(), /given 1 here, 0 there; taken 1 here, 0 there\./);
    assert.equal(await pressed(page).count(), 2);
  });
});

test("keys follow a value, step through it, and forget it", async () => {
  await read(async (page) => {
    const first = inputs(page).first();
    await first.focus();
    await page.keyboard.press("Enter");
    assert.equal(await pressed(page).count(), 6);
    await page.locator("#behind").focus();
    await page.keyboard.press("Space");
    assert.ok(await isFocused(pressed(page).nth(1)));
    await page.locator("#before").focus();
    await page.keyboard.press("Enter");
    assert.ok(await isFocused(pressed(page).nth(0)));
    await page.locator("#before").focus();
    await page.keyboard.press("Enter");
    assert.ok(await isFocused(pressed(page).nth(5)));
    await page.keyboard.press("Escape");
    assert.equal(await pressed(page).count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.hash), await first.getAttribute("data-hash"));
    await page.keyboard.press("Enter");
    await page.locator("#clear").focus();
    await page.keyboard.press("Enter");
    assert.equal(await pressed(page).count(), 0);
  });
});

test("without scripts the page has both programs and promises no button", async () => {
  await read(async (page) => {
    assert.equal((await side(page, "here")).length, 10);
    assert.ok(await page.locator("section .needs-js").isHidden());
    assert.ok(await page.locator("#moves").isHidden());
  }, { javaScriptEnabled: false });
});

for (const [colorScheme, width] of [["light", 1280], ["dark", 360]]) {
  test(`axe finds nothing where operations part, and nothing is wider than the page, ${colorScheme}, ${width}`, async () => {
    const options = { colorScheme, viewport: { width, height: 900 } };
    await read(async (page) => {
      assert.deepEqual(await violations(page), []);
      await inputs(page).first().click();
      assert.deepEqual(await violations(page), []);
      assert.equal(await overflows(page), false);
    }, options);
    await open("mathematical_trick.html", async (page) => {
      assert.match(await page.locator("#cell-10 .parting").textContent(), /^other random numbers: .* 42 here and with 43 there$/);
      assert.deepEqual(await violations(page), []);
      assert.equal(await overflows(page), false);
    }, { ...traced, ...options });
  });
}
