// Commits in the formats of `git log --format` (gitformats in git-log(1), "PRETTY FORMATS").
import { readHead, revParse } from "just-git/repo";

import { colorSequence } from "../repository/color_names.ts";
import { formatDate, type Place } from "../objects/dates.ts";
import type { Repository } from "../repository/repository.ts";
import { tableOf } from "../../tables.ts";

export interface Commit {
  hash: string;
  message: string;
  tree: string;
  parents: string[];
  author: Person;
  committer: Person;
}

export type Person = { name: string; email: string; timestamp: number; timezone: string };

export interface Style {
  date: string;
  place: Place;
  /** digits of a short hash */
  abbrev: number;
  /** of refs, by commit */
  names: Map<string, string[]>;
  decorate: "" | "short" | "full";
  /** by commit */
  notes?: Map<string, string>;
  /** whether the codes of colors have effect */
  isColored?: boolean;
  /** what `%m` prints: `>`, `<` or `-` */
  mark?: string;
}

const LONGEST_SUBJECT = 52;

/** The names of refs by commit, in the order in which git shows them. */
export async function decorations(repository: Repository, full: boolean): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  const head = await readHead(repository);
  const all = (await repository.refStore.listRefs("refs")).sort((one, other) => (one.name < other.name ? 1 : -1));
  for (const { name, hash } of all) {
    const commit = (await revParse(repository, `${hash}^{commit}`)) ?? hash;
    const short = full ? name : name.replace(/^refs\/(heads|tags|remotes)\//, "");
    const shown = name.startsWith("refs/tags/") ? `tag: ${short}` : short;
    if (name === `refs/heads/${head.branch}`) names.set(commit, [`HEAD -> ${shown}`, ...(names.get(commit) ?? [])]);
    else names.set(commit, [...(names.get(commit) ?? []), shown]);
  }
  if (head.branch === null && head.hash !== null) names.set(head.hash, ["HEAD", ...(names.get(head.hash) ?? [])]);
  return names;
}

function parts(message: string) {
  const text = message.replace(/^\n+/, "");
  const [, first = "", rest = ""] = /^((?:.*\S.*\n?)*)((?:.|\n)*)$/.exec(text) ?? [];
  return { subject: first.trimEnd().replace(/\n/g, " "), body: rest.replace(/^\s*\n/, "").trimEnd() };
}

function ofPerson({ name, email, timestamp, timezone }: Person, code: string, { date, place }: Style) {
  const local = email.split("@")[0] ?? "";
  const dated = (wanted: string) => formatDate(timestamp, timezone, wanted, place);
  const codes: Record<string, () => string> = {
    n: () => name,
    N: () => name,
    e: () => email,
    E: () => email,
    l: () => local,
    L: () => local,
    d: () => dated(date),
    D: () => dated("rfc"),
    r: () => dated("relative"),
    t: () => String(timestamp),
    i: () => dated("iso"),
    I: () => dated("iso-strict"),
    s: () => dated("short"),
    h: () => dated("human"),
  };
  return codes[code]?.() ?? null;
}

/** A subject as the name of a file. */
const asFileName = (subject: string) =>
  subject
    .replace(/[^A-Za-z0-9._]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[-.]+/, "")
    .slice(0, LONGEST_SUBJECT)
    .replace(/[-.]+$/, "");

/** @returns null if the code isn't known */
function valueOf(commit: Commit, code: string, style: Style): string | null {
  const short = (hash: string) => hash.slice(0, style.abbrev);
  const { subject, body } = parts(commit.message);
  const names = style.names.get(commit.hash) ?? [];
  const codes: Record<string, () => string> = {
    H: () => commit.hash,
    h: () => short(commit.hash),
    T: () => commit.tree,
    t: () => short(commit.tree),
    P: () => commit.parents.join(" "),
    p: () => commit.parents.map(short).join(" "),
    s: () => subject,
    f: () => asFileName(subject),
    b: () => body && `${body}\n`,
    B: () => `${commit.message.trimEnd()}\n`,
    d: () => (names.length ? ` (${names.join(", ")})` : ""),
    D: () => names.join(", "),
    m: () => style.mark ?? ">",
    e: () => "",
    N: () => (style.notes?.has(commit.hash) ? `${style.notes.get(commit.hash)}\n` : ""),
    n: () => "\n",
    "%": () => "%",
    "G?": () => "N",
    gd: () => "",
    gD: () => "",
    gs: () => "",
    gn: () => "",
    ge: () => "",
    gN: () => "",
    gE: () => "",
  };
  const [who = "", what = ""] = code;
  if (code.length === 2 && (who === "a" || who === "c"))
    return ofPerson(who === "a" ? commit.author : commit.committer, what, style);
  if (/^x[\da-f]{2}$/i.test(code)) return String.fromCharCode(parseInt(code.slice(1), 16));
  if (/^G[A-Z]/.test(code)) return "";
  return codes[code]?.() ?? null;
}

const CODE =
  /%([-+ ]?)(%|x[\da-fA-F]{2}|G[?A-Z]|g[dDsnNeE]|[ac][a-zA-Z]|C\([^)]*\)|C(?:red|green|blue|reset)|w\([^)]*\)|(?:>>|><|>|<)\|?\([^)]*\)|\([^)]*\)|[HhTtPpsfbBdDmeNn])/g;

type Column = { width: number; kind: string; cut: string };

