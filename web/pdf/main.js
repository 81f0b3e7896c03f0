// The worker that reads the text of a PDF file, by pdf.js (https://mozilla.github.io/pdf.js/). It is a worker of its own,
// because some files take forever, and is ended after one file.

import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { WorkerMessageHandler } from "pdfjs-dist/legacy/build/pdf.worker.mjs";
import { textOf } from "./text.js";

/**
 * @typedef {{ bytes: Uint8Array, password?: string }} Request
 * @typedef {{ pages: string[] } | { problem: "password" | "invalid", message: string }} Answer
 */

// pdf.js starts no worker of its own.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

/** The character maps of Chinese, Japanese and Korean fonts, loaded on first use. Text needs none of pdf.js's other files. */
class CharacterMaps {
  /** @param {{ kind: string, filename: string }} options @returns {Promise<Uint8Array>} */
  async fetch({ kind, filename }) {
    if (kind !== "cMapUrl") throw new Error(`${filename} isn't needed for text`);
    const { load } = await import(/* @vite-ignore */ new URL("pdf_cmaps.mjs", import.meta.url).href);
    return load(filename.replace(/\.bcmap$/, ""));
  }
}

self.addEventListener("message", async ({ data }) => {
  // pdf.js receives and sends messages here, too.
  if (data.request) self.postMessage({ answer: JSON.stringify(await read(data.request)) });
});

/** @param {Request} request @returns {Promise<Answer>} */
async function read({ bytes, password }) {
  const options = {
    data: bytes, password, isEvalSupported: false, disableFontFace: true, useSystemFonts: false, useWorkerFetch: false, useWasm: false,
    verbosity: VerbosityLevel.ERRORS, BinaryDataFactory: CharacterMaps, cMapUrl: "cmaps/", cMapPacked: true,
  };
  try {
    const file = await getDocument(/** @type {any} */ (options)).promise;
    const pages = [];
    for (let number = 1; number <= file.numPages; number += 1) {
      const page = await file.getPage(number);
      pages.push(textOf((await page.getTextContent()).items));
      page.cleanup();
    }
    return { pages };
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    return { problem: name === "PasswordException" ? "password" : "invalid", message };
  }
}
