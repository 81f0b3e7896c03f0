// The worker that reads the text of a PDF file, or draws a page of it, by pdf.js (https://mozilla.github.io/pdf.js/).
// It is a separate worker, because some files take forever, and is ended after one file.

import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { WorkerMessageHandler } from "pdfjs-dist/legacy/build/pdf.worker.mjs";
import { whyUnloaded } from "../kernel/unloaded.ts";
import { Canvases, NoFilters, pictureOf } from "./pictures.ts";
import { textOf } from "./text.ts";

/** `picture` is the number of the page to draw */
type Request = { bytes: Uint8Array; password?: string; picture?: string };

type Read = { pages: string[] } | Awaited<ReturnType<typeof pictureOf>>;
type Answer = Read | { problem: "password" | "invalid" | "page" | "unloaded"; message: string };

const CMAPS = "pdf_cmaps.mjs";
const NOT_FOUND = 404;
// pdf.js starts no further worker.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

/** Why one of the files below can't be loaded. pdf.js would leave out, or misread, what needs it. */
let unloaded: string | null = null;

/**
 * Files of pdf.js, loaded on first use: the character maps of Chinese, Japanese and Korean fonts, and the decoders of pictures. It needs
 * no others.
 */
class Files {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind === "wasmUrl") return decoderOf(filename);
    if (kind !== "cMapUrl") throw new Error(`${filename} isn't needed for text`);
    const url = new URL(CMAPS, import.meta.url);
    try {
      const { load } = await import(/* @vite-ignore */ url.href);
      return load(filename.replace(/\.bcmap$/, ""));
    } catch (error) {
      unloaded = await whyUnloaded(url, CMAPS);
      throw error;
    }
  }
}

async function decoderOf(filename: string): Promise<Uint8Array> {
  const url = new URL(`pdf/${filename}`, import.meta.url);
  const answer = await fetch(url);
  // Without the decoder of colour profiles, which isn't shipped, colours differ a little.
  if (!answer.ok && answer.status !== NOT_FOUND) unloaded = await whyUnloaded(url, filename);
  return new Uint8Array(await answer.arrayBuffer());
}

self.addEventListener("message", async ({ data }) => {
  // pdf.js receives and sends messages here, too.
  if (data.request) self.postMessage({ answer: JSON.stringify(await read(data.request)) });
});

async function read({ bytes, password, picture }: Request): Promise<Answer> {
  const options = {
    data: bytes,
    password,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: picture !== undefined,
    wasmUrl: "wasm/",
    CanvasFactory: Canvases,
    FilterFactory: NoFilters,
    verbosity: VerbosityLevel.ERRORS,
    BinaryDataFactory: Files,
    cMapUrl: "cmaps/",
    cMapPacked: true,
  };
  try {
    const found = await readFile(options, picture);
    return unloaded === null ? found : { problem: "unloaded", message: unloaded };
  } catch (error) {
    if (unloaded !== null) return { problem: "unloaded", message: unloaded };
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { problem: name === "PasswordException" ? "password" : "invalid", message };
  }
}

async function readFile(options: Parameters<typeof getDocument>[0], picture?: string): Promise<Answer> {
  const file = await getDocument(options).promise;
  if (picture !== undefined) {
    const number = Number(picture);
    if (number > file.numPages) return { problem: "page", message: `it has ${file.numPages} pages` };
    return await pictureOf(file, number);
  }
  const pages = [];
  for (let number = 1; number <= file.numPages; number += 1) {
    const page = await file.getPage(number);
    pages.push(textOf((await page.getTextContent()).items));
    page.cleanup();
  }
  return { pages };
}
