/**
 * Files in the fragment of an address, which goes to no server: a line of JSON with names and sizes, then their bytes,
 * deflated, in base64url. Anyone can make such an address, so what is read from it is checked here.
 */

import { base64 } from "../../lib/base64.ts";
import { shownPieces } from "../../lib/format.ts";

/** characters of the fragment's value */
export const MOST_CODE = 32 * 1024;
// As in py/gemini/computer/files/sharing.py. Deflated zeros are a thousandth of their size.
const MOST_BYTES = 512 * 1024;
const MOST_FILES = 200;
const MOST_HEAD = 64 * 1024;
const LONGEST_PART = 100;
const DEEPEST = 12;
const LINE_FEED = 10;

export interface SharedFiles {
  /** of the folder for the files */
  name: string;
  files: { path: string; content: Uint8Array<ArrayBuffer> }[];
}

/** The link is damaged, or has what no link of this page has. */
export class BadLink extends Error {}

/** Return the text for the address; it may be longer than `MOST_CODE`. */
export async function encodeFiles({ name, files }: SharedFiles): Promise<string> {
  const head = JSON.stringify({ name, files: files.map(({ path, content }) => [path, content.length]) });
  const parts = [`${head}\n`, ...files.map(({ content }) => content)];
  const deflated = new Blob(parts).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @throws {BadLink} */
export async function decodeFiles(code: string): Promise<SharedFiles> {
  if (code.length > MOST_CODE) throw new BadLink(`it is longer than ${MOST_CODE / 1024} kB`);
  const data = await inflated(bytesOfCode(code));
  const end = data.indexOf(LINE_FEED);
  if (end < 0) throw new BadLink("it is cut or damaged");
  const { name, files } = head(new TextDecoder().decode(data.subarray(0, end)));
  let at = end + 1;
  const read = files.map(([path, size]) => {
    const content = data.slice(at, at + size);
    at += size;
    return { path, content };
  });
  if (at !== data.length) throw new BadLink("it is cut or damaged");
  return { name, files: read };
}

function bytesOfCode(code: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]+$/.test(code)) throw new BadLink("it has characters of no link");
  try {
    return Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  } catch (error) {
    throw new BadLink("it is cut or damaged", { cause: error });
  }
}

/** Inflate, and stop at the limit before memory fills. */
async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      size += piece.value.length;
      if (size > MOST_BYTES + MOST_HEAD) throw new BadLink("its files are larger than a link may have");
      pieces.push(piece.value);
    }
  } catch (error) {
    if (error instanceof BadLink) throw error;
    throw new BadLink("it is cut or damaged", { cause: error });
  } finally {
    reader.cancel().catch(() => {});
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Check the line of JSON. */
function head(text: string): { name: string; files: [string, number][] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BadLink("it is cut or damaged", { cause: error });
  }
  const { name, files }: { name?: unknown; files?: unknown } = value && typeof value === "object" ? value : {};
  if (!isPart(name) || !Array.isArray(files)) throw new BadLink("it is cut or damaged");
  if (files.length === 0 || files.length > MOST_FILES) throw new BadLink(`it hasn't one to ${MOST_FILES} files`);
  const seen = new Set<string>();
  for (const file of files) {
    const [path, size] = Array.isArray(file) ? file : [];
    if (!isPath(path) || seen.has(path)) throw new BadLink("a file has a name that can't be shared");
    if (!Number.isInteger(size) || size < 0) throw new BadLink("it is cut or damaged");
    seen.add(path);
  }
  return { name, files };
}

const isPath = (path: unknown): path is string => {
  if (typeof path !== "string") return false;
  const parts = path.split("/");
  return parts.length <= DEEPEST && parts.every(isPart);
};

/**
 * Return whether a name is one part of a path that shows what it is. Hidden names are refused, since programs obey
 * such files without asking, as git its `.git/config` and bash its `.bashrc`.
 */
function isPart(part: unknown): part is string {
  if (typeof part !== "string" || part === "" || part.length > LONGEST_PART) return false;
  return !/^\.|[\\/\n]/.test(part) && shownPieces(part).every(({ hidden }) => !hidden);
}
