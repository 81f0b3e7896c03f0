// Hunks of a diff that a user chooses from, as in `git add -p`; the dialog is as in git's add-patch.c.

import { printedLine, type Line } from "./hunk_ranges.ts";

/**
 * `start` is its first line in the old file; `shift` is how far it is moved in the new file; `chosen` is null while the
 * user hasn't decided; `mode` is the change of permissions that it stands for, which has no lines
 */
export type Hunk = {
  start: number;
  shift: number;
  heading: string;
  lines: Line[];
  chosen: boolean | null;
  mode?: { text: string; old: number; now: number };
};

export type FileDiff = { path: string; header: string; added: boolean; deleted: boolean; hunks: Hunk[] };

/** prints, asks and returns a line of input; null at its end */
type Ask = (shown: string, prompt: string) => Promise<string | null>;

/** `place` follows the question's object, such as " from worktree"; `edit` changes a hunk, if that is possible */
interface Dialog {
  verb: string;
  place?: string;
  edit?: (file: FileDiff, hunk: Hunk, shown: string) => Promise<Hunk | null>;
  print: (text: string) => void | Promise<void>;
  complain: (text: string) => void | Promise<void>;
  ask: Ask;
}

const BINARY = /^Binary files |^GIT binary patch/m;

/**
 * @param diff - of `git diff`
 * @returns without binary files
 */
export function parseDiff(diff: string): FileDiff[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith("diff --git ") && !BINARY.test(part))
    .map((part) => {
      const [header = "", ...hunks] = part.split(/^(?=@@ -)/m);
      const path =
        /^\+\+\+ b\/(.*?)\t?$/m.exec(header)?.[1] ??
        /^--- a\/(.*?)\t?$/m.exec(header)?.[1] ??
        /^diff --git a\/(.*) b\/\1$/m.exec(header)?.[1] ??
        "";
      const [added, deleted] = [/^new file/m.test(header), /^deleted file/m.test(header)];
      const parsed = hunks.map(parseHunk);
      const modes = /^old mode (\d+)\nnew mode (\d+)\n/m.exec(header);
      if (modes === null) return { path, header, added, deleted, hunks: parsed };
      const [text, old = "", now = ""] = modes;
      const mode = { text, old: parseInt(old, 8), now: parseInt(now, 8) };
      const change = { start: 1, shift: 0, heading: "", lines: [], chosen: null, mode };
      return { path, header: header.replace(text, ""), added, deleted, hunks: [change, ...parsed] };
    });
}

export function parseHunk(text: string): Hunk {
  const [, old = "0", count, fresh = "0", freshCount, heading = ""] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)/.exec(text) ?? [];
  const lines: Line[] = [];
  for (const line of text.split(/(?<=\n)/).slice(1)) {
    const last = lines.at(-1);
    if (line.startsWith("\\")) last && (last.text = last.text.replace(/\n$/, ""));
    // Lines of hunks begin with one of these.
    else lines.push({ kind: line.charAt(0) as Line["kind"], text: line.slice(1) });
  }
  // A side without lines has the number of the line before.
  const [start, newStart] = [Number(old) + Number(count === "0"), Number(fresh) + Number(freshCount === "0")];
  return { start, shift: newStart - start, heading, lines, chosen: null };
}

function render({ start, shift, heading, lines, mode }: Hunk) {
  if (mode) return mode.text;
  const olds = lines.filter(({ kind }) => kind !== "+").length;
  const news = lines.filter(({ kind }) => kind !== "-").length;
  const range = (first: number, count: number) => `${count ? first : first - 1}${count === 1 ? "" : `,${count}`}`;
  const text = lines.map(printedLine).join("");
  return `@@ -${range(start, olds)} +${range(start + shift, news)} @@${heading}\n${text}`;
}

/** Split a hunk at lines that don't change. */
function split({ start, shift, lines }: Hunk): Hunk[] {
  const parts: Hunk[] = [];
  const isChange = (line: Line | undefined) => line !== undefined && line.kind !== " ";
  let from = 0;
  let [old, moved] = [start, shift];
  for (let at = 0; at <= lines.length; at++) {
    const next = lines.findIndex((line, index) => index >= at && isChange(line));
    const ends = at === lines.length || (isChange(lines[at - 1]) && !isChange(lines[at]));
    if (!ends) continue;
    parts.push({
      start: old,
      shift: moved,
      heading: "",
      lines: lines.slice(from, next < 0 ? lines.length : next),
      chosen: null,
    });
    if (next < 0) break;
    const done = lines.slice(from, at);
    old += done.filter(({ kind }) => kind !== "+").length;
    moved += done.filter(({ kind }) => kind === "+").length - done.filter(({ kind }) => kind === "-").length;
    from = at;
  }
  return parts;
}

/** The old file with some of its hunks. */
export function withHunks(old: string, hunks: Hunk[]) {
  const lines = old.split(/(?<=\n)/);
  let result = "";
  let at = 1;
  for (const hunk of hunks) {
    let line = hunk.start;
    for (const { kind, text } of hunk.lines) {
      if (kind !== " ") while (at < line) result += lines[at++ - 1];
      if (kind === "+") result += text;
      if (kind === "-") at++;
      if (kind !== "+") line++;
    }
  }
  return result + lines.slice(at - 1).join("");
}

/** Let the user choose hunks of files. */
export async function chooseHunks(files: FileDiff[], dialog: Dialog) {
  for (const file of files) {
    if (await chooseIn(file, dialog)) break;
  }
  for (const { hunks } of files) for (const hunk of hunks) hunk.chosen ??= false;
}

