// Line ends: what git keeps of a text file and what it writes, as gitattributes(5) and git-config(1) (`core.autocrlf`,
// `core.eol`, `core.safecrlf`) describe them; the rules for mixed and binary files are those of convert.c.
import { fromLatin1, latin1 } from "../bytes.js";
import { GitProblem } from "./answers.js";
import { Attributes, NAME } from "./attributes.js";
import { parseIndex } from "./index_file.js";
import { blobHash } from "./plumbing.js";
import { setting } from "./settings.js";

/**
 * @typedef {"binary" | "text" | "text=input" | "text=crlf" | "auto" | "auto=input" | "auto=crlf"} Action
 * @typedef {{ nul: number, loneCr: number, loneLf: number, crlf: number, printable: number, other: number }} Statistics
 * @typedef {{ from: "CRLF" | "LF", to: "CRLF" | "LF", content: Uint8Array }} Conversion one that the next checkout doesn't undo
 */

const [CR, LF, DELETE, SPACE, END_OF_FILE] = [13, 10, 127, 32, 26];
const PRINTABLE = new Set([8, 9, 27, 12]);

/** @param {Uint8Array} bytes @returns {Statistics} */
export function statisticsOf(bytes) {
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

/** @param {Statistics} found @returns {boolean} */
export const isBinary = ({ loneCr, nul, printable, other }) => loneCr > 0 || nul > 0 || printable >> 7 < other;

/** @param {Action} action */
const isAuto = (action) => action.startsWith("auto");

/** @param {Uint8Array} bytes */
const withoutCr = (bytes) => bytes.filter((byte, at) => !(byte === CR && bytes[at + 1] === LF));

/** @param {Uint8Array} bytes @param {number} count of lone newlines */
function withCr(bytes, count) {
  const whole = new Uint8Array(bytes.length + count);
  let to = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF && bytes[at - 1] !== CR) whole[to++] = CR;
    whole[to++] = bytes[at] ?? 0;
  }
  return whole.subarray(0, to);
}

/** Name the content in each `$Id$`. @param {Uint8Array} bytes @param {string} hash */
const withIds = (bytes, hash) => fromLatin1(latin1(bytes).replace(/\$Id(?::[^$\n]*)?\$/g, `$Id: ${hash} $$`));

/** @param {Uint8Array} bytes */
const withoutIds = (bytes) => fromLatin1(latin1(bytes).replace(/\$Id:[^$\n]*\$/g, "$Id$$"));

export class LineEnds {
  /** The last action on each file that was written, by path. @type {Map<string, Action>} */
  #written = new Map();
  /** True if files of attributes were written or removed. */
  #changed = false;
  /** @type {Map<string, { hash: string, mode: number }> | null} */
  #index = null;
  /** Text in the index has no CRLF that would stay (`git add --renormalize`). */
  renormalizes = false;
  /** @type {Map<string, Conversion>} */
  conversions = new Map();

  /**
   * @param {import("./settings.js").Setting[]} settings @param {Attributes} attributes
   * @param {{ indexBytes: () => Uint8Array | null, blobOf: (hash: string) => Promise<Uint8Array> }} source
   */
  constructor(settings, attributes, { indexBytes, blobOf }) {
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
    this.#index ??= new Map((bytes ? (parseIndex(bytes) ?? []) : []).filter(({ stage }) => stage === 0).map((entry) => [entry.path, entry]));
    return this.#index;
  }

  /** Read the index again when it is next needed. */
  forgetIndex() {
    this.#index = null;
  }

  /** @param {string} path @returns {Action} */
  action(path) {
    const given = actionOf(this.attributes.of(path));
    if (given === "text") return this.textIsCrlf ? "text=crlf" : "text=input";
    if (given !== null) return given;
    return this.auto === null ? "binary" : this.auto === "crlf" ? "auto=crlf" : "auto=input";
  }

  /** @param {Action} action */
  #writesCrlf = (action) => action.endsWith("=crlf") || ((action === "auto" || action === "text") && this.textIsCrlf);

  /** @param {Statistics} found @param {Action} action */
  #addsCr(found, action) {
    if (!this.#writesCrlf(action) || found.loneLf === 0) return false;
    return !isAuto(action) || !(found.loneCr || found.crlf || isBinary(found));
  }

