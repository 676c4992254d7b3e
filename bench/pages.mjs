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

// Changes the first entry of each tensor in turn. Returns the slowest one's median, with and without laying out the page.
const ofPage = (rounds) => {
  const { page } = globalThis.torchbook;
  const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
  const measured = page.pictures.filter(({ dtype }) => dtype !== "bool").map((picture) => {
    const rows = Array.from({ length: rounds }, (_, i) => {
      const begin = performance.now();
      page.set(picture, 0, i + 0.5 * (picture.dtype === "float32"));
      const drawn = performance.now();
      document.body.getBoundingClientRect();
      return [drawn - begin, performance.now() - begin];
    });
    page.reset();
    return { id: picture.id, drawn: median(rows.map(([one]) => one)), laid: median(rows.map(([, one]) => one)) };
  });
  return measured.sort((a, b) => b.laid - a.laid)[0];
};

const ofAttention = ([description, rounds]) => {
  const { Program } = globalThis.torchbook;
  const one = new Program(description);
  const times = Array.from({ length: rounds }, (_, i) => {
    const begin = performance.now();
    one.set(0, 0, i);
    return performance.now() - begin;
  });
  return times.sort((a, b) => a - b)[rounds >> 1];
};

const ms = (time) => `${time.toFixed(1)} ms`;
for (const name of readdirSync(site).filter((one) => one.endsWith(".html") && !/^(index|porting)\.html$/.test(one))) {
  const { id, drawn, laid } = await open(name, ofPage, rounds);
  console.log(`${name.padEnd(36)} slowest change ${id}: ${ms(drawn)} computed and drawn, ${ms(laid)} with layout`);
}
console.log(`${tokens} tokens × ${dims} dimensions: ${ms(await open("index.html", ofAttention, [program, rounds]))} computed`);
await browser.close();
