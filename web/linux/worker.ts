// The worker of a machine: runs it, and passes its console and its 9P messages on to machine.ts.
import { continueAt } from "./clock.ts";
import { MemoryBlocks, StoredBlocks, unpackBlocks } from "./disk/blocks.ts";
import { ChangesDisk } from "./disk/changes.ts";
import { copyChanges, openChanges, openFolder } from "./disk/storage.ts";
import { SystemDisk, type Parts } from "./disk/system.ts";
import { Emulator } from "./emulator.ts";
import { Slot } from "./files/slot.ts";
import { readAbout, readMemory, save } from "./saved.ts";

const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 10_000;
const POLL_MS = 5;

let emulator: Emulator | null = null;
let slot: Slot | null = null;
/** The folder with the machine's files; null without storage. */
let files: FileSystemDirectoryHandle | null = null;
/** The changes of the system disk. */
let blocks: StoredBlocks | MemoryBlocks | null = null;
let disks: { system: SystemDisk; changes: ChangesDisk } | null = null;
/** The name of the build's machine. */
let image = "";
/** `performance.now()` at the pause. */
let pausedAt: number | null = null;
/** The machine's requests for files that wait for their answers, by tag. */
const requests = new Map<number, (answer: Uint8Array) => void>();

/** The tag of a 9P message. */
const tagOf = (message: Uint8Array) => (message[5] ?? 0) | ((message[6] ?? 0) << 8);

function serveFiles(request: Uint8Array, reply: (answer: Uint8Array) => void) {
  const answer = slot?.ask(request, () => self.postMessage({ asks: true })) ?? "full";
  if (answer instanceof Uint8Array) {
    reply(answer);
    return;
  }
  requests.set(tagOf(request), reply);
  if (answer === "full") self.postMessage({ files: request });
}

interface Start {
  /** the address of the build's machine */
  folder: string;
  machine: string;
  /** for requests for files */
  memory: SharedArrayBuffer | null;
  /** the state of another machine to continue */
  copy: Copied | null;
}

export interface Copied {
  buffer: ArrayBuffer;
  clock: number;
  /** its changes if no file has them */
  blocks: Map<number, Uint8Array> | null;
}

async function start({ folder, machine, copy }: Start) {
  files = await openFolder(machine);
  const { clock, disk } = await download(`${folder}machine.json`).then((answer) => answer.json());
  if (disk) await openDisks(folder, disk, copy);
  image = new URL(folder).pathname.split("/").at(-2) ?? "";
  const state = copy ??
    (await savedState()) ?? { buffer: await download(`${folder}machine.state`).then(unzipped), clock };
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

async function openDisks(folder: string, parts: Parts, copy: Copied | null) {
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

async function saveState({ kernel, details }: { kernel: unknown; details: string }) {
  if (!files || !(blocks instanceof StoredBlocks)) throw new Error("the browser has no storage for this page");
  requireRoom();
  const { buffer } = await running().save();
  await save(files, blocks, buffer, { image, at: Date.now(), clock: pausedAt ?? 0, kernel, details });
}

/** Copy the machine for another one. */
async function copyTo(machine: string): Promise<Copied> {
  requireRoom();
  if (blocks instanceof StoredBlocks) await copyChanges(machine, blocks);
  const { buffer } = await running().save();
  return { buffer, clock: pausedAt ?? 0, blocks: blocks instanceof MemoryBlocks ? blocks.written : null };
}

function requireRoom() {
  if (blocks instanceof StoredBlocks && blocks.isFull)
    throw new DOMException("its changes aren't saved any more", "QuotaExceededError");
}

function running() {
  if (!emulator) throw new Error("the machine doesn't run");
  return emulator;
}

/** Load a part of the system disk; until that succeeds, the programs that read it wait. */
async function loadPart(url: string) {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MOST_WAIT_MS)) {
    try {
      const part = await download(url).then(unzipped);
      return new Uint8Array(part);
    } catch (error) {
      if (wait === FIRST_WAIT_MS)
        tell(`A part of the system disk can't be loaded, and is tried again: ${messageOf(error)}`);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

function notSaved(error: Error) {
  tell(
    `Changes of the system disk aren't saved any more: ${messageOf(error)}. Free some storage, then reload the page.`,
  );
}

/** Print a line in the machine's terminals. */
function tell(text: string) {
  self.postMessage({ notice: text });
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function download(url: string) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} could not be downloaded: ${answer.status} ${answer.statusText}`);
  return answer;
}

async function unzipped(answer: Response) {
  if (!answer.body) throw new Error(`${answer.url} is empty`);
  const stream = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** The answers to the kernel, by name. */
const ANSWERS: Record<string, { answer(given: unknown): unknown }["answer"]> = {
  pause,
  resume,
  save: saveState,
  copy: copyTo,
  usage: () => ({ changes: blocks?.size ?? 0, complete: blocks instanceof StoredBlocks && !blocks.isFull }),
};

async function answer({ id, name, given }: { id: number; name: string; given: unknown }) {
  try {
    const value = await ANSWERS[name]?.(given);
    const { buffer }: { buffer?: ArrayBuffer } = Object(value ?? {});
    self.postMessage({ answers: id, value }, buffer ? [buffer] : []);
  } catch (error) {
    self.postMessage({
      answers: id,
      error: { message: messageOf(error), full: error instanceof Error && error.name === "QuotaExceededError" },
    });
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
