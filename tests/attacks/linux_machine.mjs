// Boots a built machine in Node, and connects its proxy's program with the caller:
// `node linux_machine.mjs LINUX MODULES PYODIDE LOCK`. LINUX is the build's folder, MODULES the folder of web/linux as
// JavaScript. Lines of JSON come in, `{run, command}` and `{proxy}`, and go out,
// `{ran, printed}` and `{proxy}`; bytes are in base64.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [folder, modules, pyodide, lockFileURL] = process.argv.slice(2);
const { Emulator } = await import(`${modules}/emulator.js`);
const { Decoder, encode, KIND } = await import(`${modules}/frames.js`);
const { Channel } = await import(`${modules}/channel.js`);
const { MemoryBlocks, unpackBlocks } = await import(`${modules}/disk/blocks.js`);
const { ChangesDisk } = await import(`${modules}/disk/changes.js`);
const { SystemDisk } = await import(`${modules}/disk/system.js`);
const { FileServer } = await import(`${modules}/files/server.js`);
const { loadPyodide } = await import(pathToFileURL(pyodide).href);

const PROXY = ["/run/proxy/proxy", "3128", "/run/proxy/authority.pem"];
const ATTACH = "/sbin/attach";
const ROOT = "/project";
const ENVIRONMENT = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"];
const unpacked = async (name) => {
  const data = gunzipSync(await readFile(`${folder}/${name}`));
  return data.buffer.slice(data.byteOffset, data.byteOffset + data.length);
};
const { clock, disk } = JSON.parse(await readFile(`${folder}/machine.json`, "utf8"));
const disks = disk && {
  system: new SystemDisk(disk, async (number) => new Uint8Array(await unpacked(`disk/${number}.part`))),
  changes: new ChangesDisk(new MemoryBlocks(), unpackBlocks(await unpacked("changes.empty"))),
};

// What Python prints would be taken for a message.
const { FS } = await loadPyodide({ lockFileURL, stdout: () => {}, stderr: () => {} });
FS.mkdirTree(ROOT);
const files = new FileServer(FS, ROOT, () => {});
const channels = new Map();
const decoder = new Decoder();
let awake = () => {};
const emulator = new Emulator({
  wasm: `${folder}/v86.wasm`,
  state: { buffer: await unpacked("machine.state"), clock },
  disks: disks ?? undefined,
  serveFiles: (request, reply) => reply(files.answer(request)),
  receive: (bytes) => {
    for (const { channel, kind, payload } of decoder.push(bytes)) {
      if (kind === KIND.ready) awake();
      channels.get(channel)?.receive(kind, payload);
    }
  },
});
await emulator.ready;
emulator.run();
const woken = new Promise((resolve) => (awake = resolve));
const start = new Uint8Array(72);
new DataView(start.buffer).setFloat64(0, Date.now(), true);
crypto.getRandomValues(start.subarray(8));
emulator.send(encode(0, KIND.wake, start));
await woken;

function open(command) {
  const channel = new Channel(channels.size + 1, (bytes) => emulator.send(bytes));
  channels.set(channel.number, channel);
  channel.open({ command, directory: "/", environment: ENVIRONMENT });
  return channel;
}

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

async function pass(channel, take) {
  for (let piece = await channel.next(); piece.stream !== "exit"; piece = await channel.next()) take(Buffer.from(piece.bytes));
}

/** Run a program to its end; return all that it prints. */
async function printed(command) {
  const parts = [];
  await pass(open(command), (bytes) => parts.push(bytes));
  return Buffer.concat(parts);
}

/** Mount the disks and the files, as the page does when a machine starts; files opened later are on the system disk. */
async function attach() {
  const root = (await printed([ATTACH, ROOT])).toString().trim();
  if (!root.startsWith("/")) throw new Error(`the disks can't be mounted: ${root}`);
  emulator.send(encode(0, KIND.root, Buffer.from(`${root}\0`)));
}

async function run(number, command) {
  say({ ran: number, printed: (await printed(["/bin/bash", "-c", command])).toString() });
}

await attach();
const proxy = open(PROXY);
void pass(proxy, (bytes) => say({ proxy: bytes.toString("base64") }));
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.command) void run(message.run, message.command);
  else proxy.write(new Uint8Array(Buffer.from(message.proxy, "base64")));
}
process.exit(0);
