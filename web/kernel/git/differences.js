// Differences between files, in the formats of `git diff`.
import { decode } from "../bytes.js";
import { GitProblem } from "./answers.js";
import { changedLines, counted, names, numstat, raw, shortstat, stat, statuses, summary } from "./diff_lists.js";
import { contentOf } from "./file_pairs.js";
import { headingOf, warningOf } from "./headings.js";
import { hunksOf } from "./hunk_ranges.js";
import { linesOf } from "./line_diff.js";
import { patchOf } from "./patch_text.js";
import { pathFilter } from "./pathspec.js";
import { withRenames } from "./renames.js";
import { inTree, needRepository } from "./repository.js";
import { setting } from "./settings.js";
import { checked, needPlainRules } from "./whitespace_check.js";

/**
 * @typedef {import("./repository.js").Call} Call
 * @typedef {import("./file_pairs.js").Pair} Pair
 * @typedef {import("./diff_options.js").Options} Options
 * @typedef {import("./patch_text.js").Content} Content
 */

const START = 8000;
const TYPES = 0o170000;

/** @param {Pair} pair @returns {Pair} */
function reversed(pair) {
  const status = { A: "D", D: "A" }[pair.status] ?? pair.status;
  return { ...pair, path: pair.from ?? pair.path, from: pair.from && pair.path, old: pair.now, now: pair.old, status };
}

/** The part of a path below a folder; null for another. @param {string} path @param {string} folder */
const below = (path, folder) => (folder === "" ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null);

export class Differences {
  /** @type {Map<Pair, Content>} */
  #contents = new Map();
  /** The warnings about languages that were printed. @type {Set<string>} */
  #warned = new Set();

  /** @param {Call} call @param {Options} options @param {string} folder that the paths of pairs are shown from; "" for the root */
  constructor(call, options, folder = "") {
    this.call = call;
    this.options = options;
    this.folder = folder;
  }

  /**
   * Choose what is shown.
   * @param {Pair[]} pairs @param {string[]} specs @returns {Promise<Pair[]>} with renames
   */
  async select(pairs, specs) {
    const { options, folder, call } = this;
    const wanted = specs.length ? pathFilter(specs, needRepository(call), call.context) : () => true;
    const inside = pairs.filter(({ path }) => wanted(path) && below(path, folder) !== null);
    const turned = options.reverse ? inside.map(reversed) : inside;
    const { rename: least, copies } = options;
    const whole = least ? await withRenames(turned, { least, copies, contentOf: (version, path) => contentOf(call, version, path) }) : turned;
    const found = [];
    for (const pair of whole) if (this.#passes(pair) && (await this.#matches(pair))) found.push(pair);
    return options.search?.all && found.length ? whole : found;
  }

  /** @param {Pair} pair */
  #passes({ status }) {
    const { filter } = this.options;
    const [wanted, left] = [filter.replace(/[a-z]/g, ""), filter.replace(/[A-Z]/g, "").toUpperCase()];
    return (wanted === "" || wanted.includes(status)) && !left.includes(status);
  }

