// Line ends: those git stores for a text file, and those it writes, as gitattributes(5) and git-config(1)
// (`core.autocrlf`, `core.eol`, `core.safecrlf`) describe them; the rules for mixed and binary files are convert.c's.
import { fromLatin1, latin1 } from "../../bytes.ts";
import { refuse } from "../repository/refusals.ts";
import { Attributes, NAME, type Value } from "./attributes.ts";
import { parseIndex } from "../index/index_file.ts";
import { blobHash } from "../repository/blob_hash.ts";
import { setting, type Setting } from "../repository/settings.ts";

type Action = "binary" | "text" | "text=input" | "text=crlf" | "auto" | "auto=input" | "auto=crlf";
type Statistics = { nul: number; loneCr: number; loneLf: number; crlf: number; printable: number; other: number };

/** one that the next checkout doesn't undo */
type Conversion = { from: "CRLF" | "LF"; to: "CRLF" | "LF"; content: Uint8Array };

const [CR, LF, DELETE, SPACE, END_OF_FILE] = [13, 10, 127, 32, 26];
const PRINTABLE = new Set([8, 9, 27, 12]);

export function statisticsOf(bytes: Uint8Array): Statistics {
  const found = { nul: 0, loneCr: 0, loneLf: 0, crlf: 0, printable: 0, other: 0 };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === CR && bytes[at + 1] === LF) {
      found.crlf++;
      at++;
    } else if (byte === CR) found.loneCr++;
    else if (byte === LF) found.loneLf++;
    else if ((byte >= SPACE && byte !== DELETE) || PRINTABLE.has(byte)) found.printable++;
    else {
      if (byte === 0) found.nul++;
      found.other++;
    }
  }
  if (bytes.at(-1) === END_OF_FILE) found.other--;
  return found;
}

export const isBinary = ({ loneCr, nul, printable, other }: Statistics): boolean =>
  loneCr > 0 || nul > 0 || printable >> 7 < other;

const isAuto = (action: Action) => action.startsWith("auto");

const withoutCr = (bytes: Uint8Array) => bytes.filter((byte, at) => !(byte === CR && bytes[at + 1] === LF));

/** @param count - of lone newlines */
function withCr(bytes: Uint8Array, count: number) {
  const whole = new Uint8Array(bytes.length + count);
  let to = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF && bytes[at - 1] !== CR) whole[to++] = CR;
    whole[to++] = bytes[at] ?? 0;
  }
  return whole.subarray(0, to);
}

/** Name the content in each `$Id$`. */
const withIds = (bytes: Uint8Array, hash: string) =>
  fromLatin1(latin1(bytes).replace(/\$Id(?::[^$\n]*)?\$/g, `$Id: ${hash} $$`));

const withoutIds = (bytes: Uint8Array) => fromLatin1(latin1(bytes).replace(/\$Id:[^$\n]*\$/g, "$Id$$"));

export class LineEnds {
  /** The last action on each file that was written, by path. */
  #written = new Map<string, Action>();
  /** True if files of attributes were written or removed. */
  #changed = false;
  #index: Map<string, { hash: string; mode: number }> | null = null;
  /** Text in the index has no CRLF that would stay (`git add --renormalize`). */
  renormalizes = false;
  conversions = new Map<string, Conversion>();
  attributes: Attributes;
  settings: Setting[];
  indexBytes: () => Uint8Array | null;
  blobOf: (hash: string) => Promise<Uint8Array>;
  auto: string | null;
  textIsCrlf: boolean;

  constructor(
    settings: Setting[],
    attributes: Attributes,
    { indexBytes, blobOf }: { indexBytes: () => Uint8Array | null; blobOf: (hash: string) => Promise<Uint8Array> },
  ) {
    this.attributes = attributes;
    this.settings = settings;
    this.indexBytes = indexBytes;
    this.blobOf = blobOf;
    const auto = setting(settings, "core.autocrlf")?.toLowerCase() ?? "false";
    this.auto = auto === "input" ? "input" : /^(true|yes|on|1)$/.test(auto) ? "crlf" : null;
    const eol = setting(settings, "core.eol")?.toLowerCase();
    this.textIsCrlf = this.auto === null ? eol === "crlf" : this.auto === "crlf";
  }

