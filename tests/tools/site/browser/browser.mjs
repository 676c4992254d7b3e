// Opens pages from files, and checks that none logs an error or requests anything from outside.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const patience = 120_000; // ms: a slow machine must not fail the test
const isRoot = process.getuid() === 0; // chromium's sandbox does not work for root

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: isRoot ? ["--no-sandbox"] : [],
  timeout: patience,
});

export const site = resolve("pages");
export const pagesOf = (folder) => readdirSync(folder).filter((name) => name.endsWith(".html"));

// Opens `name`, an address within the site's folder, in a context of its own. Returns the context, the page, and a function
// that checks that nothing went wrong.
const opened = async (name, { folder = site, ...options }) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
  page.on("request", (request) => requests.push(request.url()));
  page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  await page.goto(pathToFileURL(join(folder, ".")) + "/" + name);
  const within = (address) => address.startsWith(String(pathToFileURL(folder))) || address.startsWith("data:");
  const check = () => {
    assert.deepEqual(complaints, [], `complaints of ${name}`);
    assert.deepEqual(requests.filter((address) => !within(address)), [], `requests of ${name}`);
    assert.ok(requests.length > 0, "requests are seen"); // a page of two traces is one file
  };
  return { context, page, check };
};

// Passes a new page to `use` and checks that nothing went wrong.
export const open = async (name, use, options = {}) => {
  const { context, page, check } = await opened(name, options);
  try {
    await use(page, context);
    check();
  } finally {
    await context.close();
  }
};

const kept = new Map();

// The same for tests that only read: each page is opened once for all of them, because its engine takes long to begin.
export const read = async (name, use) => {
  if (!kept.has(name)) kept.set(name, await opened(name, {}));
  const { page, check } = kept.get(name);
  await use(page);
  check();
};

// Waits until `holds` returns true. A link scrolls, and the page is told of its address, after the click is over.
export const until = async (holds) => {
  for (const end = Date.now() + patience; !(await holds()); await sleep(20)) {
    assert.ok(Date.now() < end, `never true: ${holds}`);
  }
};

export const hash = (page) => page.evaluate(() => location.hash);

// Returns the classes that highlight each element.
export const lights = (locator) =>
  locator.evaluateAll((elements) => elements.map((element) => element.className.split(" ").filter(Boolean).sort()));
