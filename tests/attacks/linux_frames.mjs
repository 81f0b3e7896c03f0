// Sends what an attacker's program wrote to a machine's console, in the kernel's half of a machine, and prints what became
// of it: `node linux_frames.mjs MACHINE FRAMES`. Each attack has its own machine.
const [machine, frames] = process.argv.slice(2);
const { encode, KIND, uint32 } = await import(frames);

/** The worker of a machine that starts at once, and whose console prints the test's messages. */
class Worker {
  static last;
  over = false;

  constructor() {
    Worker.last = this;
  }

  postMessage({ start, console: bytes }) {
    if (start) queueMicrotask(() => this.onmessage({ data: { running: { memory: 1 } } }));
    // The first frame wakes it, the second starts a program that mounts the disks.
    else if (bytes?.[6] === KIND.wake) queueMicrotask(() => this.prints(encode(0, KIND.ready, uint32(0))));
    else if (bytes?.[6] === KIND.open && bytes[4] === 1) queueMicrotask(() => this.prints(encode(1, KIND.exit, uint32(0))));
  }

  prints(bytes) {
    this.onmessage({ data: { console: bytes } });
  }

  terminate() {
    this.over = true;
  }
}
Object.assign(globalThis, { Worker, crossOriginIsolated: false });
const { Machine } = await import(machine);

const own = (kind, payload) => encode(2, kind, payload);
const output = (size) => own(KIND.output, new Uint8Array(size).fill(120));
// 64 kB of output in frames of 8 bytes each.
const tiny = new Uint8Array(8192 * 16);
for (let at = 0; at < tiny.length; at += 16) tiny.set(output(8), at);
const long = new Uint8Array(16);
new DataView(long.buffer).setUint32(0, 0xffffffff, true);
const ATTACKS = {
  "a long frame": () => [long],
  "an exit without a code": () => [own(KIND.exit, new Uint8Array(0))],
  "an exit with a long code": () => [own(KIND.exit, new Uint8Array(9))],
  "a short credit": () => [own(KIND.credit, new Uint8Array(3))],
  "credit for nothing": () => [own(KIND.credit, uint32(1))],
  "much credit": () => [own(KIND.credit, uint32(0xffffffff))],
  "output without credit": () => Array.from({ length: 1100 }, () => output(1 << 16)),
  "reports without an end": () => Array.from({ length: 1100 }, () => own(KIND.status, new Uint8Array(1 << 16))),
  "tiny outputs": () => Array.from({ length: 1100 }, () => tiny),
};
const results = {};
for (const [name, attack] of Object.entries(ATTACKS)) {
  const made = await Machine.start({}, { folder: "/linux/", root: "/project", name: "main" }, { memory: 0, commit: () => {} });
  const worker = Worker.last;
  const channel = made.open({ command: ["bash"], directory: "/", environment: [] });
  // The control: the same channel prints.
  worker.prints(own(KIND.output, new TextEncoder().encode("OWN")));
  const control = new TextDecoder().decode((await channel.next()).bytes);
  for (const bytes of attack()) if (!worker.over) worker.prints(bytes);
  const ended = made.ended && worker.over;
  let said = "";
  for (let piece = { stream: "" }; ended && piece.stream !== "exit"; piece = await channel.next()) {
    if (piece.bytes && piece.bytes.length < 200) said = new TextDecoder().decode(piece.bytes).trim();
  }
  if (!ended) made.close();
  results[name] = { control, ended, said };
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));
