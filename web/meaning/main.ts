// The worker that computes embeddings of passages on the device, by all-MiniLM-L6-v2 (builder/meaning/) in
// onnxruntime-web. It reads its own folder alone, and before it sees a passage it drops what reaches the network or storage.

import { env, InferenceSession, Tensor } from "onnxruntime-web/wasm";
import { confine } from "../shared/confine.ts";
import { WordPiece } from "./wordpiece.ts";

type Order = { id: number; texts: string[] };
/** `vectors` has the numbers of all texts, in turn; each vector's length is 1 */
type Answer = { id: number; vectors: Float32Array } | { id: number; problem: "download" | "failed"; message: string };

// The model was trained on these; a passage of 900 characters has about 230.
const MOST_TOKENS = 256;
const STORE = "meaning-";
// Of this script, whose name the service worker (web/service_worker.ts) finds there without a network.
const OWN = "worker.mjs";
// The names that the engine needs.
const NEEDED = "self postMessage navigator location";

/** A file couldn't be downloaded. */
class NotDownloaded extends Error {}

const loaded = load();
// The error is handled by each order.
loaded.catch(() => {});

self.addEventListener("message", async ({ data }: MessageEvent<Order>) => {
  const answer = await answerTo(data);
  self.postMessage(answer, "vectors" in answer ? { transfer: [answer.vectors.buffer as ArrayBuffer] } : {});
});

async function answerTo({ id, texts }: Order): Promise<Answer> {
  try {
    const { session, words } = await loaded;
    return { id, vectors: await embed(session, words, texts) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, problem: error instanceof NotDownloaded ? "download" : "failed", message };
  }
}

async function load() {
  const [model, vocabulary, engine] = await Promise.all(["minilm.onnx", "vocab.txt", "engine.wasm", OWN].map(stored));
  env.logLevel = "error";
  // Threads would take the cores from the page and from Python.
  env.wasm.numThreads = 1;
  env.wasm.wasmBinary = engine;
  const session = await InferenceSession.create(new Uint8Array(model), { executionProviders: ["wasm"] });
  confine(NEEDED);
  return { session, words: new WordPiece(new TextDecoder().decode(vocabulary)) };
}

/** Return a file of this folder, which is stored for use without a network. */
async function stored(name: string): Promise<ArrayBuffer> {
  const url = new URL(name, import.meta.url).href;
  const store = await openStore();
  const found = await store?.match(url);
  if (found) return found.arrayBuffer();
  const answer = await fetch(url).catch(() => null);
  if (!answer?.ok)
    throw new NotDownloaded(`${name} couldn't be downloaded: ${answer?.status ?? "there is no connection"}`);
  // Without room, it is downloaded again the next time.
  await store?.put(url, answer.clone()).catch((error) => console.debug(`${name} isn't stored:`, error));
  return answer.arrayBuffer();
}

/** Open the store of this version and delete those of earlier ones; null where the browser has none. */
async function openStore(): Promise<Cache | null> {
  // The address of the folder, as the service worker names its copies, without the slash.
  const own = new URL(".", import.meta.url).href.slice(0, -1);
  const earlier = new URL(`../${STORE}`, import.meta.url).href;
  try {
    const names = await caches.keys();
    await Promise.all(
      names.filter((name) => name.startsWith(earlier) && name !== own).map((name) => caches.delete(name)),
    );
    return await caches.open(own);
  } catch (error) {
    console.debug("The model isn't stored:", error);
    return null;
  }
}

/** Compute one text after the other: padding would cost more than a batch saves on one thread. */
async function embed(session: InferenceSession, words: WordPiece, texts: string[]): Promise<Float32Array> {
  const found: Float32Array[] = [];
  for (const text of texts) {
    const ids = words.encode(text, MOST_TOKENS);
    const shape = [1, ids.length];
    const input_ids = new Tensor("int64", BigInt64Array.from(ids, BigInt), shape);
    const attention_mask = new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape);
    const { embedding } = await session.run({ input_ids, attention_mask });
    found.push(embedding.data.slice());
    for (const tensor of [input_ids, attention_mask, embedding]) tensor.dispose();
  }
  const size = found[0]?.length ?? 0;
  const all = new Float32Array(size * found.length);
  found.forEach((vector, index) => all.set(vector, index * size));
  return all;
}
