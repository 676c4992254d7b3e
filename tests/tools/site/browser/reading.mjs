// Tests reading: steps, switches, links, copying, and pages without scripts, on a phone and on paper.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hash, open, read, until } from "./browser.mjs";

const page_name = "keys_queries_values.html";
const cells = 53;

const current = (page) => page.locator(".cell[aria-current]").evaluateAll((found) => found.map((cell) => cell.id));
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const light = "rgb(250, 249, 246)";
const dark = "rgb(21, 24, 27)";

test("j, k and the arrows step from cell to cell", async () => {
  await open(page_name, async (page) => {
    assert.deepEqual(await current(page), ["cell-1"]);
    await page.keyboard.press("k");
    assert.deepEqual(await current(page), ["cell-1"]);
    for (const key of ["j", "ArrowRight", "j", "j"]) await page.keyboard.press(key);
    assert.deepEqual(await current(page), ["cell-5"]);
    for (const key of ["k", "ArrowLeft"]) await page.keyboard.press(key);
    assert.deepEqual(await current(page), ["cell-3"]);
    assert.equal(await page.textContent("#where"), `cell 3 of ${cells}`);
    assert.equal(await hash(page), "#cell-3");
    const bar = (await page.locator(".bar").boundingBox()).height;
    const top = (await page.locator("#cell-3").boundingBox()).y;
    assert.ok(top >= bar && top < bar + 40, `the cell is at ${top}`);
    assert.equal(await page.evaluate(() => document.activeElement.id), "cell-3");
    for (let i = 0; i < cells + 3; ++i) await page.keyboard.press("j");
    assert.deepEqual(await current(page), [`cell-${cells}`]);
    assert.equal(await page.locator("#done").evaluate((bar) => bar.style.transform), "scaleX(1)");
  });
});

// No click scrolls the current cell out of view, so that another would be the current one.
const tall = { viewport: { width: 1280, height: 3000 } };

test("keys are left alone in fields and tables, with Ctrl, and when switched off", async () => {
  await open(page_name, async (page) => {
    await page.keyboard.press("Control+j");
    assert.deepEqual(await current(page), ["cell-1"]);
    await page.locator("#t4-1 tbody td").first().focus();
    assert.deepEqual(await current(page), ["cell-4"]);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("j");
    assert.deepEqual(await current(page), ["cell-4"]);
    await page.click(".view summary");
    await page.uncheck("#keys");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".view[open]").count(), 0);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("j");
    assert.deepEqual(await current(page), ["cell-4"]);
    await page.reload();
    await page.keyboard.press("j");
    assert.deepEqual(await current(page), ["cell-1"]); // the page remembers the switch
  }, tall);
});

test("keys step again once a menu is closed, or the list of cells was opened", async () => {
  await open(page_name, async (page) => {
    await page.click(".view summary");
    await page.keyboard.press("j");
    assert.deepEqual(await current(page), ["cell-1"]); // because the menu is open
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    assert.deepEqual(await current(page), ["cell-2"]);
    await page.click(".contents summary");
    await page.keyboard.press("j");
    assert.deepEqual(await current(page), ["cell-3"]);
  }, tall);
});

test("the buttons step, and stop at the ends", async () => {
  await open(page_name, async (page) => {
    assert.ok(await page.isDisabled("#back"));
    await page.click("#on");
    await page.click("#on");
    await page.click("#back");
    assert.deepEqual(await current(page), ["cell-2"]);
  });
});

test("reading on moves the progress", async () => {
  await open(page_name, async (page) => {
    await page.mouse.wheel(0, 6000);
    await page.waitForFunction(() => Number(document.getElementById("now").textContent) > 4);
    await until(() => page.evaluate(() => { // it may still be scrolling
      const { top, bottom } = document.querySelector(".cell[aria-current]").getBoundingClientRect();
      return top < innerHeight && bottom > 0;
    }));
  });
});

test("after a jump beyond the cells, the cell above is the current one", async () => {
  await open("self_attention_in_three_steps.html", async (page) => {
    await page.click(".computes a[href='#questions']");
    await until(async () => (await page.textContent("#where")) === "cell 12 of 12");
    await page.keyboard.press("Home");
    await until(async () => (await page.textContent("#where")) === "cell 1 of 12");
  }, { viewport: { width: 1280, height: 300 } });
});

