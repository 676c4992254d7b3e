// Measures in a browser how long a page takes to compute and draw what follows from a changed number:
// node bench/pages.mjs SITE NODE_MODULES. SITE is what `torchbook site` wrote, NODE_MODULES has playwright-core.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { dims, program, tokens } from "./attention.mjs";

const [site, modules] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(join(modules, "here.js"))("playwright-core");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: process.getuid() === 0 ? ["--no-sandbox"] : [],
});
const rounds = 15;

const open = async (name, measure, argument) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(pathToFileURL(join(site, name)).href);
  const result = await page.evaluate(measure, argument);
  await page.close();
  return result;
};

// Changes the first entry of each tensor in turn. Returns the times of the slowest one: [fastest, median] of computing, of that
// and drawing, and of both and laying out the page.
const ofPage = (rounds) => {
  const { page } = globalThis.torchbook;
  const summary = (times) => {
    const sorted = [...times].sort((a, b) => a - b);
    return [sorted[0], sorted[sorted.length >> 1]];
  };
  const measured = page.pictures.filter(({ dtype }) => dtype !== "bool").map((picture) => {
    const rows = Array.from({ length: rounds }, (_, i) => {
      const value = i + 0.5 * (picture.dtype === "float32");
      const begin = performance.now();
      page.program.set(picture.tensor, 0, value + 1);
      const computed = performance.now();
      page.set(picture, 0, value);
      const drawn = performance.now();
      document.body.getBoundingClientRect();
      return [computed - begin, drawn - computed, performance.now() - computed];
    });
    page.reset();
    return { id: picture.id, times: [0, 1, 2].map((k) => summary(rows.map((row) => row[k]))) };
  });
  return measured.sort((a, b) => b.times[2][1] - a.times[2][1])[0];
};

const ofAttention = ([description, rounds]) => {
  const { Program } = globalThis.torchbook;
  const one = new Program(description);
  const times = Array.from({ length: rounds }, (_, i) => {
    const begin = performance.now();
    one.set(0, 0, i);
    return performance.now() - begin;
  });
  times.sort((a, b) => a - b);
  return [times[0], times[rounds >> 1]];
};

const ms = ([fastest, median]) => `${fastest.toFixed(1)} (${median.toFixed(1)})`;
console.log("ms: fastest (median) of computing; and drawing; and layout, of the slowest change");
for (const name of readdirSync(site).filter((one) => one.endsWith(".html") && !/^(index|porting)\.html$/.test(one))) {
  const { id, times } = await open(name, ofPage, rounds);
  console.log([name.padEnd(36), id.padEnd(6), ...times.map((one) => ms(one).padEnd(13))].join(" ").trimEnd());
}
console.log(`${tokens} tokens × ${dims} dimensions, computing: ${ms(await open("index.html", ofAttention, [program, rounds]))}`);
await browser.close();
