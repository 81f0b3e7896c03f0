// Measures values and sends large messages to both ends of a port. Arguments: the folder of the page's modules. Prints JSON.
import vm from "node:vm";

const [web, bridge] = process.argv.slice(2);
const { sizeOf, fits, cut } = await import(`${web}/shared/limits.js`);
const { Connection } = await import(bridge);
const { Blobs } = await import(`${web}/kernel/blobs.js`);

// Node.js 20 has none.
Promise.withResolvers ??= () => {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};

const cycle = { a: [] };
cycle.a.push(cycle);
let deep = "x";
for (let n = 0; n < 200_000; n += 1) deep = [deep];
const sizes = {
  text: sizeOf("x".repeat(100), 1000),
  cycle: sizeOf(cycle, 1000) > 1000,
  deep: sizeOf(deep, 1000) > 1000,
  list: sizeOf(new Array(150_000_000), 1000) > 1000,
  members: sizeOf(Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [n, n])), 1000) > 1000,
  names: sizeOf({ ["n".repeat(2000)]: 1 }, 1000) > 1000,
  map: sizeOf(new Map([["a", "x".repeat(2000)]]), 1000) > 1000,
  set: sizeOf(new Set(["x".repeat(2000)]), 1000) > 1000,
  buffer: sizeOf({ a: new ArrayBuffer(2000) }, 1000) > 1000,
  otherRealm: sizeOf(vm.runInNewContext("new ArrayBuffer(2000)"), 1000) > 1000,
  view: sizeOf([new Uint8Array(2000)], 1000) > 1000,
  small: fits({ tool: "x", arguments: { a: [1, 2, null, undefined, true] } }, "words"),
};

const { port1, port2 } = new MessageChannel();
new Connection(port1, { echo: ({ text }) => text.length }, 1000);
const served = new Connection(port2, null, 1000);
const ask = (connection, text) => connection.request("echo", { text }).catch(({ name, message }) => `${name}: ${message}`);
const answers = [await ask(served, "short"), await ask(served, "x".repeat(2000)), await ask(served, "short again")];

const other = new MessageChannel();
const connection = new Connection(other.port1, null, 1000);
const errors = [];
console.error = (...texts) => errors.push(texts.join(" "));
const heard = [];
connection.on("events", (params) => heard.push(params));
other.port2.onmessage = ({ data }) => {
  const { id } = JSON.parse(data);
  other.port2.postMessage({ not: "text" });
  other.port2.postMessage(`{"jsonrpc":"2.0","method":"events","params":"${"x".repeat(2000)}"}`);
  other.port2.postMessage(`{"jsonrpc":"2.0","id":${id},"result":"${"x".repeat(id === 2 ? 10 : 2000)}"}`);
};
answers.push(await ask(connection, ""), await ask(connection, ""));

const blobs = new Blobs("page");
const third = new MessageChannel();
blobs.attach(third.port1);
for (const offered of ["x".repeat(1000), 5, null, ...Array.from({ length: 2000 }, (_, n) => `kernel-${n}`)]) {
  third.port2.postMessage({ offered, blob: new Blob([String(offered)]) });
}
third.port2.postMessage({ withdrawn: "kernel-1" });
third.port2.postMessage({ offered: "kernel-1999", blob: new Blob(["last"]) });
await new Promise((resolve) => setTimeout(resolve, 50));
const taken = [await (await blobs.take("kernel-0")).text(), await (await blobs.take("kernel-1999")).text()];

process.stdout.write(JSON.stringify({ sizes, answers, heard, errors: errors.length, taken, cut: cut("x".repeat(5000), "title").slice(1020) }));
process.exit();