  /** The bytes that git keeps of a file. @param {string} path @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
  async clean(path, bytes) {
    this.#checkFilter(path, "clean");
    const ended = await this.#cleanEnds(path, bytes);
    return this.attributes.of(path).get("ident") === true ? withoutIds(ended) : ended;
  }

  /** Refuse a file that a command or another encoding would change. @param {string} path @param {"clean" | "smudge"} way */
  #checkFilter(path, way) {
    const values = this.attributes.of(path);
    const encoding = values.get("working-tree-encoding");
    if (typeof encoding === "string" && !/^utf-?8$/i.test(encoding))
      throw new GitProblem(`error: '${path}' has working-tree-encoding=${encoding}, which git doesn't convert here\nhint: use iconv, and remove the attribute; a Linux terminal has Debian's git`);
    const name = values.get("filter");
    if (typeof name !== "string") return;
    const key = [way, "process"].find((one) => setting(this.settings, `filter.${name}.${one}`));
    if (key === undefined) return;
    throw new GitProblem(`error: '${path}' has filter=${name}, and git doesn't run filter.${name}.${key} here\nhint: run the command yourself, and git config --unset filter.${name}.${key}; a Linux terminal has Debian's git`);
  }

  /** @param {string} path @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
  async #cleanEnds(path, bytes) {
    const action = this.action(path);
    if (action === "binary" || bytes.length === 0) return bytes;
    const found = statisticsOf(bytes);
    if (isAuto(action) && isBinary(found)) return bytes;
    const removes = found.crlf > 0 && !(isAuto(action) && !this.renormalizes && (await this.#hasCrlf(path)));
    const cleaned = removes ? withoutCr(bytes) : bytes;
    this.#note(path, found, removes, action, cleaned);
    return cleaned;
  }

  /** Note whether the next checkout changes the file. @param {string} path @param {Statistics} found @param {boolean} removes @param {Action} action @param {Uint8Array} content */
  #note(path, found, removes, action, content) {
    const after = removes ? { ...found, loneLf: found.loneLf + found.crlf, crlf: 0 } : found;
    const adds = this.#addsCr(after, action);
    const [crlf, loneLf] = adds ? [after.crlf + after.loneLf, 0] : [after.crlf, after.loneLf];
    if (found.crlf && !crlf) this.conversions.set(path, { from: "CRLF", to: "LF", content });
    else if (found.loneLf && !loneLf) this.conversions.set(path, { from: "LF", to: "CRLF", content });
  }

  /** Return whether a text file has CRLF in the index, which then stays. @param {string} path */
  async #hasCrlf(path) {
    const entry = this.index().get(path);
    if (!entry) return false;
    const content = await this.blobOf(entry.hash);
    if (!content.includes(CR)) return false;
    const found = statisticsOf(content);
    return !isBinary(found) && found.crlf > 0;
  }

  /** The bytes that git writes. @param {string} path @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
  async smudge(path, bytes) {
    this.#checkFilter(path, "smudge");
    this.#written.set(path, this.action(path));
    if (path.endsWith(NAME)) this.changed();
    const named = this.attributes.of(path).get("ident") === true ? withIds(bytes, await blobHash(bytes)) : bytes;
    return this.#smudgeEnds(path, named);
  }

  /** @param {string} path @param {Uint8Array} bytes @returns {Uint8Array} */
  #smudgeEnds(path, bytes) {
    const action = this.action(path);
    if (bytes.length === 0 || !this.#writesCrlf(action)) return bytes;
    const found = statisticsOf(bytes);
    return this.#addsCr(found, action) ? withCr(bytes, found.loneLf) : bytes;
  }

  /** Say that attributes were written or removed. */
  changed() {
    this.#changed = true;
  }

  /** The files that were written by attributes that have changed since. @param {Set<string>} written @returns {Set<string>} */
  renewedBy(written) {
    if (!this.#changed) return new Set();
    this.attributes.forget();
    return new Set([...written].filter((path) => this.#written.get(path) !== this.action(path)));
  }
}

/** @param {Map<string, import("./attributes.js").Value>} values @returns {Action | null} null where nothing is said */
function actionOf(values) {
  const text = values.get("text") ?? values.get("crlf") ?? null;
  /** @type {Action | null} */
  const action = text === true ? "text" : text === false ? "binary" : text === "input" ? "text=input" : text === "auto" ? "auto" : null;
  if (action === "binary") return action;
  const eol = values.get("eol");
  if (eol === "lf") return action === "auto" ? "auto=input" : "text=input";
  if (eol === "crlf") return action === "auto" ? "auto=crlf" : "text=crlf";
  return action;
}