test("Escape in a table gives the arrow keys back to the cells, and leaves the whole screen only then", async () => {
  await open("self_attention_in_three_steps.html", async (page) => {
    await page.keyboard.press("f");
    await page.locator("#u1-1 tbody td").first().click();
    await page.keyboard.type("2");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowRight"); // in the table
    assert.deepEqual(await current(page), ["cell-1"]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowRight");
    assert.equal(await hash(page), "#cell-2&u1-1.0=2");
    assert.equal(await page.isVisible(".title"), false);
    await page.keyboard.press("Escape");
    assert.ok(await page.isVisible(".title"));
  });
});

test("a permalink opens at its cell", async () => {
  await open(page_name + "#cell-34", async (page) => {
    assert.deepEqual(await current(page), ["cell-34"]);
    assert.ok((await page.locator("#cell-34").boundingBox()).y < 200);
    await page.click("#cell-34 h2 a");
    assert.equal(await hash(page), "#cell-34");
    await page.evaluate(() => { location.hash = "#cell-8"; });
    await page.waitForSelector("#cell-8[aria-current]");
  });
});

test("one column of code or both, remembered", async () => {
  await open(page_name, async (page) => {
    const visible = async () => [await page.isVisible("#cell-3 .python"), await page.isVisible("#cell-3 .cpp")];
    assert.deepEqual(await visible(), [true, true]);
    const [left, right] = [await page.locator("#cell-3 .python").boundingBox(), await page.locator("#cell-3 .cpp").boundingBox()];
    assert.ok(right.x > left.x + left.width - 2 && Math.abs(right.y - left.y) < 2, "side by side");
    await page.click(".view summary");
    await page.click("#columns label:nth-of-type(2)");
    assert.deepEqual(await visible(), [true, false]);
    await page.click("#columns label:nth-of-type(3)");
    assert.deepEqual(await visible(), [false, true]);
    await page.reload();
    assert.deepEqual(await visible(), [false, true]);
    await page.click(".view summary");
    await page.click("#columns label:nth-of-type(1)");
    assert.deepEqual(await visible(), [true, true]);
  });
});

test("an address starts without C++, with links that do so, and is not remembered", async () => {
  await open(page_name + "?python#cell-3", async (page) => {
    const visible = async () => [await page.isVisible("#cell-3 .python"), await page.isVisible("#cell-3 .cpp")];
    assert.deepEqual(await visible(), [true, false]);
    assert.ok(await page.isChecked("#columns input[value=python]"));
    await page.keyboard.press("k");
    assert.match(page.url(), /\.html\?python#cell-2$/);
    await page.click(".trail a");
    await page.waitForURL(/index\.html\?python$/);
    await page.click(".books a >> nth=1");
    await page.waitForSelector("#cell-3 .python");
    assert.deepEqual(await visible(), [true, false]);
    await page.goto(page.url().replace("?python", ""));
    assert.deepEqual(await visible(), [true, true]);
  });
});

test("light and dark by the system and by the switch, remembered", async () => {
  await open(page_name, async (page) => {
    assert.equal(await background(page), light);
    await page.emulateMedia({ colorScheme: "dark" });
    assert.equal(await background(page), dark);
    await page.click(".view summary");
    await page.click("#theme label:nth-of-type(2)");
    assert.equal(await background(page), light);
    await page.reload();
    assert.equal(await background(page), light);
    await page.click(".view summary");
    await page.click("#theme label:nth-of-type(3)");
    await page.emulateMedia({ colorScheme: "light" });
    assert.equal(await background(page), dark);
    await page.click("#theme label:nth-of-type(1)");
    assert.equal(await background(page), light);
  });
});

// A button says "Copied" for 1.5 s, which a busy machine may miss: without timers, it stays.
const keepWords = (page) => page.evaluate(() => { window.setTimeout = () => 0; });

test("copying gives the code as it stands", async () => {
  await open("self_attention_in_three_steps.html", async (page, context) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await keepWords(page);
    await page.hover("#cell-3 .cpp");
    await page.click("#cell-3 .cpp .copy");
    await page.waitForSelector("#cell-3 .cpp .copy:text('Copied')");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await page.textContent("#cell-3 .cpp code"));
    assert.match(copied, /attention_scores_for_light\[i\] = torch::dot\(query, token_embedding\);/);
    assert.equal(await page.textContent("#say"), "Copied");
  });
});

test("copying works where there is no clipboard of the modern kind", async () => {
  await open("self_attention_in_three_steps.html", async (page, context) => {
    await context.grantPermissions(["clipboard-read"]);
    await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("none")); });
    await keepWords(page);
    await page.focus("#cell-8 .python .copy");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#cell-8 .python .copy:text('Copied')");
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "inputs.T.shape");
  });
});

