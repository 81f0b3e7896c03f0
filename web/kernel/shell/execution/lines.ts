// Lines of a descriptor, as `read` and `select` take them.
import { concat, decode, encode } from "../../bytes.ts";
import { inCharacters, isByteLocale } from "../language/locale.ts";
import { TerminalInput, type OpenFile } from "./open_files.ts";
import { rejoined } from "../language/quoting.ts";
import type { Shell } from "../shell.ts";

export interface Limits {
  /** "" for a NUL byte */
  delimiter?: string;
  /** of characters at most */
  count?: number | null;
  /** whether the delimiter means nothing */
  exact?: boolean;
  /** whether a backslash is a character like others */
  raw?: boolean;
  timeoutMs?: number | null;
  prompt?: string;
  hidden?: boolean;
}

/** with whether a backslash was before it */
export type Character = { character: string; escaped: boolean };

/** `ended`: without the delimiter */
export type Line = { text: string; ended: boolean; late: boolean };

const CHUNK = 4096;
const POLL_MS = 10;
const NEWLINE = 10;
const BACKSLASH = 92;

/** @param number - of the descriptor */
export async function readLine(shell: Shell, number: number, limits: Limits): Promise<Line> {
  const file = shell.descriptors.get(number);
  if (file instanceof TerminalInput) return readTyped(shell, limits);
  const { timeoutMs = null } = limits;
  if (timeoutMs !== null && !(await becomesReady(shell, file, timeoutMs))) return { text: "", ended: true, late: true };
  return limits.count == null ? readDelimited(shell, file, limits) : readCount(shell, file, limits);
}

async function readTyped(shell: Shell, { prompt = "", hidden = false }: Limits): Promise<Line> {
  const typed = shell.host.attended ? await askPerson(shell, prompt, hidden) : null;
  return { text: typed ?? "", ended: typed === null, late: false };
}

/** Have the user at the terminal type a line; null if there is none. */
export async function askPerson({ host, task }: Shell, prompt: string, hidden = false): Promise<string | null> {
  host.flush();
  let typed: string | null = null;
  await task.pause(host.options.ask(prompt, hidden).then((text) => (typed = text ?? null)));
  return typed;
}

async function becomesReady({ task }: Shell, file: OpenFile, timeoutMs: number) {
  const end = performance.now() + timeoutMs;
  while (!file.isReady && performance.now() < end) await task.sleep(POLL_MS);
  return file.isReady;
}

async function readDelimited({ task }: Shell, file: OpenFile, { delimiter = "\n", raw = true }: Limits): Promise<Line> {
  const byte = delimiter === "" ? 0 : (encode(delimiter)[0] ?? NEWLINE);
  const chunks: Uint8Array[] = [];
  let escaped = false;
  for (;;) {
    const chunk = await file.read(CHUNK, task);
    if (chunk.length === 0) return { text: decode(concat(chunks)), ended: true, late: false };
    for (let at = 0; at < chunk.length; at++) {
      if (chunk[at] === byte && !escaped) {
        file.unread(chunk.subarray(at + 1));
        chunks.push(chunk.subarray(0, at));
        return { text: decode(concat(chunks)), ended: false, late: false };
      }
      escaped = !raw && !escaped && chunk[at] === BACKSLASH;
    }
    chunks.push(chunk);
  }
}

async function readCount(
  { task, variables }: Shell,
  file: OpenFile,
  { delimiter = "\n", count = 0, exact = false, raw = true }: Limits,
): Promise<Line> {
  const bytes: Uint8Array[] = [];
  let text = "";
  while (unescaped(text, raw).length < (count ?? 0)) {
    const byte = await file.read(1, task);
    if (byte.length === 0) return { text, ended: true, late: false };
    if (!exact && decode(byte) === (delimiter || "\0")) break;
    bytes.push(byte);
    const whole = decode(concat(bytes));
    // A character may be several bytes.
    if (isByteLocale(variables)) text = inCharacters(variables, whole);
    else
      text =
        /[\udc80-\udcff]$/u.test(whole) && bytes.length < 4 * (count ?? 0)
          ? whole.replace(/[\udc80-\udcff]+$/u, "")
          : whole;
  }
  return { text: rejoined(text), ended: false, late: false };
}

/** The characters of a text, without backslashes before them. */
export function unescaped(text: string, raw: boolean): Character[] {
  if (raw) return Array.from(text, (character) => ({ character, escaped: false }));
  const result = [];
  for (const [character = ""] of text.matchAll(/\\?[^]|\\$/gu)) {
    if (character === "\\\n") continue;
    const escaped = character.startsWith("\\");
    if (character !== "\\") result.push({ character: escaped ? character.slice(1) : character, escaped });
  }
  return result;
}
