// Tests pages that compute: unchanged they have the document's texts; changed they have what PyTorch says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { contrast, violations } from "./access.mjs";
import { hash, open, read, until } from "./browser.mjs";

const names = ["attention_as_alignment", "attention_by_hand", "keys_queries_values", "mathematical_trick",
  "self_attention_in_three_steps"];
const ported = process.env.PORTED; // the folder of the twins
const python = process.env.PYTHON ?? "/usr/bin/python3";

const entry = (page, tensor, index) => page.locator(`#${tensor} .heat tbody td`).nth(index);
const texts = (page) => page.locator(".printed [data-where] samp").allTextContents();
const shown = (page, cell) => page.locator(`#cell-${cell} .printed samp`).allTextContents();
const bar = (page) => page.locator(".changes");
const type = async (page, tensor, index, text) => {
  await entry(page, tensor, index).click();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
};

// Returns the texts of expressions after each twin ran with `from` replaced. One Python runs all of them, because PyTorch takes
// long to start.
const judged = (...questions) => {
  const twins = questions.map(([slug, from, to, expressions]) => {
    const twin = readFileSync(`${ported}/${slug}.py`, "utf8");
    assert.ok(twin.includes(from), `${slug}.py has ${from}`);
    return [twin.replaceAll(from, to), expressions];
  });
  const program = `import io, contextlib, json, sys
answers = []
for twin, expressions in json.load(sys.stdin):
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(twin, "twin", "exec"), names)
    answers.append([repr(eval(one, names)) for one in expressions])
print(json.dumps(answers))`;
  return JSON.parse(execFileSync(python, ["-c", program], {
    input: JSON.stringify(twins), encoding: "utf8", env: { ...process.env, ATEN_CPU_CAPABILITY: "avx2" } }));
};

const zeros = "xbow = torch.zeros((B, T, C))";
const [[scores, weights, contexts], drawn, drawnByMinusOne, [xbow, third], [chosenWeights, context]] = judged(
  ["attention_as_alignment", "0.87", "1.5", ["attn_scores", "attn_weights", "context_vectors"]],
  ["mathematical_trick", "manual_seed(42)", "manual_seed(43)", ["b", "a @ b"]],
  ["mathematical_trick", "manual_seed(42)", "manual_seed(-1)", ["b", "a @ b"]],
  ["mathematical_trick", zeros, `x[0][0, 1] = 3.0\n${zeros}`, ["xbow[0]", "x[0]"]],
  ["attention_by_hand", "import torch", "import torch",
    ["torch.softmax(inputs @ inputs.T, -1)[3].tolist()", "(torch.softmax(inputs @ inputs.T, -1) @ inputs)[3]"]],
);

// Returns the texts of a page's program that are not those of the document, its walls, and what it did not find.
const faults = (page) =>
  page.evaluate(() => {
    const { program, texts } = globalThis.torchbook.page;
    return {
      texts: texts.length,
      wrong: texts.filter(({ output, end, text }) => output.text.map((part) => program.partText(part)).join("") + end !== text).map(({ cell }) => cell),
      missing: texts.filter(({ output }) => output.missing.length > 0).map(({ cell }) => cell),
      walls: [...program.walls().values()],
    };
  });

test("unchanged, the engine has every text of the five pages byte for byte", async () => {
  let count = 0;
  for (const name of names) {
    await read(`${name}.html`, async (page) => {
      const found = await faults(page);
      count += found.texts;
      assert.deepEqual([found.wrong, found.missing, found.walls], [[], [], []], name);
    });
  }
  assert.equal(count, 84);
});

test("loading a page changes no number, text or colour", async () => {
  const folder = `${process.cwd()}/uncomputed`;
  rmSync(folder, { recursive: true, force: true });
  cpSync("pages", folder, { recursive: true });
  writeFileSync(`${folder}/computing.js`, "");
  const seen = (page) => page.evaluate(() =>
    [...document.querySelectorAll(".printed samp, .tensor .picture tbody td, .legend")]
      .map((one) => [one.innerHTML, one.getAttribute("style"), one.getAttribute("title")]));
  for (const name of names) {
    let computed = [];
    await read(`${name}.html`, async (page) => { computed = await seen(page); });
    await open(`${name}.html`, async (page) => assert.deepEqual(await seen(page), computed), { folder });
  }
});