function aligned(text: string, { width, kind, cut }: Column) {
  const letters = [...text];
  const room = width - letters.length;
  if (room < 0 && cut) {
    const retained = Math.max(width - 2, 0);
    if (cut === "trunc") return `${letters.slice(0, retained).join("")}..`;
    if (cut === "ltrunc") return `..${letters.slice(letters.length - retained).join("")}`;
    return `${letters.slice(0, Math.floor(retained / 2)).join("")}..${letters.slice(letters.length - Math.ceil(retained / 2)).join("")}`;
  }
  if (room <= 0) return text;
  if (kind === "<") return text + " ".repeat(room);
  if (kind === "><") return " ".repeat(Math.floor(room / 2)) + text + " ".repeat(Math.ceil(room / 2));
  return " ".repeat(room) + text;
}

/** The codes of a format that this module doesn't know. */
export function unknownCode(format: string): string | null {
  for (const [whole, , code = ""] of format.matchAll(CODE))
    if (/^\((?!trailers\))|^[<>]+\||^>>|^w\(/.test(code)) return whole;
  return null;
}

/** The trailers at the end of a message. */
function trailers(message: string) {
  const last =
    message
      .trimEnd()
      .split(/\n\s*\n/)
      .slice(1)
      .at(-1) ?? "";
  const lines = last.split("\n");
  return lines.length && lines.every((line) => /^[A-Za-z][\w-]*: |^\s/.test(line)) ? `${last}\n` : "";
}

export function formatted(format: string, commit: Commit, style: Style): string {
  let column: Column | null = null;
  let printed = "";
  let isAuto = false;
  let at = 0;
  for (const match of format.matchAll(CODE)) {
    const [whole, sign = "", code = ""] = match;
    printed += format.slice(at, match.index);
    at = match.index + whole.length;
    if (/^C/.test(code)) {
      const name = code.replace(/^C\(?(.*?)\)?$/, "$1");
      isAuto = name === "auto";
      if (style.isColored || name.startsWith("always,")) printed += isAuto ? "" : colorSequence(name);
      continue;
    }
    const [, kind, width, cut = ""] = /^(><|>|<)\((\d+)(?:,\s*(\w+))?\)$/.exec(code) ?? [];
    if (kind !== undefined) {
      column = { width: Number(width), kind, cut };
      continue;
    }
    let value = code === "(trailers)" ? trailers(commit.message) : valueOf(commit, code, style);
    if (value === null) value = whole;
    if (isAuto && style.isColored && /^[Hh]$/.test(code)) value = `${colorSequence("yellow")}${value}\x1b[m`;
    if (sign === "-" && value === "") printed = printed.replace(/\n+$/, "");
    if (value !== "" && sign === "+") value = `\n${value}`;
    if (value !== "" && sign === " ") value = ` ${value}`;
    printed += column ? aligned(value, column) : value;
    column = null;
  }
  return printed + format.slice(at);
}

const indented = (text: string) => text.replace(/^/gm, "    ");

/** The headers and the message of a format with a name. */
export const NAMED: Record<string, (commit: Commit, style: Style, decoration: string) => string> = tableOf({
  oneline: (commit, style, decoration) =>
    `${commit.hash.slice(0, style.abbrev)}${decoration} ${parts(commit.message).subject}`,
  reference: (commit, style) => formatted("%h (%s, %as)", commit, style),
  short: (commit, style, decoration) =>
    `${head(commit, style, decoration)}Author: ${shown(commit.author)}\n\n    ${parts(commit.message).subject}\n`,
  medium: (commit, style, decoration) =>
    `${head(commit, style, decoration)}Author: ${shown(commit.author)}\nDate:   ${ofPerson(commit.author, "d", style)}\n\n${message(commit)}`,
  full: (commit, style, decoration) =>
    `${head(commit, style, decoration)}Author: ${shown(commit.author)}\nCommit: ${shown(commit.committer)}\n\n${message(commit)}`,
  fuller: (commit, style, decoration) => {
    const people = `Author:     ${shown(commit.author)}\nAuthorDate: ${ofPerson(commit.author, "d", style)}\n`;
    return `${head(commit, style, decoration)}${people}Commit:     ${shown(commit.committer)}\nCommitDate: ${ofPerson(commit.committer, "d", style)}\n\n${message(commit)}`;
  },
  raw: (commit, _, decoration) => {
    const line = (role: string, person: Person) => `${role} ${shown(person)} ${person.timestamp} ${person.timezone}\n`;
    const parents = commit.parents.map((hash) => `parent ${hash}\n`).join("");
    return `commit ${commit.hash}${decoration}\ntree ${commit.tree}\n${parents}${line("author", commit.author)}${line("committer", commit.committer)}\n${message(commit)}`;
  },
  email: (commit, style) => {
    const { subject, body } = parts(commit.message);
    const date = formatDate(commit.author.timestamp, commit.author.timezone, "rfc", style.place);
    return `From ${commit.hash} Mon Sep 17 00:00:00 2001\nFrom: ${shown(commit.author)}\nDate: ${date}\nSubject: [PATCH] ${subject}\n\n${body && `${body}\n`}`;
  },
});

const shown = ({ name, email }: Person) => `${name} <${email}>`;

const message = ({ message: text }: Commit) => `${indented(text.trimEnd())}\n`;

function head({ hash, parents }: Commit, { abbrev }: Style, decoration: string) {
  const merge =
    parents.length > 1 ? `Merge: ${parents.map((parent) => parent.slice(0, Math.min(abbrev, 40))).join(" ")}\n` : "";
  return `commit ${hash}${decoration}\n${merge}`;
}