const whatOf = ({ added, deleted }: FileDiff, { mode }: Hunk) =>
  mode ? "mode change" : deleted ? "deletion" : added ? "addition" : "this hunk";

/** @returns whether the user quits */
async function chooseIn(file: FileDiff, dialog: Dialog): Promise<boolean> {
  // A file without lines is still added or deleted.
  if (file.hunks.length === 0) file.hunks.push({ start: 1, shift: 0, heading: "", lines: [], chosen: null });
  const { hunks } = file;
  let at = 0;
  let text = file.header;
  for (;;) {
    if (at >= hunks.length) at = 0;
    const hunk = hunks[at];
    const before = hunks.findLastIndex(({ chosen }, index) => index < at && chosen === null);
    const after = hunks.findIndex(({ chosen }, index) => index > at && chosen === null);
    if (before < 0 && after < 0 && hunk.chosen !== null) break;
    if (hunk.lines.length || hunk.mode) text += render(hunk);
    const parts = hunk.mode ? [] : split(hunk);
    const can = {
      k: before >= 0,
      K: at > 0,
      j: after >= 0,
      J: at + 1 < hunks.length,
      g: hunks.length > 1,
      "/": hunks.length > 1,
      s: parts.length > 1,
      e: dialog.edit !== undefined && hunk.lines.length > 0 && !file.deleted,
    };
    const keys = Object.entries(can).flatMap(([key, is]) => (is ? [`,${key}`] : []));
    const reply = await dialog.ask(
      text,
      `(${at + 1}/${hunks.length}) ${dialog.verb} ${whatOf(file, hunk)}${dialog.place ?? ""} [y,n,q,a,d${keys.join("")},?]? `,
    );
    text = "";
    if (reply === null) break;
    const key = reply.trim().charAt(0);
    const low = key.toLowerCase();
    if (key === "") continue;
    if (low === "y" || low === "n") {
      hunk.chosen = low === "y";
      at = after < 0 ? hunks.length : after;
    } else if (low === "a" || low === "d" || low === "q") {
      for (const one of hunks.slice(at)) one.chosen ??= low === "a";
      if (low === "q") {
        await dialog.print("\n");
        return true;
      }
    } else if (key === "k" || key === "K") {
      if (can[key]) at = key === "K" ? at - 1 : before;
      else await dialog.complain("No previous hunk\n");
    } else if (key === "j" || key === "J") {
      if (can[key]) at = key === "J" ? at + 1 : after;
      else await dialog.complain("No next hunk\n");
    } else if (key === "g" || key === "/") {
      at = await found(reply.trim(), hunks, at, dialog);
    } else if (key === "s" && can.s) {
      hunks.splice(at, 1, ...parts);
      text = `Split into ${parts.length} hunks.\n`;
    } else if (key === "s") await dialog.complain("Sorry, cannot split this hunk\n");
    else if (key === "e" && can.e && dialog.edit) {
      const changed = await dialog.edit(file, hunk, render(hunk));
      if (changed === null) continue;
      hunks[at] = { ...changed, chosen: true };
      at = after < 0 ? hunks.length : after;
    } else if (key === "e") await dialog.complain("Sorry, cannot edit this hunk\n");
    else text = help(dialog.verb.toLowerCase(), can);
  }
  await dialog.print(`${text}\n`);
  return false;
}

/** The hunk of a number or a regular expression. */
async function found(reply: string, hunks: Hunk[], at: number, dialog: Dialog): Promise<number> {
  if (hunks.length < 2) {
    await dialog.complain(reply.startsWith("g") ? "No other hunks to goto\n" : "No other hunks to search\n");
    return at;
  }
  const isNumber = reply.startsWith("g");
  const list = hunks.map(
    (hunk, index) =>
      `${{ true: "+", false: "-", null: " " }[String(hunk.chosen)]}${String(index + 1).padStart(2)}: ${render(hunk).split("\n")[0]}\n`,
  );
  const given =
    reply.slice(1).trim() ||
    (await dialog.ask(isNumber ? list.join("") : "", isNumber ? "go to which hunk? " : "search for regex? "))?.trim();
  if (!given) return at;
  if (isNumber) {
    if (hunks[Number(given) - 1]) return Number(given) - 1;
    await dialog.complain(
      /^\d+$/.test(given) ? `Sorry, only ${hunks.length} hunks available.\n` : `Invalid number: '${given}'\n`,
    );
    return at;
  }
  const [order, pattern] = [hunks.map((_, index) => (at + index) % hunks.length), expression(given)];
  if (pattern === null) await dialog.complain(`Malformed search regexp ${given}\n`);
  const match = pattern && order.find((index) => pattern.test(render(hunks[index])));
  if (pattern && match === undefined) await dialog.complain("No hunk matches the given pattern\n");
  return match ?? at;
}

function expression(text: string): RegExp | null {
  try {
    return new RegExp(text, "m");
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function help(verb: string, can: Record<string, boolean>) {
  const others: Record<string, string> = {
    j: "decide later, and go to the next open hunk",
    J: "decide later, and go to the next hunk",
    k: "decide later, and go back to the last open hunk",
    K: "decide later, and go back to the last hunk",
    g: "go to a hunk by its number",
    "/": "go to a hunk that matches a regular expression",
    s: "split the hunk",
    e: "edit the hunk",
  };
  const lines = [
    `y - ${verb} this hunk`,
    `n - leave this hunk`,
    "q - leave this hunk and all others",
    `a - ${verb} this hunk and the others in the file`,
    "d - leave this hunk and the others in the file",
    ...Object.entries(others).flatMap(([key, text]) => (can[key] ? [`${key} - ${text}`] : [])),
    "? - print this help",
  ];
  return lines.map((line) => `${line}\n`).join("");
}
