// Measures the engine of the pages in processor time: node bench/engine.mjs
import { engine } from "../tests/report/site/engine/engine.mjs";
import { dims, program as description, tokens } from "./attention.mjs";

const program = new engine.Program(description);
const times = Array.from({ length: 21 }, (_, i) => {
  const begin = process.cpuUsage();
  program.set(0, 0, i);
  return process.cpuUsage(begin).user / 1000;
}).sort((a, b) => a - b);
console.log(`one attention of ${tokens} tokens, ${dims} dimensions: ${times[10].toFixed(1)} ms (fastest ${times[0].toFixed(1)} ms)`);