test("tables have the colours and rounded numbers that the build gave them", async () => {
  for (const name of names) {
    await read(`${name}.html`, async (page) => {
      const others = await page.evaluate(() => {
        const { page: { pictures, program, scaleOf, styleOf, rampOf, general } } = globalThis.torchbook;
        return pictures.flatMap(({ id, tensor, styles, ends, texts, isPrinted, dtype }) => {
          const values = [...program.values[tensor].values()];
          const scale = scaleOf(values);
          const probe = document.createElement("p");
          const isAs = (value, i) => {
            probe.style.cssText = styleOf(scale, value);
            return probe.style.cssText === styles[i] && (isPrinted || dtype !== "float32" || general(value) === texts[i]);
          };
          probe.style.cssText = rampOf(scale);
          const ramp = probe.style.cssText;
          const sameLegend = ends[0][0] === general(scale.lowest) && ends.find(([text]) => text === "")[1] === ramp;
          return values.every(isAs) && sameLegend ? [] : [id];
        });
      });
      assert.deepEqual(others, [], name);
    });
  }
});

test("a typed number goes through scores, weights and contexts as in PyTorch", async () => {
  await open("attention_as_alignment.html", async (page) => {
    await type(page, "t1-1", 4, "1.5");
    assert.deepEqual(await shown(page, 4), [scores]);
    assert.deepEqual(await shown(page, 5), [weights]);
    assert.deepEqual(await shown(page, 6), [contexts]);
    const printed = await page.locator("samp [data-of=t5-1]").allTextContents();
    assert.deepEqual(await page.locator("#t5-1 .heat tbody td").allTextContents(), printed);
    assert.match(await page.textContent("#t4-1 .panel"), /./);
    await entry(page, "t4-1", 1).hover();
    assert.match(await page.textContent("#t4-1 .panel"), /× journey, row 1 of inputs0\.55001\.50000\.6600/);
    assert.equal(await entry(page, "t1-1", 4).getAttribute("data-moved"), "+0.63");
    const badgeTop = (at) => entry(page, "t1-1", at).evaluate((one) => parseFloat(getComputedStyle(one, "::before").top));
    assert.ok(await badgeTop(4) < 0); // above the entry
    assert.ok(await entry(page, "t4-1", 1).evaluate((td) => td.classList.contains("up")));
    assert.match(await bar(page).textContent(), /1 number changed/);
    await type(page, "t1-1", 1, "1.5");
    assert.ok(await badgeTop(1) > 0); // below it: the head of the column stays readable
  });
});

test("another seed draws what PyTorch draws", async () => {
  await open("mathematical_trick.html", async (page) => {
    assert.equal(await page.locator(".seed input").count(), 2);
    assert.equal(await page.locator("#seed-1").inputValue(), "42");
    const cell = await page.locator("#seed-1").evaluate((input) => Number(input.closest(".cell").id.replace("cell-", "")));
    await page.locator("#seed-1").fill("43");
    await page.keyboard.press("Enter");
    const text = (await texts(page)).join("\n");
    for (const one of drawn) assert.ok(text.includes(one), `${one} is not in cell ${cell}: ${text}`);
    assert.equal(await page.evaluate(() => location.hash), "#&seed.1=43");
    await bar(page).getByText("Undo").click();
    assert.equal(await page.locator("#seed-1").inputValue(), "42");
  });
});

test("True turns to False where an intermediate number is changed", async () => {
  await open("mathematical_trick.html", async (page) => {
    const truths = (await texts(page)).filter((text) => text === "True");
    assert.ok(truths.length > 0);
    const picture = await page.evaluate(() => {
      const { page: { pictures, program } } = globalThis.torchbook;
      return pictures.findLast(({ tensor, id, shape }) => id.startsWith("u") && program.nodes[tensor].op && shape.join() === "4,8,2").id;
    });
    await type(page, picture, 3, "99");
    assert.ok((await texts(page)).filter((text) => text === "False").length > 0);
  });
});

