// The worker that reads the text in a picture, by Tesseract (https://tesseract-ocr.github.io/). It reads one picture and is ended:
// some pictures take forever, and nothing of one can change the reading of the next. Before Tesseract sees the picture,
// the worker drops what reaches the network or storage.

import { confine } from "../shared/confine.ts";
import { Engine, LANGUAGES, NotDownloaded } from "./engine.ts";
import { levelled } from "./levels.ts";
import { decoded, NoPicture, toPgm, type Picture } from "./picture.ts";
import { linesOf, placed, score, type Line } from "./reading.ts";

/** `languages` are codes with plus signs between, such as `eng+deu` */
type Order = { bytes: Uint8Array; languages?: string };

interface Reading {
  /** of the picture, upright as its EXIF data says, in pixels */
  width: number;
  height: number;
  lines: Line[];
  /** that were expected */
  languages: string[];
  /** by which the picture was scaled before it was read */
  scale: number;
  /** clockwise degrees by which it had to be turned before it was read: 0, 90, 180 or 270 */
  turned: number;
}

type Problem = { problem: "picture" | "languages" | "download"; message: string };

// Words of upright text are surer than this, in percent; words of turned text aren't.
const SURE = 60;
// The names needed to read a picture; `fetch` isn't among them.
const NEEDED = "self postMessage OffscreenCanvas ImageData";
const TURNS = [90, 270, 180] as const;

self.addEventListener("message", async ({ data }: MessageEvent) => {
  if (data.request) self.postMessage({ answer: JSON.stringify(await read(data.request)) });
});

async function read({ bytes, languages = "" }: Order): Promise<Reading | Problem> {
  const chosen = englishLast(languages === "" ? usual(navigator.languages) : [...new Set(languages.split("+"))]);
  const unknown = chosen.filter((code) => !(code in LANGUAGES));
  if (unknown.length > 0)
    return { problem: "languages", message: `${unknown.join(", ")}: there are ${Object.keys(LANGUAGES).join(", ")}` };
  try {
    const [engine, picture] = await Promise.all([Engine.start(chosen), decoded(bytes)]);
    confine(NEEDED);
    return { ...recognized(engine, picture), languages: chosen };
  } catch (error) {
    if (error instanceof NoPicture) return { problem: "picture", message: error.message };
    if (error instanceof NotDownloaded) return { problem: "download", message: error.message };
    throw error;
  }
}

/** Return the lines of a picture; if they make no sense, the lines of the picture in its best rotation. */
function recognized(engine: Engine, { width, height, scale, gray, factor }: Picture) {
  const level = levelled(gray);
  const pass = (turn: 0 | 90 | 180 | 270) => {
    const lines = linesOf(engine.recognize(toPgm(level, factor, turn)));
    return { turn, lines, ...score(lines) };
  };
  let best = pass(0);
  if (best.confidence < SURE)
    for (const turn of TURNS) {
      const other = pass(turn);
      if (other.sure > best.sure && other.confidence > best.confidence) best = other;
    }
  const size = { width: level.width * factor, height: level.height * factor };
  const total = scale * factor;
  return { width, height, scale: total, turned: best.turn, lines: placed(best.lines, size, best.turn, total) };
}

/** Return English and those languages of the user's browser that can be read. */
function usual(preferred: readonly string[]) {
  const codes = Object.entries(LANGUAGES)
    .filter(([, tag]) => preferred.some((each) => each.split("-")[0] === tag))
    .map(([code]) => code);
  return [...new Set(["eng", ...codes])];
}

/**
 * Return languages with English as the last. Tesseract prefers the first one, and its English has no accents: it is sure of `fiir`
 * for `für`. The others read English words well.
 */
function englishLast(codes: string[]) {
  return [...codes.filter((code) => code !== "eng"), ...codes.filter((code) => code === "eng")];
}
