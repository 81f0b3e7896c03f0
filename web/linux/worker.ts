// The worker of a machine: runs it, and passes its console and its 9P messages on to machine.js.
import { continueAt } from "./clock.js";
import { MemoryBlocks, StoredBlocks, unpackBlocks } from "./disk/blocks.js";
import { ChangesDisk } from "./disk/changes.js";
import { copyChanges, openChanges, openFolder } from "./disk/storage.js";
import { SystemDisk } from "./disk/system.js";
import { Emulator } from "./emulator.js";
import { Slot } from "./files/slot.js";
import { readAbout, readMemory, save } from "./saved.js";

const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 10_000;
const POLL_MS = 5;

/** @type {Emulator | null} */
let emulator = null;
/** @type {Slot | null} */
let slot = null;
/** The folder with the machine's files; null without storage. @type {FileSystemDirectoryHandle | null} */
let files = null;
/** The changes of the system disk. @type {StoredBlocks | MemoryBlocks | null} */
let blocks = null;
/** @type {{ system: SystemDisk, changes: ChangesDisk } | null} */
let disks = null;
/** The name of the build's machine. */
let image = "";
/** `performance.now()` at the pause. @type {number | null} */
let pausedAt = null;
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

/**
 * @typedef {object} Start
 * @property {string} folder the address of the build's machine
 * @property {string} machine
 * @property {SharedArrayBuffer | null} memory for requests for files
 * @property {Copied | null} copy the state of another machine to continue
 *
 * @typedef {object} Copied
 * @property {ArrayBuffer} buffer
 * @property {number} clock
 * @property {Map<number, Uint8Array> | null} blocks its changes if no file has them
 */

/** @param {Start} how */
async function start({ folder, machine, copy }) {
  files = await openFolder(machine);
  const { clock, disk } = await download(`${folder}machine.json`).then((answer) => answer.json());
  if (disk) await openDisks(folder, disk, copy);
  image = new URL(folder).pathname.split("/").at(-2) ?? "";
  const state = copy ?? (await savedState()) ?? { buffer: await download(`${folder}machine.state`).then(unzipped), clock };
  emulator = new Emulator({
    wasm: `${folder}v86.wasm`,
    state,
    disks: disks ?? undefined,
    serveFiles,
    receive: (bytes) => self.postMessage({ console: bytes.slice() }),
  });
  await emulator.ready;
  emulator.run();
  self.postMessage({ running: { memory: emulator.memory } });
}

/** The saved state, if the changes are as they were then; otherwise null. */
async function savedState() {
  const about = files && (await readAbout(files));
  if (!files || !about) return null;
  if (about.image === image && blocks?.mark === about.mark) {
    try {
      const buffer = await readMemory(files, about.mark);
      // Before it runs, so that the kernel knows its files when it asks for them.
      self.postMessage({ continues: { kernel: about.kernel, details: about.details } });
      return { buffer, clock: about.clock };
    } catch (error) {
      tell(`The saved state of the machine can't be read, so it starts with its newest disk: ${messageOf(error)}`);
    }
  }
  self.postMessage({ older: about.at });
  return null;
}

/** @param {string} folder @param {import("./disk/system.js").Parts} parts @param {Copied | null} copy */
async function openDisks(folder, parts, copy) {
  const empty = unpackBlocks(await download(`${folder}changes.empty`).then(unzipped));
  blocks = await openChanges(files, empty, notSaved);
  if (copy?.blocks && blocks instanceof MemoryBlocks) blocks.written = copy.blocks;
  const system = new SystemDisk(parts, (number) => loadPart(`${folder}disk/${number}.part`));
  disks = { system, changes: new ChangesDisk(blocks, blocks instanceof MemoryBlocks ? empty : new Map()) };
}

/** Stop the processor, once no request of the machine is open. */
async function pause() {
  if (pausedAt !== null) return;
  const { v86 } = running();
  await v86.stop();
  const at = performance.now();
  while (requests.size || disks?.system.waiting) {
    if (performance.now() - at > MOST_WAIT_MS) {
      running().run();
      throw new Error("it waits for a file or a part of its disk; try again once that is there");
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  pausedAt = at;
}

/** Continue at the time of the pause: timers would otherwise all be late, and the clock is set next. */
function resume() {
  if (pausedAt === null) return;
  continueAt(pausedAt);
  pausedAt = null;
  running().run();
}

/** @param {{ kernel: any, details: string }} of */
async function saveState({ kernel, details }) {
  if (!files || !(blocks instanceof StoredBlocks)) throw new Error("the browser has no storage for this page");
  requireRoom();
  const { buffer } = await running().save();
  await save(files, blocks, buffer, { image, at: Date.now(), clock: pausedAt ?? 0, kernel, details });
}

/** Copy the machine for another one. @param {string} machine @returns {Promise<Copied>} */
async function copyTo(machine) {
  requireRoom();
  if (blocks instanceof StoredBlocks) await copyChanges(machine, blocks);
  const { buffer } = await running().save();
  return { buffer, clock: pausedAt ?? 0, blocks: blocks instanceof MemoryBlocks ? blocks.written : null };
}

function requireRoom() {
  if (blocks instanceof StoredBlocks && blocks.isFull) throw new DOMException("its changes aren't saved any more", "QuotaExceededError");
}

function running() {
  if (!emulator) throw new Error("the machine doesn't run");
  return emulator;
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

/** The answers to the kernel, by name. @type {Record<string, (given: any) => unknown>} */
const ANSWERS = {
  pause,
  resume,
  save: saveState,
  copy: copyTo,
  usage: () => ({ changes: blocks?.size ?? 0, complete: blocks instanceof StoredBlocks && !blocks.isFull }),
};

/** @param {{ id: number, name: string, given: unknown }} asked */
async function answer({ id, name, given }) {
  try {
    const value = await ANSWERS[name]?.(given);
    const { buffer } = /** @type {any} */ (value) ?? {};
    self.postMessage({ answers: id, value }, buffer ? [buffer] : []);
  } catch (error) {
    self.postMessage({ answers: id, error: { message: messageOf(error), full: /** @type {any} */ (error)?.name === "QuotaExceededError" } });
  }
}

self.onmessage = ({ data }) => {
  if (data.start) {
    if (data.start.memory) slot = new Slot(data.start.memory);
    start(data.start).catch((error) => self.postMessage({ failed: messageOf(error) }));
  } else if (data.console) {
    emulator?.send(data.console);
  } else if (data.files) {
    const tag = tagOf(data.files);
    const reply = requests.get(tag);
    requests.delete(tag);
    reply?.(data.files);
  } else if (data.asked) {
    void answer(data.asked);
  }
};
