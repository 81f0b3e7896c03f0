// Connects two ends that ask each other, and prints what they got, as JSON. Argument: the module.
const { Connection } = await import(process.argv[2]);
const { port1, port2 } = new MessageChannel();
const typed = Object.assign(new Error("no file"), { type: "FileMissing", hint: "Look first.", data: { path: "a" } });
const one = new Connection(port1, {
  double: ({ number }) => 2 * number,
  fail: () => Promise.reject(typed),
  break: () => {
    throw new TypeError("a bug");
  },
  wait: ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  nothing: () => {},
});
const other = new Connection(port2, { name: () => "other" });
const failure = (error) => error.error ?? String(error);
const ask = (connection, method, params = {}, options = {}) => connection.request(method, params, options).catch(failure);
const heard = [];
one.on("events", (params) => heard.push(params));
other.notify("events", { first: 1 });
const answers = {
  double: await ask(other, "double", { number: 4 }),
  name: await ask(one, "name"),
  nothing: await ask(other, "nothing"),
  typed: await ask(other, "fail"),
  broken: await ask(other, "break"),
  missing: await ask(other, "toString"),
};
const abort = new AbortController();
const waiting = ask(other, "wait", {}, { signal: abort.signal });
abort.abort("enough");
answers.cancelled = await waiting;

// What isn't a request is answered by an end with handlers only, so that errors don't answer errors.
const raw = new MessageChannel();
const texts = [];
raw.port2.onmessage = ({ data }) => texts.push(data);
new Connection(raw.port1, {});
for (const text of ["{", "[]", 5, '{"jsonrpc":"2.0","id":7}', '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}'])
  raw.port2.postMessage(text);
await new Promise((resolve) => setTimeout(resolve, 50));
const codes = texts.map((text) => JSON.parse(text)).map(({ id, error }) => [id, error.code]);
console.log(JSON.stringify({ answers, heard, codes }));
process.exit();