test("without a script everything but the switches is there", async () => {
  await open("mathematical_trick.html", async (page) => {
    assert.ok(await page.isVisible("#cell-8 .python"));
    assert.ok(await page.isVisible("#cell-8 .cpp"));
    assert.ok(await page.isVisible("#t10-2 table"));
    assert.ok(await page.isVisible("#cell-10 .legend"));
    assert.ok(await page.isVisible(".restored .note"));
    assert.match(await page.textContent("#t10-2 .origin"), /^= a of In \[45\] @ b$/);
    assert.equal(await page.locator(".view, .copy, #on").filter({ visible: true }).count(), 0);
    await page.click(".contents summary");
    await page.click(".contents a[href='#cell-14']");
    await until(async () => (await page.locator("#cell-14").boundingBox()).y < 900);
  }, { javaScriptEnabled: false });
});

test("a phone shows it all without scrolling sideways", async () => {
  for (const name of ["index.html", "attention_by_hand.html", page_name, "mathematical_trick.html"]) {
    await open(name, async (page) => {
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, name);
      const outside = await page.locator("button, summary, h1, h2").evaluateAll((found) =>
        found.filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > 360).length);
      assert.equal(outside, 0, name);
    }, { viewport: { width: 360, height: 740 } });
  }
});

const wide = { viewport: { width: 1920, height: 1080 } };

test("on wide screens the contents are beside the text and follow it", async () => {
  await open(page_name, async (page) => {
    const marked = () => page.locator(".contents [aria-current]").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    assert.deepEqual(await marked(), ["#section-1", "#cell-1"]);
    const [contents, text] = [await page.locator(".contents").boundingBox(), await page.locator(".sections").boundingBox()];
    assert.ok(contents.x + contents.width <= text.x);
    const titles = await page.locator(".contents nav > ol > li > a").evaluateAll((all) =>
      all.map((one) => [one.clientHeight / parseFloat(getComputedStyle(one).lineHeight), one.title, one.textContent]));
    assert.deepEqual(titles.filter(([lines]) => lines > 2.1), []);
    for (const [, title, text] of titles.slice(0, -1)) assert.equal(title, text); // the last one leads to the questions
    await page.click(".contents a[href='#cell-53']");
    await until(async () => (await marked()).at(-1) === "#cell-53");
    const { y, height } = await page.locator(".contents a[href='#cell-53']").boundingBox();
    assert.ok(y > 0 && y + height < 1080, "the marked cell is in view in the contents");
    await page.setViewportSize({ width: 1280, height: 900 });
    await until(async () => await page.locator(".contents[open]").count() === 0);
  }, wide);
});

test("a section folds, and a step into it opens it", async () => {
  await open(page_name, async (page) => {
    const summary = page.locator("#section-1 > summary");
    assert.equal((await summary.innerText()).trim(), "Section 1");
    await summary.focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.isVisible("#cell-3"), false);
    assert.match(await summary.innerText(), /Section 1\s+This notebook has three examples, which lead/);
    await page.keyboard.press("j");
    assert.ok(await page.isVisible("#cell-2"));
    assert.equal(await page.textContent("#cell-6 .label .place"), "@6"); // In [11]
  });
});

test("the view without C++ has no notes on C++", async () => {
  await open(page_name, async (page) => {
    const note = page.locator(".note", { hasText: "In C++, Python's F.softmax" });
    assert.ok(await note.isVisible());
    await page.click(".view summary");
    await page.click("#columns label:nth-of-type(2)");
    assert.equal(await note.isVisible(), false);
    const seen = await page.locator(".note").filter({ visible: true }).allTextContents();
    assert.ok(seen.length > 8);
    assert.deepEqual(seen.filter((text) => /C\+\+|torch::|std::|nb\.|the port/.test(text)), []);
  });
});

test("f shows the current cell on the whole screen, keys go on, and Escape ends it", async () => {
  await open("mathematical_trick.html#cell-3", async (page) => {
    const shown = () => page.locator("body *").filter({ visible: true }).evaluateAll((all) =>
      all.filter((one) => !one.closest(".cell [class], #say")).map((one) => one.id).filter(Boolean));
    const press = async (key, cell) => {
      await page.keyboard.press(key);
      assert.deepEqual([await hash(page), ...await shown()], [`#${cell}`, cell], key);
      const box = await page.locator(`#${cell}`).boundingBox();
      assert.deepEqual(box, { x: 0, y: 0, ...page.viewportSize() });
    };
    await press("f", "cell-3");
    await press("ArrowRight", "cell-4");
    await press("ArrowLeft", "cell-3");
    await press("Space", "cell-4");
    await press("PageDown", "cell-5");
    await press("PageUp", "cell-4");
    await press("j", "cell-5");
    await page.keyboard.press("Escape");
    assert.equal(await hash(page), "#cell-5");
    for (const part of [".title", ".questions", "#cell-4"]) assert.ok(await page.isVisible(part));
    const top = (await page.locator("#cell-5").boundingBox()).y;
    assert.ok(top > 0 && top < 100, `the cell is at ${top}`);
    await page.keyboard.press("Space"); // scrolls
    assert.equal(await hash(page), "#cell-5");
    await page.click(".view summary");
    await page.uncheck("#keys");
    await page.keyboard.press("Escape");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("f");
    assert.ok(await page.isVisible(".title"));
  }, wide);
});