test("undo, reset and the link hold the changes", async () => {
  await open("attention_as_alignment.html", async (page) => {
    const before = await texts(page);
    const tables = await page.locator(".heat").evaluateAll((all) => all.map((one) => one.textContent));
    assert.equal(await bar(page).isVisible(), false);
    await type(page, "t1-1", 0, "0.5");
    const once = await texts(page);
    await type(page, "t1-1", 17, "-2");
    const twice = await texts(page);
    assert.notDeepEqual(twice, once);
    const link = await page.evaluate(() => location.href);
    assert.match(link, /#&t1-1\.0=0\.5&t1-1\.17=-2$/);
    await bar(page).getByText("Undo").click();
    assert.deepEqual(await texts(page), once);
    await bar(page).getByText("Reset").click();
    assert.deepEqual(await texts(page), before);
    assert.deepEqual(await page.locator(".heat").evaluateAll((all) => all.map((one) => one.textContent)), tables);
    assert.equal(await page.locator(".up, .down, .edited, .moved, [data-moved]").count(), 0);
    assert.equal(await bar(page).isVisible(), false);
    await page.goto("about:blank");
    await page.goto(link);
    assert.deepEqual(await texts(page), twice);
    await page.keyboard.press("j"); // to the next cell
    assert.match(await page.evaluate(() => location.hash), /^#cell-\d+&t1-1\.0=0\.5&t1-1\.17=-2$/);
  });
});

test("a jump within the page keeps the changes, and Back takes those of its address", async () => {
  await open("self_attention_in_three_steps.html", async (page) => {
    await page.click(".contents summary");
    await page.click(".contents a[href='#cell-2']");
    await type(page, "u1-1", 17, "-3");
    const jump = async (selector, address) => {
      await page.locator(selector).first().click();
      await until(async () => (await hash(page)) === address);
      assert.equal(await entry(page, "u1-1", 17).textContent(), "-3");
      assert.equal(await page.locator(".questions .answered").count(), 1);
    };
    await jump(".contents a[href='#questions']", "#questions&u1-1.17=-3");
    await jump(".question .may a", "#u1-1&u1-1.17=-3");
    await jump("#cell-10 h2 a", "#cell-10&u1-1.17=-3");
    await jump(".contents a[href='#cell-11']", "#cell-11&u1-1.17=-3");
    await page.reload();
    assert.equal(await entry(page, "u1-1", 17).textContent(), "-3");
    await type(page, "u1-1", 17, "-4");
    await page.goBack();
    await until(async () => (await entry(page, "u1-1", 17).textContent()) === "-3");
    assert.equal(await hash(page), "#cell-10&u1-1.17=-3");
    await page.goto("about:blank");
    await page.goBack();
    await page.evaluate(() => history.go(-3)); // to In [2], where the number was typed
    await until(async () => (await hash(page)) === "#cell-2&u1-1.17=-3");
    await page.goBack(); // to the page as it was opened
    await until(async () => (await page.locator(".edited").count()) === 0);
    assert.equal(await hash(page), "");
  });
});

test("an address with changes opens at the element that it names", async () => {
  await open("self_attention_in_three_steps.html#questions&u1-1.17=-3", async (page) => {
    const { y } = await page.locator("#questions").boundingBox();
    assert.ok(y >= 0 && y < 900, `the questions are at ${y}`);
  });
});

test("a link with what the page does not have is read as far as it goes", async () => {
  await open("attention_as_alignment.html#&t1-1.0=0.5&t1-1.99=1&t9-9.0=1&seed.0=4&t1-1.1=x&t1-1.2=1e", async (page) => {
    assert.equal(await entry(page, "t1-1", 0).textContent(), "0.5000");
    assert.match(await bar(page).textContent(), /1 number changed/);
    const said = "The page does not understand this of the address: t1-1.99=1, t9-9.0=1, seed.0=4, t1-1.1=x, t1-1.2=1e";
    assert.equal(await bar(page).locator(".error").textContent(), said);
    await type(page, "t1-1", 1, "2");
    assert.equal(await bar(page).locator(".error").textContent(), "");
  });
  await open("attention_as_alignment.html#&tensor.0=garbage&&%zz", async (page) => {
    assert.equal(await bar(page).innerText(), "The page does not understand this of the address: tensor.0=garbage, %zz\n\nUndo\nReset");
    for (const rules of [{}, contrast]) assert.deepEqual(await violations(page, rules), []);
    await bar(page).getByText("Reset").click();
    assert.equal(await bar(page).isVisible(), false);
  });
});

test("the link that is copied opens at the cell of the number that was changed last", async () => {
  await open("attention_as_alignment.html#cell-6", async (page) => {
    const link = async () => (await bar(page).getByText("Copy link").getAttribute("data-copies")).split("#")[1];
    await type(page, "t1-1", 4, "1");
    await type(page, "t4-1", 1, "5");
    assert.equal(await link(), "cell-4&t1-1.4=1&t4-1.1=5");
    await type(page, "t1-1", 4, "2");
    assert.equal(await link(), "cell-1&t4-1.1=5&t1-1.4=2");
  });
  await open("mathematical_trick.html#&seed.1=43", async (page) => {
    const cell = await page.locator("#seed-1").evaluate((input) => input.closest(".cell").id);
    assert.match(await bar(page).getByText("Copy link").getAttribute("data-copies"), new RegExp(`#${cell}&seed\\.1=43$`));
  });
});

test("the bar does not cover the button whose change shows it", async () => {
  const buttons = [["mathematical_trick.html", "#seed-1 + button"], ["attention_as_alignment.html", ".question >> nth=0 >> .apply"]];
  for (const [name, selector] of buttons) {
    await open(name, async (page) => {
      const button = page.locator(selector);
      await page.locator(".question details").evaluateAll((all) => all.forEach((one) => { one.open = true; }));
      await button.evaluate((one) => one.scrollIntoView({ block: "end" }));
      await button.click();
      assert.ok(await bar(page).isVisible());
      const gap = async () => (await bar(page).boundingBox()).y - (await button.boundingBox()).y;
      await until(async () => (await gap()) >= (await button.boundingBox()).height);
    }, { viewport: { width: 1280, height: 500 } });
  }
});

test("by key: Enter opens, arrows step, Escape takes back", async () => {
  await open("attention_as_alignment.html", async (page) => {
    const before = await texts(page);
    await entry(page, "t1-1", 0).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Shift+ArrowUp");
    assert.match((await shown(page, 1))[0], /\[\[0\.5400, /);
    await page.keyboard.press("Escape");
    assert.deepEqual(await texts(page), before);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), "TD");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("7");
    await page.keyboard.press("Enter");
    assert.match((await shown(page, 1))[0], /\[\[0\.4300, 7\.0000, /);
    await page.keyboard.press("Control+z");
    assert.deepEqual(await texts(page), before);
  });
});

test("by mouse and by touch: dragging steps an entry", async () => {
  await open("attention_as_alignment.html", async (page) => {
    await entry(page, "t1-1", 0).scrollIntoViewIfNeeded();
    const { x, y } = await entry(page, "t1-1", 0).boundingBox();
    await page.mouse.move(x + 9, y + 9);
    await page.mouse.down();
    await page.mouse.move(x + 59, y + 9, { steps: 5 });
    await page.mouse.up();
    assert.equal(await entry(page, "t1-1", 0).textContent(), "0.5300");
    assert.equal(await page.evaluate(() => location.hash), "#&t1-1.0=0.53");
    await bar(page).getByText("Undo").click();
    assert.equal(await entry(page, "t1-1", 0).textContent(), "0.4300");
  });
  await open("attention_as_alignment.html", async (page) => {
    await entry(page, "t1-1", 0).tap();
    await page.keyboard.type("3");
    await page.keyboard.press("Enter");
    assert.equal(await entry(page, "t1-1", 0).textContent(), "3.0000");
  }, { hasTouch: true });
});

// Moves a finger from an entry by (x, y), as the browser sees a touch: it may take the movement for scrolling.
const swipe = async (page, from, x, y) => {
  const { x: left, y: top } = await from.boundingBox();
  const browserOf = await page.context().newCDPSession(page);
  const touch = (type, ...points) => browserOf.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", { x: left + 9, y: top + 9 });
  for (let i = 1; i <= 10; ++i) await touch("touchMove", { x: left + 9 + (x * i) / 10, y: top + 9 + (y * i) / 10 });
  await touch("touchEnd");
};

const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } };

test("by finger: a swipe along a row steps, one along a column scrolls, and buttons step", async () => {
  await open("attention_as_alignment.html", async (page) => {
    const before = await texts(page);
    await entry(page, "t1-1", 0).scrollIntoViewIfNeeded();
    await swipe(page, entry(page, "t1-1", 0), 50, 0);
    assert.equal(await entry(page, "t1-1", 0).textContent(), "0.5300");
    await swipe(page, entry(page, "t1-1", 0), 50, 3); // a gesture of its own
    assert.equal(await entry(page, "t1-1", 0).textContent(), "0.6300");
    await bar(page).getByText("Undo").click();
    await until(async () => (await entry(page, "t1-1", 0).textContent()) === "0.5300");
    await bar(page).getByText("Undo").click();
    await until(async () => (await entry(page, "t1-1", 0).textContent()) === "0.4300");
    assert.deepEqual(await texts(page), before);
    const scrolled = await page.evaluate(() => scrollY);
    await swipe(page, entry(page, "t1-1", 3), 4, -200);
    await until(() => page.evaluate((from) => scrollY > from + 100, scrolled));
    assert.deepEqual(await texts(page), before);
    await entry(page, "t1-1", 0).tap();
    for (const [button, number] of [["Step up", "0.44"], ["Step up", "0.45"], ["Step down", "0.44"]]) {
      await page.getByLabel(button).tap(); // the click comes later
      await until(async () => (await page.locator(".field").inputValue()) === number);
    }
    assert.match((await shown(page, 1))[0], /\[\[0\.4400, /);
  }, phone);
});

test("by finger, a table that is wider than the page scrolls, and its entries are typed", async () => {
  await open("mathematical_trick.html", async (page) => {
    assert.ok(await page.locator("#t10-1 .scroll:not(.wide)").count() > 0);
    const wide = page.locator("#u13-2 .scroll.wide");
    await wide.scrollIntoViewIfNeeded();
    await swipe(page, wide.locator("td").nth(12), -80, 0);
    await until(() => wide.evaluate((box) => box.scrollLeft > 20));
    assert.equal(await bar(page).isVisible(), false);
  }, phone);
});

test("axe finds nothing on a changed page, and nothing is wider than the page", async () => {
  for (const [colorScheme, width, rules] of [["light", 1280, {}], ["dark", 390, contrast]]) {
    for (const name of ["attention_as_alignment.html#&t1-1.4=1.5", "mathematical_trick.html#&seed.1=43"]) {
      await open(name, async (page) => {
        assert.ok(await bar(page).isVisible());
        if (name.includes("t1-1")) await entry(page, "t1-1", 0).click();
        assert.deepEqual(await violations(page, rules), [], name);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
      }, { colorScheme, viewport: { width, height: 900 } });
    }
  }
});

test("an entry of a view is one of its tensor: a change of it changes both, and all that follows", async () => {
  await open("mathematical_trick.html", async (page) => {
    await type(page, "t3-1", 1, "3"); // of x[0]
    assert.equal(Number(await entry(page, "u2-1", 1).textContent()), 3); // of x
    assert.deepEqual([await shown(page, 5), await shown(page, 6)], [[third], [xbow]]);
    assert.ok(await entry(page, "u2-1", 1).evaluate((td) => td.classList.contains("edited")));
    assert.match(await page.evaluate(() => location.hash), /^#&u2-1\.1=3$/);
    assert.match(await bar(page).textContent(), /1 number changed/);
    await bar(page).getByText("Reset").click();
    assert.equal(await page.locator(".edited, .up, .down").count(), 0);
    await type(page, "t6-1", 0, "9"); // of xbow[0]: no picture shows xbow
    assert.deepEqual(await shown(page, 11), ["False"]); // allclose(xbow, xbow2)
  });
});

test("a text that is not a number says so, stays to be corrected, and changes nothing", async () => {
  await open("attention_as_alignment.html", async (page) => {
    const before = await texts(page);
    const field = page.locator(".field");
    await entry(page, "t1-1", 0).click();
    await page.keyboard.type("1.one");
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.equal(await page.locator(".problem:visible").count(), 0); // it may be half a number
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".problem:visible").textContent(), /“1.one” is not a number/);
    assert.equal(await page.locator(".problem:visible").getAttribute("id"), await field.getAttribute("aria-describedby"));
    assert.equal(await field.inputValue(), "1.one");
    for (const rules of [{}, contrast]) assert.deepEqual(await violations(page, rules), []);
    await page.locator("h1").click(); // elsewhere
    assert.equal(await field.inputValue(), "1.one");
    await entry(page, "t1-1", 4).click();
    assert.deepEqual(await texts(page), before);
    assert.equal(await page.locator(".problem:visible").count(), 0);
    await page.keyboard.type("x");
    await page.keyboard.press("Enter");
    await field.fill("1.5");
    await page.keyboard.press("Enter");
    assert.equal(await field.count(), 0);
    assert.deepEqual(await shown(page, 4), [scores]);
  });
});

test("while a text is not a number, the entry has the number from before it was opened, and no question is answered", async () => {
  await open("attention_as_alignment.html", async (page) => {
    const answered = page.locator(".question.answered");
    await type(page, "t1-1", 2, "0.9");
    const before = await texts(page);
    await entry(page, "t1-1", 2).click();
    for (const [text, count] of [["9", 1], ["9/", 0], ["9/0", 0], ["9/03", 1], ["9/0", 0]]) {
      await page.locator(".field").fill(text);
      assert.equal(await answered.count(), count, text);
      if (count === 0) assert.deepEqual(await texts(page), before, text);
    }
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".problem:visible").textContent(), /division by zero/);
    assert.equal(await page.evaluate(() => location.hash), "#&t1-1.2=0.9");
    await page.keyboard.press("Escape");
    await bar(page).getByText("Undo").click();
    assert.equal(await bar(page).isVisible(), false); // no step was left behind
  });
});

test("a fraction, inf, nan and what is too large become what a float32 becomes", async () => {
  await open("attention_as_alignment.html", async (page) => {
    for (const [typed, printed, written] of [["1/3", "0.3333", 1 / 3], ["inf", "inf", "inf"], ["-Infinity", "-inf", "-inf"], ["NaN", "nan", "nan"],
      ["1e40", "inf", "inf"], ["-1/4", "-0.2500", "-0.25"]]) {
      await type(page, "t1-1", 0, typed);
      assert.equal(await entry(page, "t1-1", 0).textContent(), printed);
      assert.equal(await page.evaluate(() => location.hash), `#&t1-1.0=${written}`);
    }
  });
  await open("attention_as_alignment.html#&t1-1.4=-inf", async (page) => assert.equal(await entry(page, "t1-1", 4).textContent(), "-inf"));
});

test("a seed has 64 bits and may be negative, and another one says what torch.manual_seed takes", async () => {
  await open("mathematical_trick.html", async (page) => {
    const field = page.locator("#seed-1");
    const seed = async (text) => {
      await field.fill(text);
      await page.keyboard.press("Enter");
    };
    await seed("-1");
    const text = (await texts(page)).join("\n");
    for (const one of drawnByMinusOne) assert.ok(text.includes(one), one);
    assert.equal(await page.evaluate(() => location.hash), "#&seed.1=-1");
    await seed("18446744073709551615");
    assert.deepEqual((await texts(page)).join("\n"), text);
    await seed("1.5");
    assert.equal(await page.locator(".problem:visible").textContent(), "A seed is a whole number, and 1.5 is none.");
    assert.equal(await field.inputValue(), "1.5");
    await seed("18446744073709551616");
    assert.match(await page.locator(".problem:visible").textContent(), /from -9223372036854775808 to 18446744073709551615/);
    assert.equal(await field.inputValue(), "18446744073709551616");
    assert.deepEqual((await texts(page)).join("\n"), text);
    await page.keyboard.press("ArrowDown");
    assert.equal(await field.inputValue(), "18446744073709551614");
    assert.equal(await page.locator(".problem:visible").count(), 0);
  });
});

const planted = (name, file, from, to) => {
  const folder = `${process.cwd()}/planted-${name}`;
  rmSync(folder, { recursive: true, force: true });
  cpSync("pages", folder, { recursive: true });
  const text = readFileSync(`${folder}/${file}`, "utf8");
  assert.ok(text.includes(from));
  writeFileSync(`${folder}/${file}`, text.replace(from, to));
  return folder;
};

test("an operation that the engine lacks is a wall: what lies behind it is grey and says so", async () => {
  const folder = planted("wall", "engine.js", 'on("softmax.int"', 'on("softmax.none"');
  await open("attention_as_alignment.html", async (page) => {
    assert.equal(await page.locator(".stale").count(), 0);
    const [before] = await shown(page, 6);
    await type(page, "t1-1", 0, "3");
    assert.equal(await page.locator(".tensor.stale").count(), 2);
    const said = /aten::softmax\.int is not computed here \(In \[\d+\]\)/;
    assert.match(await page.textContent("#t5-1 .wall"), said);
    assert.match(await page.textContent("#t6-1 .wall"), said); // what depends on it
    assert.equal(await page.locator("#t6-1 .wall a").getAttribute("href"), "#cell-5");
    assert.match(await page.textContent(".walls"), said);
    for (const rules of [{}, contrast]) assert.deepEqual(await violations(page, rules), []);
    assert.match((await shown(page, 4))[0], /9\.8/);
    assert.deepEqual(await shown(page, 6), [before]);
    await bar(page).getByText("Reset").click();
    assert.equal(await page.locator(".stale, .wall").count(), 0);
  }, { folder });
});

test("a text in a form that the page does not compute turns grey and says so", async () => {
  const folder = planted("form", "attention_as_alignment.html", '<samp>tensor([[<span data-of="t4-1"', '<samp>scores([[<span data-of="t4-1"');
  await open("attention_as_alignment.html", async (page) => {
    await type(page, "t1-1", 0, "3");
    assert.equal(await page.locator("samp.stale").count(), 1);
    assert.match(await page.textContent("#cell-4 .wall"), /^These are still the document’s numbers: the page does not find the result of aten::matmul in this text/);
    await bar(page).getByText("Reset").click();
    assert.equal(await page.locator("samp.stale, .wall").count(), 0);
  }, { folder });
});

test("a number that is not computed again has no explanation by new ones, and its cell no verdict", async () => {
  const folder = planted("unexplained", "engine.js", 'on("matmul __matmul__", engine.matmul)', "");
  await open("attention_as_alignment.html", async (page) => {
    const isMoved = () => page.locator("#cell-4.moved").count();
    const explanation = async () => {
      await entry(page, "t4-1", 0).hover();
      return page.textContent("#t4-1 .panel");
    };
    assert.match(await explanation(), /sum/);
    assert.equal(await isMoved(), 0);
    await type(page, "t1-1", 0, "3");
    assert.match(await explanation(), /still the document’s number, and what it was computed from has changed/);
    assert.equal(await isMoved(), 1);
    await bar(page).getByText("Reset").click();
    assert.match(await explanation(), /sum/);
    assert.equal(await isMoved(), 0);
  }, { folder });
});

test("a planted fault in the engine is found when the page loads", async () => {
  const folder = planted("fault", "engine.js", 'on("matmul __matmul__", engine.matmul)', 'on("matmul __matmul__", (a, b) => engine.multiply(engine.matmul(a, b), new Scalar(2, false)))');
  await open("attention_as_alignment.html", async (page) => {
    assert.match((await faults(page)).walls.join(), /aten::matmul has other numbers here than in the document/);
    await until(async () => (await page.locator("html.computes").count()) === 1);
  }, { folder });
});

// A frame has 16 ms. The second bound is wider, because other work on the machine delays drawing.
test("a page computes again in less than 16 ms, and draws in less than 100 ms", async () => {
  for (const name of names) {
    await open(`${name}.html`, async (page) => {
      const [computed, drawn] = await page.evaluate(() => {
        const { page } = globalThis.torchbook;
        const [picture] = page.pictures;
        const median = (act) => {
          const times = Array.from({ length: 20 }, (_, i) => {
            const begin = performance.now();
            act(i + 1);
            return performance.now() - begin;
          });
          return times.sort((a, b) => a - b)[10];
        };
        return [median((i) => page.program.set(picture.tensor, 0, i)), median((i) => page.set(picture, 0, -i))];
      });
      console.log(`${name}: computed in ${computed.toFixed(1)} ms, with drawing ${drawn.toFixed(1)} ms`);
      assert.ok(computed < 16 && drawn < 100, `${name}: ${computed} ms, ${drawn} ms`);
    });
  }
});

test("the index has an attention to touch, with the numbers that PyTorch draws and computes", async () => {
  const percents = JSON.parse(chosenWeights).map((weight) => `${(weight * 100).toFixed(1)} %`);
  await open("index.html", async (page) => {
    await page.locator("#word-3").check();
    assert.deepEqual(await page.locator(".attention .percent").allTextContents(), percents);
    assert.equal(await page.textContent(".mixture code"), context);
    assert.equal(await page.locator(".lines .chosen").count(), 6);
    const widths = await page.locator(".lines .chosen").evaluateAll((all) => all.map((one) => parseFloat(one.style.strokeWidth)));
    assert.ok(widths.every((width, j) => Math.abs(width / 28 - JSON.parse(chosenWeights)[j]) < 1e-3), widths);
    await page.locator(".sliders input").first().focus();
    await page.keyboard.press("End");
    assert.notEqual(await page.textContent(".mixture code"), context);
    await page.getByRole("button", { name: "The document’s numbers" }).click();
    assert.equal(await page.textContent(".mixture code"), context);
  });
  await open("index.html", async (page) => assert.equal(await page.locator(".attention").count(), 0), { folder: `${process.cwd()}/alone` });
});
