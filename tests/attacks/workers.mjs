// Runs the calls of a worker's bundle, in one instance, as in a browser; prints answers and attempted loads.
import { readFileSync } from "node:fs";

const { argv, exit, stdout } = process;
const bundle = argv[2];
const calls = JSON.parse(readFileSync(0, "utf8"));
const bytes = (value) => (value?.base64 === undefined ? value : new Uint8Array(Buffer.from(value.base64, "base64")));
const shown = (value) => (value instanceof Uint8Array ? new TextDecoder().decode(value) : value);

const tried = [];
for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "importScripts", "Worker"]) {
  globalThis[name] = function trapped(...words) {
    tried.push(`${name} ${words.map(String).join(" ")}`);
    throw new TypeError(`${name} is trapped`);
  };
}
const listeners = [];
let answered;
Object.assign(globalThis, {
  self: globalThis, name: "jq", WorkerGlobalScope: class {}, DOMMatrix: class {}, navigator: { userAgent: "", platform: "" }, location: new URL(bundle), process: undefined,
  addEventListener: (name, listener) => name === "message" && listeners.push(listener),
  removeEventListener: () => {},
  postMessage: (message) => answered?.(message),
});
await import(bundle);

const answers = [];
for (const call of calls) {
  const data = JSON.parse(JSON.stringify(call), (_, value) => bytes(value));
  const answer = await new Promise((resolve) => {
    answered = resolve;
    for (const listener of globalThis.onmessage ? [globalThis.onmessage] : listeners) listener({ data });
  });
  answers.push(Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, shown(value)])));
}
const polluted = Object.keys(Object.prototype).concat("polluted" in {} ? ["polluted"] : []);
stdout.write(JSON.stringify({ answers, tried, polluted }), () => exit(0));
