// The worker of a machine: runs it, and passes its console and its 9P messages on to machine.js.
import { BLOCK } from "./disk/blocks.js";
import { ChangesDisk } from "./disk/changes.js";
import { openChanges } from "./disk/storage.js";
import { SystemDisk } from "./disk/system.js";
import { Emulator } from "./emulator.js";
import { Slot } from "./files/slot.js";

const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 10_000;

/** @type {Emulator | null} */
let emulator = null;
/** @type {Slot | null} */
let slot = null;
/** The machine's requests for files that wait for their answers, by tag. @type {Map<number, (answer: Uint8Array) => void>} */
const requests = new Map();

/** The tag of a 9P message. @param {Uint8Array} message */
const tagOf = (message) => (message[5] ?? 0) | ((message[6] ?? 0) << 8);

/** @param {Uint8Array} request @param {(answer: Uint8Array) => void} reply */
function serveFiles(request, reply) {
  const answer = slot?.ask(request, () => self.postMessage({ asks: true })) ?? "full";
  if (answer instanceof Uint8Array) {
    reply(answer);
    return;
  }
  requests.set(tagOf(request), reply);
  if (answer === "full") self.postMessage({ files: request });
}

/** @param {string} folder */
async function start(folder) {
  const [{ clock, disk }, buffer] = await Promise.all([
    download(`${folder}machine.json`).then((answer) => answer.json()),
    download(`${folder}machine.state`).then(unzipped),
  ]);
  const disks = disk ? await openDisks(folder, disk) : undefined;
  emulator = new Emulator({
    wasm: `${folder}v86.wasm`,
    state: { buffer, clock },
    disks,
    serveFiles,
    receive: (bytes) => self.postMessage({ console: bytes.slice() }),
  });
  await emulator.ready;
  emulator.run();
  self.postMessage({ running: { memory: emulator.memory } });
}

/** @param {string} folder @param {import("./disk/system.js").Parts} parts */
async function openDisks(folder, parts) {
  const [blocks, packed] = await Promise.all([openChanges(notSaved), download(`${folder}changes.empty`).then(unzipped)]);
  const system = new SystemDisk(parts, (number) => loadPart(`${folder}disk/${number}.part`));
  return { system, changes: new ChangesDisk(blocks, unpackBlocks(packed)) };
}

/** The blocks of a filesystem, each after its number. @param {ArrayBuffer} packed */
function unpackBlocks(packed) {
  const view = new DataView(packed);
  /** @type {Map<number, Uint8Array>} */
  const blocks = new Map();
  for (let at = 0; at < packed.byteLength; at += 4 + BLOCK) {
    blocks.set(view.getUint32(at, true), new Uint8Array(packed, at + 4, BLOCK));
  }
  return blocks;
}

/** Load a part of the system disk; until that succeeds, the programs that read it wait. @param {string} url */
async function loadPart(url) {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MOST_WAIT_MS)) {
    try {
      const part = await download(url).then(unzipped);
      return new Uint8Array(part);
    } catch (error) {
      if (wait === FIRST_WAIT_MS) tell(`A part of the system disk can't be loaded, and is tried again: ${messageOf(error)}`);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** @param {Error} error */
function notSaved(error) {
  tell(`Changes of the system disk aren't saved any more: ${messageOf(error)}. Free some storage, then reload the page.`);
}

/** Print a line in the machine's terminals. @param {string} text */
function tell(text) {
  self.postMessage({ notice: text });
}

/** @param {any} error */
const messageOf = (error) => String(error?.message ?? error);

/** @param {string} url */
async function download(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} could not be downloaded: ${answer.status} ${answer.statusText}`);
  return answer;
}

/** @param {Response} answer */
async function unzipped(answer) {
  const stream = /** @type {ReadableStream<BufferSource>} */ (answer.body).pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

self.onmessage = ({ data }) => {
  if (data.start) {
    if (data.memory) slot = new Slot(data.memory);
    start(data.start).catch((error) => self.postMessage({ failed: messageOf(error) }));
  } else if (data.console) {
    emulator?.send(data.console);
  } else if (data.files) {
    const tag = tagOf(data.files);
    const reply = requests.get(tag);
    requests.delete(tag);
    reply?.(data.files);
  }
};
