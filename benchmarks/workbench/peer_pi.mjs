// Runs beside pi's own package: a session of `length` messages written by its session manager, then opened. Prints JSON.
import { performance } from "node:perf_hooks";

const [, , name, folder, lengths, said, reply] = process.argv;
const { SessionManager } = await import(name);
const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const found = {};
for (const length of lengths.split(",").map(Number)) {
  const written = SessionManager.create(folder, `${folder}/${length}`);
  for (let index = 0; index < length; index += 1) {
    const text = index % 2 ? reply : said;
    const role = index % 2 ? "assistant" : "user";
    written.appendMessage({ role, content: [{ type: "text", text }], timestamp: 0 });
  }
  const file = written.getSessionFile();
  const seconds = [];
  for (let round = 0; round < 5; round += 1) {
    const began = performance.now();
    const opened = SessionManager.open(file);
    const shown = opened.buildSessionContext().messages.slice(-50);
    seconds.push((performance.now() - began) / 1000);
    if (shown.length !== Math.min(50, length)) throw new Error(`opened ${shown.length} messages`);
  }
  found[length] = middle(seconds);
}
console.log(JSON.stringify(found));
