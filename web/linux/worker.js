// The worker of a machine: runs it, and passes its console and its 9P messages on to machine.js.
import { Emulator } from "./emulator.js";
import { Slot } from "./files/slot.js";

/** @type {Emulator | null} */
let emulator = null;
/** @type {Slot | null} */
let slot = null;
/** Bytes for the console that arrived before the machine had started. @type {Uint8Array[]} */
const early = [];
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
  const [{ clock }, buffer] = await Promise.all([
    download(`${folder}machine.json`).then((answer) => answer.json()),
    download(`${folder}machine.state`).then(unzipped),
  ]);
  emulator = new Emulator({
    wasm: `${folder}v86.wasm`,
    state: { buffer, clock },
    serveFiles,
    receive: (bytes) => self.postMessage({ console: bytes.slice() }),
  });
  await emulator.ready;
  emulator.run();
  self.postMessage({ memory: emulator.memory });
  for (const bytes of early.splice(0)) emulator.send(bytes);
}

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
    start(data.start).catch((error) => self.postMessage({ failed: String(error?.message ?? error) }));
  } else if (data.console) {
    if (emulator) emulator.send(data.console);
    else early.push(data.console);
  } else if (data.files) {
    const tag = tagOf(data.files);
    const reply = requests.get(tag);
    requests.delete(tag);
    reply?.(data.files);
  }
};
