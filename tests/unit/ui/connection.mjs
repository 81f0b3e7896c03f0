// Detaches a connection while a message of the other end is on its way, attaches it to a new end, and prints the
// messages that its listener got, as JSON. Argument: the module.
const { Connection } = await import(process.argv[2]);
const received = [];
const connection = new Connection();
connection.on("events", (params) => received.push(params));
const [old, next] = [new MessageChannel(), new MessageChannel()];
const send = (channel, params) => channel.port2.postMessage(JSON.stringify({ jsonrpc: "2.0", method: "events", params }));
connection.attach(old.port1);
send(old, "late");
connection.detach(new Error("the kernel ended"));
connection.attach(next.port1);
await new Promise((resolve) => {
  connection.on("last", resolve);
  send(next, "first of the new kernel");
  next.port2.postMessage(JSON.stringify({ jsonrpc: "2.0", method: "last", params: {} }));
});
console.log(JSON.stringify(received));
process.exit();
