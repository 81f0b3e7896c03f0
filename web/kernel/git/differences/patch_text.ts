// Patches: the head of each file, its hunks, and binary files as git-diff(1) writes them with --binary.
import { zlibSync } from "fflate";

import { headerOf, hunksOf, printed } from "./hunk_ranges.ts";
import { octal } from "./diff_lists.ts";
import type { Options } from "./diff_options.ts";
import type { Version, Pair } from "./file_pairs.ts";
import { wordsOf } from "./word_diff.ts";

export type Content = { old: string; now: string; oldBytes: Uint8Array; nowBytes: Uint8Array; binary: boolean };

const NONE = "0".repeat(40);
const SHORT = 7;
const TYPES = 0o170000;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const LINE = 52;
// Git packs patches so by default.
const FASTEST = 1;

/** Bytes in base 85, 52 to a line, after a letter for its length. */
function inBase85(bytes: Uint8Array) {
  let text = "";
  for (let at = 0; at < bytes.length; at += LINE) {
    const line = bytes.subarray(at, at + LINE);
    text += String.fromCharCode(line.length <= 26 ? 64 + line.length : 96 + line.length - 26);
    for (let start = 0; start < line.length; start += 4) {
      let number = 0;
      for (let byte = 0; byte < 4; byte++) number = number * 256 + (line[start + byte] ?? 0);
      let word = "";
      for (let digit = 0; digit < 5; digit++, number = Math.floor(number / 85))
        word = (DIGITS[number % 85] ?? "") + word;
      text += word;
    }
    text += "\n";
  }
  return text;
}

/** @param text - the lines of a block */
export function fromBase85(text: string): Uint8Array {
  const found = text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const code = line.charCodeAt(0);
      const length = code >= 97 ? code - 96 + 26 : code - 64;
      const bytes = [];
      for (let at = 1; at < line.length; at += 5) {
        let number = 0;
        for (const letter of line.slice(at, at + 5)) number = number * 85 + DIGITS.indexOf(letter);
        for (const place of [2 ** 24, 2 ** 16, 2 ** 8, 1]) bytes.push(Math.floor(number / place) % 256);
      }
      return bytes.slice(0, length);
    });
  return Uint8Array.from(found.flat());
}

function packed(bytes: Uint8Array) {
  const made = zlibSync(bytes, { level: FASTEST });
  // zlib marks its fastest level so (RFC 1950).
  made[1] = 1;
  return made;
}

/** Both contents in full: the new one, and the old one to undo it. */
function binaryBlock({ oldBytes, nowBytes }: Content) {
  const literal = (bytes: Uint8Array) => `literal ${bytes.length}\n${inBase85(packed(bytes))}\n`;
  return `GIT binary patch\n${literal(nowBytes)}${literal(oldBytes)}`;
}

/**
 * The lines before the hunks of a file.
 * @param isWhole - whether hashes are written in full
 */
function headOf(
  { path, from, old, now, status, score }: Pair,
  { prefixes, full, abbrev, quoted }: Options,
  isWhole: boolean,
) {
  const [one, other] = [`${prefixes[0]}${from ?? path}`, `${prefixes[1]}${path}`];
  const lines = [`diff --git ${quoted(one)} ${quoted(other)}`];
  if (old === null && now) lines.push(`new file mode ${octal(now.mode)}`);
  else if (now === null && old) lines.push(`deleted file mode ${octal(old.mode)}`);
  else if (old && now && old.mode !== now.mode)
    lines.push(`old mode ${octal(old.mode)}`, `new mode ${octal(now.mode)}`);
  if (status === "R" || status === "C") {
    const verb = status === "C" ? "copy" : "rename";
    lines.push(
      `similarity index ${Math.floor(score / 600)}%`,
      `${verb} from ${quoted(from ?? path)}`,
      `${verb} to ${quoted(path)}`,
    );
  }
  const digits = full || isWhole ? 40 : (abbrev ?? SHORT);
  const hash = (version: Version | null) => (version?.hash ?? NONE).slice(0, digits);
  if (old?.hash !== now?.hash)
    lines.push(`index ${hash(old)}..${hash(now)}${old && now && old.mode === now.mode ? ` ${octal(now.mode)}` : ""}`);
  return `${lines.join("\n")}\n`;
}

function sideName(prefix: string, path: string, isThere: boolean, { quoted }: Options) {
  if (!isThere) return "/dev/null";
  const name = quoted(prefix + path);
  return name.includes(" ") && !name.startsWith('"') ? `${name}\t` : name;
}

/** The patch of a file; empty if nothing that counts has changed. */
export function patchOf(pair: Pair, content: Content, options: Options): string {
  const { path, from, old, now, status } = pair;
  if (status === "U") return `* Unmerged path ${path}\n`;
  if (old && now && (old.mode ^ now.mode) & TYPES) {
    const [one, other] = [
      { ...pair, now: null, status: "D" },
      { ...pair, old: null, status: "A" },
    ];
    return (
      patchOf(one, { ...content, now: "", nowBytes: new Uint8Array() }, options) +
      patchOf(other, { ...content, old: "", oldBytes: new Uint8Array() }, options)
    );
  }
  const isMeta = old === null || now === null || status === "R" || status === "C" || old.mode !== now.mode;
  if (old?.hash === now?.hash) return isMeta ? headOf(pair, options, false) : "";
  const [before, after] = [
    sideName(options.prefixes[0], from ?? path, old !== null, options),
    sideName(options.prefixes[1], path, now !== null, options),
  ];
  if (content.binary) {
    if (options.binary) return headOf(pair, options, true) + binaryBlock(content);
    return `${headOf(pair, options, false)}Binary files ${before.replace(/\t$/, "")} and ${after.replace(/\t$/, "")} differ\n`;
  }
  const hunks = hunksOf(content.old, content.now, options.rules);
  if (hunks.length === 0) return isMeta ? headOf(pair, options, false) : "";
  const text = options.words ? hunks.map((hunk) => headerOf(hunk) + wordsOf(hunk, options)).join("") : printed(hunks);
  return `${headOf(pair, options, false)}--- ${before}\n+++ ${after}\n${text}`;
}
