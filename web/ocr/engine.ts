// Tesseract with the data of its languages, from this origin alone.

import create, { type Api, type Tesseract } from "tesseract.js-core/tesseract-core-simd-lstm.js";

/** The languages that the build has, by Tesseract's codes, with the tags of browsers (BCP 47). */
export const LANGUAGES: Record<string, string> = { eng: "en", deu: "de", fra: "fr", spa: "es" };

// Tesseract's numbers: its neural network alone, and a page whose layout it finds.
const LSTM = 1;
const AUTOMATIC = "3";
const PICTURE = "/input";

/** The engine or the data of a language couldn't be downloaded. */
export class NotDownloaded extends Error {}

export class Engine {
  module: Tesseract;
  api: Api;

  /** @param module - Tesseract's module */
  constructor(module: Tesseract, api: Api) {
    this.module = module;
    this.api = api;
  }

  /**
   * @param languages - codes
   * @throws {NotDownloaded}
   */
  static async start(languages: string[]) {
    const [wasm, ...data] = await Promise.all([
      file("tesseract.wasm"),
      ...languages.map((code) => unpacked(file(`${code}.data`))),
    ]);
    const module = await create({ wasmBinary: await wasm.arrayBuffer(), print: () => {}, printErr: () => {} });
    languages.forEach((code, index) => module.FS.writeFile(`${code}.traineddata`, data[index]));
    const api = new module.TessBaseAPI();
    if (api.Init(null, languages.join("+"), LSTM) !== 0)
      throw new NotDownloaded("The data of the languages is damaged.");
    api.SetVariable("tessedit_pageseg_mode", AUTOMATIC);
    return new Engine(module, api);
  }

  /**
   * Return what a picture says, as Tesseract's table of values between tabs.
   * @param picture - a file that Leptonica reads
   */
  recognize(picture: Uint8Array) {
    this.module.FS.writeFile(PICTURE, picture);
    if (this.api.SetImageFile(1, 0) === 1) throw new Error("Leptonica doesn't read the picture.");
    this.api.Recognize(null);
    return this.api.GetTSVText(0);
  }
}

async function file(name: string): Promise<Response> {
  const answer = await fetch(new URL(`ocr/${name}`, import.meta.url)).catch(() => null);
  if (!answer?.ok)
    throw new NotDownloaded(`${name} couldn't be downloaded: ${answer?.status ?? "there is no connection"}`);
  return answer;
}

/** Return the content of a file in gzip's format. */
async function unpacked(answer: Promise<Response>) {
  const { body } = await answer;
  if (body === null) throw new NotDownloaded("A file of a language is empty.");
  return new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}
