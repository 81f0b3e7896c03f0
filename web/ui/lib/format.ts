/** Values formatted for people. */

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const TIME_WITH_SECONDS = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** @param size - in bytes */
export function bytes(size: number) {
  // A number of four digits before "bytes" is too wide for lists.
  const power = size < 1000 ? 0 : Math.min(UNITS.length - 1, Math.max(1, Math.floor(Math.log2(size) / 10)));
  const amount = size / 1024 ** power;
  const digits = power > 0 && amount < 10 ? 1 : 0;
  return `${amount.toFixed(digits)} ${power === 0 && size === 1 ? "byte" : UNITS[power]}`;
}

export function duration(milliseconds: number) {
  if (milliseconds < 1) return "< 1 ms";
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
}

/** Return the time of day for today, and the date otherwise. */
export function when(iso: string) {
  const moment = new Date(iso);
  if (Number.isNaN(moment.valueOf())) return iso;
  return moment.toDateString() === new Date().toDateString() ? TIME.format(moment) : DATE.format(moment);
}

export function fullTime(iso: string) {
  const moment = new Date(iso);
  return Number.isNaN(moment.valueOf()) ? iso : FULL.format(moment);
}

export function clock(iso: string) {
  const moment = new Date(iso);
  return Number.isNaN(moment.valueOf()) ? iso : TIME_WITH_SECONDS.format(moment);
}

/**
 * Characters that can hide or reorder others, or have no fixed look: controls, bidirectional marks, zero-width characters,
 * unusual spaces, those for private use, and those that aren't assigned. U+FFFC stands for an object, U+1D159 is an empty note.
 */
const HIDING = /[^\S\n ]|[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}](?<!\n)/gu;

/** Return JSON with hiding and reordering characters escaped, so that a user approves exactly what they see. */
export function plainJson(value: unknown) {
  return (JSON.stringify(value, null, 2) ?? "null").replace(HIDING, escaped);
}

/** Split a text into visible pieces and escaped hidden characters, in order. */
export function shownPieces(text: string): { text: string; hidden: boolean }[] {
  const pieces = [];
  let end = 0;
  for (const found of text.matchAll(HIDING)) {
    if (found.index > end) pieces.push({ text: text.slice(end, found.index), hidden: false });
    pieces.push({ text: escaped(found[0]), hidden: true });
    end = found.index + found[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), hidden: false });
  return pieces;
}

// Shorter runs of empty lines and spaces occur in ordinary text.
const LEAST_EMPTY_LINES = 4;
const EMPTY_SPACES = /[^\S\n]{40,}/g;

/**
 * Split a text at its long runs of empty lines and of spaces, which could push what follows out of sight.
 *
 * @returns in order; `empty` says what a run is, such as "400 empty lines"
 */
export function emptyRuns(text: string): { text: string; empty: string | null }[] {
  const lines = text.split(/(?<=\n)/);
  const pieces: { text: string; empty: string | null }[] = [];
  let full = "";
  const flush = () => {
    if (full !== "") pieces.push(...spaceRuns(full));
    full = "";
  };
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && lines[end].trim() === "") end += 1;
    if (end - at >= LEAST_EMPTY_LINES) {
      flush();
      pieces.push({ text: lines.slice(at, end).join(""), empty: counted(end - at, "empty line") });
    } else {
      end = Math.max(end, at + 1);
      full += lines.slice(at, end).join("");
    }
    at = end;
  }
  flush();
  return pieces;
}

function spaceRuns(text: string): { text: string; empty: string | null }[] {
  const pieces = [];
  let end = 0;
  for (const { 0: run, index } of text.matchAll(EMPTY_SPACES)) {
    if (index > end) pieces.push({ text: text.slice(end, index), empty: null });
    pieces.push({ text: run, empty: counted(run.length, "space") });
    end = index + run.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), empty: null });
  return pieces;
}

/**
 * Return the part of a text that an almost equal one doesn't have.
 *
 * @returns null if it is equal, or has little in common
 */
export function changedPart(text: string, before: string | undefined): [start: number, end: number] | null {
  if (before === undefined || text === before) return null;
  const [now, then] = [[...text], [...before]];
  const least = Math.min(now.length, then.length);
  let start = 0;
  while (start < least && now[start] === then[start]) start += 1;
  let same = 0;
  while (same < least - start && now.at(-1 - same) === then.at(-1 - same)) same += 1;
  if (start + same < Math.max(now.length, then.length) / 3) return null;
  const from = now.slice(0, start).join("").length;
  return [from, from + now.slice(start, now.length - same).join("").length];
}

/** Return a text's lines and characters, and its bytes if they are more. */
export function textSize(text: string) {
  const size = new TextEncoder().encode(text).length;
  const lines = text.split("\n").length;
  return [
    counted(lines, "line"),
    counted(text.length, "character"),
    size > text.length ? `${size.toLocaleString()} bytes` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** Return the code points of a text as U+0041. */
export function codeOf(text: string) {
  return Array.from(text, (each) => `U+${(each.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`).join(
    " ",
  );
}

function escaped(character: string) {
  if (character === "\t") return "\\t";
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** Return a value's JSON on one line, cut at `limit` characters, with hiding and reordering characters escaped. */
export function oneLine(value: unknown, limit: number) {
  const text = (JSON.stringify(value) ?? "").slice(0, limit + 1).replace(HIDING, escaped);
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** Indent JSON. Text that isn't complete JSON is returned unchanged. */
export function indented(text: string) {
  try {
    return plainJson(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

export function counted(count: number, noun: string) {
  return `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * Return the first line of a text with hiding and reordering characters escaped.
 * @param most - characters
 */
export function firstLine(text: string, most = 120) {
  const [line = ""] = text.trim().split("\n");
  const shown = line.slice(0, most + 1).replace(HIDING, escaped);
  return shown.length > most ? `${shown.slice(0, most - 1)}…` : shown;
}
