// Runs all tests of the pages in one browser.
import { after } from "node:test";
import { browser } from "./browser.mjs";

after(() => browser.close());
await import("./files.mjs");
await import("./access.mjs");
await import("./reading.mjs");
await import("./tables.mjs");
await import("./lines.mjs");
await import("./learning.mjs");
await import("./computing.mjs");
await import("./gpt.mjs");
await import("./reload.mjs");