test("a cell on the whole screen has the size for which there is room, and scrolls if it needs more", async () => {
  for (const viewport of [{ width: 1280, height: 720 }, { width: 1920, height: 1080 }]) {
    await open(page_name, async (page) => {
      const size = () => page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize));
      await page.keyboard.press("f");
      const sizes = [];
      for (let cell = 1; cell <= 20; ++cell) {
        const isHigh = await page.locator(`#cell-${cell}`).evaluate((one) => one.scrollHeight > innerHeight);
        sizes.push(await size());
        assert.ok(!isHigh || sizes.at(-1) < 17, `cell ${cell}: ${sizes.at(-1)}`);
        await page.keyboard.press("ArrowRight");
      }
      assert.ok(sizes.filter((one) => one < 17).length < 5, sizes.join(" "));
      await page.keyboard.press("f");
      assert.equal(await size(), 16);
    }, { viewport });
  }
});

test("at 1920 pixels the index has the attention in its right half, beside the title and the notebooks", async () => {
  await open("index.html", async (page) => {
    const [attention, title, notebooks, side] = await Promise.all(["#attention", ".title", "#notebooks", ".side"]
      .map((one) => page.locator(one).boundingBox()));
    assert.ok(attention.x > 900 && attention.width > 700);
    const gap = ({ y, height }, below) => below.y - (y + height);
    assert.ok(gap(title, notebooks) >= 0 && gap(title, notebooks) < 100 && notebooks.y < attention.y + attention.height);
    assert.ok(gap(attention, side) >= 0 && gap(attention, side) < 100);
  }, wide);
});

test("who wants less motion gets none", async () => {
  await open(page_name, async (page) => {
    assert.equal(await page.locator("#done").evaluate((bar) => getComputedStyle(bar).transitionDuration), "0s");
  }, { reducedMotion: "reduce" });
  await open(page_name, async (page) => {
    assert.equal(await page.locator("#done").evaluate((bar) => getComputedStyle(bar).transitionDuration), "0.2s");
  });
});

test("paper gets the cells in light colours, without controls, on few sheets, and nothing is cut off", async () => {
  for (const [name, most] of [["mathematical_trick.html", 9], [page_name, 14]]) {
    await open(name, async (page) => {
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      const controls = page.locator("button, summary, input, select, .bar, .contents, .changes, .past");
      assert.deepEqual(await controls.filter({ visible: true }).evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 99))
        .filter((html) => !html.includes('type="radio"'))), [], name); // the words that look are the inputs' labels
      const cut = await page.locator("pre, .scroll, .output, .panel, td").evaluateAll((all) =>
        all.filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
          .map((one) => `${one.closest(".cell").id}: ${one.className}`));
      assert.deepEqual(cut, [], name);
      assert.ok(await page.locator(".heat").first().isVisible());
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), "rgb(31, 36, 40)");
      const sheets = (await page.pdf({ format: "A4", preferCSSPageSize: true })).toString("latin1").match(/\/Type \/Page\b/g).length;
      assert.ok(sheets > 1 && sheets < most, `${name}: ${sheets} sheets`);
    }, { viewport: { width: 700, height: 1000 } }); // a page of A4 less its margins
  }
});

test("a comment that does not fit after its code goes to a line of its own", async () => {
  await open("attention_as_alignment.html", async (page) => {
    const comment = page.locator("#cell-3 .cpp .comment", { hasText: "unused, as in the original" });
    const [{ height }, { height: line }] = [await comment.boundingBox(), await page.locator("#cell-3 .cpp .comment").last().boundingBox()];
    assert.equal(height, line); // it does not wrap
  });
});

test("code is never cut: it wraps, and continues indented", async () => {
  for (const name of ["keys_queries_values.html", "mathematical_trick.html"]) {
    await open(name, async (page) => {
      for (const width of [390, 768, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        const cut = await page.locator(".code pre").evaluateAll((all) =>
          all.filter((pre) => pre.scrollWidth > pre.clientWidth).map((pre) => pre.textContent));
        assert.deepEqual(cut, [], `${name}, ${width}`);
      }
    });
  }
});