  /** Return whether a pickaxe finds the file. @param {Pair} pair */
  async #matches(pair) {
    const { search } = this.options;
    if (search === null) return true;
    const { old, now } = await this.#content(pair);
    const count = (/** @type {string} */ text) => text.match(search.pattern)?.length ?? 0;
    if (!search.lines) return count(old) !== count(now);
    return changedLines(linesOf(old), linesOf(now)).some((line) => line.replace(/\n$/, "").search(search.pattern) >= 0);
  }

  /** @param {Pair} pair @returns {Promise<Content>} */
  async #content(pair) {
    const known = this.#contents.get(pair);
    if (known) return known;
    const { path, from, old, now, status } = pair;
    const empty = new Uint8Array();
    const [oldBytes, nowBytes] = status === "U" ? [empty, empty] : [await contentOf(this.call, old, from ?? path), await contentOf(this.call, now, path)];
    const binary = this.#isBinary(path, [oldBytes, nowBytes]);
    const isText = !binary;
    const made = { oldBytes, nowBytes, binary, old: isText ? decode(oldBytes) : "", now: isText ? decode(nowBytes) : "" };
    this.#contents.set(pair, made);
    return made;
  }

  /** @param {string} path @param {Uint8Array[]} contents */
  #isBinary(path, contents) {
    if (this.options.text) return false;
    const attribute = this.call.context.fs.lineEnds?.attributes.of(path).get("diff");
    if (typeof attribute === "string") this.#checkDriver(attribute);
    if (attribute === true) return false;
    return attribute === false || contents.some((bytes) => bytes.subarray(0, START).includes(0));
  }

  /** Refuse what a driver of `diff.NAME` would change. @param {string} name */
  #checkDriver(name) {
    const { settings } = this.call;
    const key = ["textconv", "command", "xfuncname", "funcname", "wordRegex", "binary"].find((one) => setting(settings, `diff.${name}.${one}`) !== undefined);
    if (key === undefined || (key === "textconv" && !this.options.converts)) return;
    throw new GitProblem(`error: git diff knows no diff.${name}.${key} here\nhint: use git -c core.attributesFile=/dev/null with a .gitattributes without diff=${name}; a Linux terminal has Debian's git`, 128);
  }

  /** @param {Pair} pair */
  async #counted(pair) {
    const content = await this.#content(pair);
    const sizes = { oldSize: content.oldBytes.length, nowSize: content.nowBytes.length };
    return counted(pair, { ...content, ...sizes }, this.options, (old, now) => hunksOf(old, now, { ...this.options.rules, context: 0 }));
  }

  /** The paths of a pair as they are shown. @param {Pair} pair @returns {Pair} */
  #shown(pair) {
    if (this.folder === "") return pair;
    return { ...pair, path: below(pair.path, this.folder) ?? pair.path, from: pair.from === null ? null : (below(pair.from, this.folder) ?? pair.from) };
  }

  /**
   * @param {Pair[]} pairs that were selected @param {number} [digits] of hashes in raw lines
   * @returns {Promise<string>}
   */
  async print(pairs, digits) {
    const { options } = this;
    const has = (/** @type {import("./diff_options.js").Format} */ format) => options.formats.has(format);
    const shown = pairs.map((pair) => this.#shown(pair));
    let text = has("raw") ? raw(shown, options, digits) : "";
    if (has("statuses")) text += statuses(shown, options);
    if (has("names")) text += names(shown, options);
    if (has("numstat") || has("stat") || has("shortstat")) text += await this.#statistics(pairs);
    if (has("summary")) text += summary(shown, options);
    if (!has("patch")) return text;
    const patch = await this.#patch(pairs);
    return text && patch ? `${text}\n${patch}` : text + patch;
  }

  /** @param {Pair[]} pairs */
  async #statistics(pairs) {
    const { options } = this;
    /** @type {import("./diff_lists.js").Counted[]} */
    const files = [];
    for (const pair of pairs) {
      const file = await this.#counted(pair);
      const isSame = !file.binary && file.added + file.removed === 0 && pair.status === "M" && pair.old?.mode === pair.now?.mode;
      if (!isSame) files.push({ ...file, pair: this.#shown(pair) });
    }
    const all = { numstat, stat: (/** @type {any} */ list) => stat(list, options), shortstat };
    return /** @type {const} */ (["numstat", "stat", "shortstat"]).map((name) => (options.formats.has(name) ? all[name](files, options) : "")).join("");
  }

  /** @param {Pair[]} pairs */
  async #patch(pairs) {
    const { options } = this;
    const [one, other] = options.prefixes;
    const turned = options.reverse ? { ...options, prefixes: /** @type {[string, string]} */ ([other, one]) } : options;
    const parts = [];
    for (const pair of pairs) {
      const driver = this.call.context.fs.lineEnds?.attributes.of(pair.path).get("diff");
      const patch = patchOf(this.#shown(pair), await this.#content(pair), { ...turned, rules: { ...turned.rules, heading: headingOf(driver) } });
      if (typeof driver === "string" && /^@@/m.test(patch)) await this.#warn(warningOf(driver, options.words !== "" && options.wordPattern === null));
      parts.push(patch);
    }
    return parts.join("");
  }

  /** Say something once. @param {string} text */
  async #warn(text) {
    if (text === "" || this.#warned.has(text)) return;
    this.#warned.add(text);
    await this.call.context.complain(text);
  }

  /** Print what `--check` finds. @param {Pair[]} pairs @returns {Promise<string>} */
  async check(pairs) {
    needPlainRules(this.call.settings);
    let text = "";
    for (const pair of pairs) {
      if (pair.now === null || pair.status === "U" || (pair.now.mode & TYPES) !== 0o100000) continue;
      const { old, now, binary } = await this.#content(pair);
      if (!binary) text += checked(this.#shown(pair).path, old, now, this.options.rules);
    }
    return text;
  }

  /** Return whether something that counts differs. @param {Pair[]} pairs */
  async differ(pairs) {
    const { rules: { space, blanks, ignored } } = this.options;
    if (space === "" && !blanks && ignored.length === 0) return pairs.length > 0;
    // Git looks at contents only where it prints a patch, or nothing.
    const prints = this.options.formats.size > 0 && !this.options.formats.has("patch");
    return (this.options.quiet || !prints) && (await this.#patch(pairs)) !== "";
  }
}

/** @param {string | null} relative a folder from here, "" for here, null for the root @param {Call} call */
export function folderOf(relative, call) {
  if (relative === null) return "";
  const repository = needRepository(call);
  return inTree(repository, call.context, relative === "" ? "." : `${repository.workTree}/${relative}`).replace(/\/$/, "");
}