  /** The entries of the index as it was before the command. */
  index() {
    const bytes = this.#index ? null : this.indexBytes();
    this.#index ??= new Map(
      (bytes ? (parseIndex(bytes) ?? []) : []).filter(({ stage }) => stage === 0).map((entry) => [entry.path, entry]),
    );
    return this.#index;
  }

  /** Read the index again when it is next needed. */
  forgetIndex() {
    this.#index = null;
  }

  action(path: string): Action {
    const given = actionOf(this.attributes.of(path));
    if (given === "text") return this.textIsCrlf ? "text=crlf" : "text=input";
    if (given !== null) return given;
    return this.auto === null ? "binary" : this.auto === "crlf" ? "auto=crlf" : "auto=input";
  }

  #writesCrlf = (action: Action) =>
    action.endsWith("=crlf") || ((action === "auto" || action === "text") && this.textIsCrlf);

  #addsCr(found: Statistics, action: Action) {
    if (!this.#writesCrlf(action) || found.loneLf === 0) return false;
    return !isAuto(action) || !(found.loneCr || found.crlf || isBinary(found));
  }

  /** The bytes that git keeps of a file. */
  async clean(path: string, bytes: Uint8Array): Promise<Uint8Array> {
    this.#checkFilter(path, "clean");
    const ended = await this.#cleanEnds(path, bytes);
    return this.attributes.of(path).get("ident") === true ? withoutIds(ended) : ended;
  }

  /** Refuse a file that a command or another encoding would change. */
  #checkFilter(path: string, way: "clean" | "smudge") {
    const values = this.attributes.of(path);
    const encoding = values.get("working-tree-encoding");
    if (typeof encoding === "string" && !/^utf-?8$/i.test(encoding))
      refuse(
        `'${path}' has working-tree-encoding=${encoding}, which git doesn't convert here`,
        "use iconv, and remove the attribute",
        128,
      );
    const name = values.get("filter");
    if (typeof name !== "string") return;
    const key = [way, "process"].find((one) => setting(this.settings, `filter.${name}.${one}`));
    if (key === undefined) return;
    refuse(
      `'${path}' has filter=${name}, and git doesn't run filter.${name}.${key} here`,
      `run the command yourself, and git config --unset filter.${name}.${key}`,
      128,
    );
  }

  async #cleanEnds(path: string, bytes: Uint8Array): Promise<Uint8Array> {
    const action = this.action(path);
    if (action === "binary" || bytes.length === 0) return bytes;
    const found = statisticsOf(bytes);
    if (isAuto(action) && isBinary(found)) return bytes;
    const removes = found.crlf > 0 && !(isAuto(action) && !this.renormalizes && (await this.#hasCrlf(path)));
    const cleaned = removes ? withoutCr(bytes) : bytes;
    this.#note(path, found, removes, action, cleaned);
    return cleaned;
  }

  /** Note whether the next checkout changes the file. */
  #note(path: string, found: Statistics, removes: boolean, action: Action, content: Uint8Array) {
    const after = removes ? { ...found, loneLf: found.loneLf + found.crlf, crlf: 0 } : found;
    const adds = this.#addsCr(after, action);
    const [crlf, loneLf] = adds ? [after.crlf + after.loneLf, 0] : [after.crlf, after.loneLf];
    if (found.crlf && !crlf) this.conversions.set(path, { from: "CRLF", to: "LF", content });
    else if (found.loneLf && !loneLf) this.conversions.set(path, { from: "LF", to: "CRLF", content });
  }

  /** Return whether a text file has CRLF in the index, which then stays. */
  async #hasCrlf(path: string) {
    const entry = this.index().get(path);
    if (!entry) return false;
    const content = await this.blobOf(entry.hash);
    if (!content.includes(CR)) return false;
    const found = statisticsOf(content);
    return !isBinary(found) && found.crlf > 0;
  }

  /** The bytes that git writes. */
  async smudge(path: string, bytes: Uint8Array): Promise<Uint8Array> {
    this.#checkFilter(path, "smudge");
    this.#written.set(path, this.action(path));
    if (path.endsWith(NAME)) this.changed();
    const named = this.attributes.of(path).get("ident") === true ? withIds(bytes, await blobHash(bytes)) : bytes;
    return this.#smudgeEnds(path, named);
  }

  #smudgeEnds(path: string, bytes: Uint8Array): Uint8Array {
    const action = this.action(path);
    if (bytes.length === 0 || !this.#writesCrlf(action)) return bytes;
    const found = statisticsOf(bytes);
    return this.#addsCr(found, action) ? withCr(bytes, found.loneLf) : bytes;
  }

  /** Say that attributes were written or removed. */
  changed() {
    this.#changed = true;
  }

  /** The files that were written by attributes that have changed since. */
  renewedBy(written: Set<string>): Set<string> {
    if (!this.#changed) return new Set();
    this.attributes.forget();
    return new Set([...written].filter((path) => this.#written.get(path) !== this.action(path)));
  }
}

/** By the value of the attribute `text`. */
const ACTIONS = new Map<Value, Action>([
  [true, "text"],
  [false, "binary"],
  ["input", "text=input"],
  ["auto", "auto"],
]);

/** @returns null where nothing is said */
function actionOf(values: Map<string, Value>): Action | null {
  const text = values.get("text") ?? values.get("crlf") ?? null;
  const action = ACTIONS.get(text) ?? null;
  if (action === "binary") return action;
  const eol = values.get("eol");
  if (eol === "lf") return action === "auto" ? "auto=input" : "text=input";
  if (eol === "crlf") return action === "auto" ? "auto=crlf" : "text=crlf";
  return action;
}
