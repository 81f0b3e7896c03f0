// Differences between files, in the formats of `git diff`.
import { decode } from "../../bytes.ts";
import { refuse } from "../repository/refusals.ts";
import {
  changedLines,
  counted,
  names,
  numstat,
  raw,
  shortstat,
  stat,
  statuses,
  summary,
  type Counted,
} from "./diff_lists.ts";
import type { Format, Options } from "./diff_options.ts";
import { contentOf, type Pair } from "./file_pairs.ts";
import { headingOf, warningOf } from "./headings.ts";
import { hunksOf } from "./hunk_ranges.ts";
import { linesOf } from "./line_diff.ts";
import { patchOf, type Content } from "./patch_text.ts";
import { pathFilter } from "../repository/pathspec.ts";
import { withRenames } from "./renames.ts";
import { inTree, needRepository, type Call } from "../repository/repository.ts";
import { setting } from "../repository/settings.ts";
import { checked, needPlainRules } from "./whitespace_check.ts";

const START = 8000;
const TYPES = 0o170000;

function reversed(pair: Pair): Pair {
  const status = { A: "D", D: "A" }[pair.status] ?? pair.status;
  return { ...pair, path: pair.from ?? pair.path, from: pair.from && pair.path, old: pair.now, now: pair.old, status };
}

/** The part of a path below a folder; null for another. */
const below = (path: string, folder: string) =>
  folder === "" ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;

export class Differences {
  #contents = new Map<Pair, Content>();
  /** The warnings about languages that were printed. */
  #warned = new Set<string>();
  call: Call;
  options: Options;
  folder: string;

  /** @param folder - that the paths of pairs are shown from; "" for the root */
  constructor(call: Call, options: Options, folder = "") {
    this.call = call;
    this.options = options;
    this.folder = folder;
  }

  /**
   * Choose the pairs to show.
   * @returns with renames
   */
  async select(pairs: Pair[], specs: string[]): Promise<Pair[]> {
    const { options, folder, call } = this;
    const wanted = specs.length ? pathFilter(specs, needRepository(call), call.context) : () => true;
    const inside = pairs.filter(({ path }) => wanted(path) && below(path, folder) !== null);
    const turned = options.reverse ? inside.map(reversed) : inside;
    const { rename: least, copies } = options;
    const whole = least
      ? await withRenames(turned, { least, copies, contentOf: (version, path) => contentOf(call, version, path) })
      : turned;
    const found = [];
    for (const pair of whole) if (this.#passes(pair) && (await this.#matches(pair))) found.push(pair);
    return options.search?.all && found.length ? whole : found;
  }

  #passes({ status }: Pair) {
    const { filter } = this.options;
    const [wanted, left] = [filter.replace(/[a-z]/g, ""), filter.replace(/[A-Z]/g, "").toUpperCase()];
    return (wanted === "" || wanted.includes(status)) && !left.includes(status);
  }

  /** Return whether a pickaxe finds the file. */
  async #matches(pair: Pair) {
    const { search } = this.options;
    if (search === null) return true;
    const { old, now } = await this.#content(pair);
    const count = (text: string) => text.match(search.pattern)?.length ?? 0;
    if (!search.lines) return count(old) !== count(now);
    return changedLines(linesOf(old), linesOf(now)).some((line) => line.replace(/\n$/, "").search(search.pattern) >= 0);
  }

  async #content(pair: Pair): Promise<Content> {
    const known = this.#contents.get(pair);
    if (known) return known;
    const { path, from, old, now, status } = pair;
    const empty = new Uint8Array();
    const [oldBytes, nowBytes] =
      status === "U"
        ? [empty, empty]
        : [await contentOf(this.call, old, from ?? path), await contentOf(this.call, now, path)];
    const binary = this.#isBinary(path, [oldBytes, nowBytes]);
    const isText = !binary;
    const made = {
      oldBytes,
      nowBytes,
      binary,
      old: isText ? decode(oldBytes) : "",
      now: isText ? decode(nowBytes) : "",
    };
    this.#contents.set(pair, made);
    return made;
  }

  #isBinary(path: string, contents: Uint8Array[]) {
    if (this.options.text) return false;
    const attribute = this.call.context.fs.lineEnds?.attributes.of(path).get("diff");
    if (typeof attribute === "string") this.#checkDriver(attribute);
    if (attribute === true) return false;
    return attribute === false || contents.some((bytes) => bytes.subarray(0, START).includes(0));
  }

  /** Refuse what a driver of `diff.NAME` would change. */
  #checkDriver(name: string) {
    const { settings } = this.call;
    const key = ["textconv", "command", "xfuncname", "funcname", "wordRegex", "binary"].find(
      (one) => setting(settings, `diff.${name}.${one}`) !== undefined,
    );
    if (key === undefined || (key === "textconv" && !this.options.converts)) return;
    refuse(
      `git diff knows no diff.${name}.${key} here`,
      `use git -c core.attributesFile=/dev/null with a .gitattributes without diff=${name}`,
      128,
    );
  }

  async #counted(pair: Pair) {
    return counted(pair, await this.#content(pair), this.options, (old, now) =>
      hunksOf(old, now, { ...this.options.rules, context: 0 }),
    );
  }

  /** The paths of a pair as they are shown. */
  #shown(pair: Pair): Pair {
    if (this.folder === "") return pair;
    return {
      ...pair,
      path: below(pair.path, this.folder) ?? pair.path,
      from: pair.from === null ? null : (below(pair.from, this.folder) ?? pair.from),
    };
  }

  /**
   * @param pairs - that were selected
   * @param digits - of hashes in raw lines
   */
  async print(pairs: Pair[], digits?: number): Promise<string> {
    const { options } = this;
    const has = (format: Format) => options.formats.has(format);
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

  async #statistics(pairs: Pair[]) {
    const { options } = this;
    const files: Counted[] = [];
    for (const pair of pairs) {
      const file = await this.#counted(pair);
      const isSame =
        !file.binary && file.added + file.removed === 0 && pair.status === "M" && pair.old?.mode === pair.now?.mode;
      if (!isSame) files.push({ ...file, pair: this.#shown(pair) });
    }
    const all = { numstat, stat: (list: Parameters<typeof stat>[0]) => stat(list, options), shortstat };
    return (["numstat", "stat", "shortstat"] as const)
      .map((name) => (options.formats.has(name) ? all[name](files, options) : ""))
      .join("");
  }

  async #patch(pairs: Pair[]) {
    const { options } = this;
    const [one, other] = options.prefixes;
    const turned: typeof options = options.reverse ? { ...options, prefixes: [other, one] } : options;
    const parts = [];
    for (const pair of pairs) {
      const driver = this.call.context.fs.lineEnds?.attributes.of(pair.path).get("diff");
      const patch = patchOf(this.#shown(pair), await this.#content(pair), {
        ...turned,
        rules: { ...turned.rules, heading: headingOf(driver) },
      });
      if (typeof driver === "string" && /^@@/m.test(patch))
        await this.#warn(warningOf(driver, options.words !== "" && options.wordPattern === null));
      parts.push(patch);
    }
    return parts.join("");
  }

  /** Say something once. */
  async #warn(text: string) {
    if (text === "" || this.#warned.has(text)) return;
    this.#warned.add(text);
    await this.call.context.complain(text);
  }

  /** Print what `--check` finds. */
  async check(pairs: Pair[]): Promise<string> {
    needPlainRules(this.call.settings);
    let text = "";
    for (const pair of pairs) {
      if (pair.now === null || pair.status === "U" || (pair.now.mode & TYPES) !== 0o100000) continue;
      const { old, now, binary } = await this.#content(pair);
      if (!binary) text += checked(this.#shown(pair).path, old, now, this.options.rules);
    }
    return text;
  }

  /** Return whether something that counts differs. */
  async differ(pairs: Pair[]) {
    const {
      rules: { space, blanks, ignored },
    } = this.options;
    if (space === "" && !blanks && ignored.length === 0) return pairs.length > 0;
    // Git looks at contents only where it prints a patch, or nothing.
    const prints = this.options.formats.size > 0 && !this.options.formats.has("patch");
    return (this.options.quiet || !prints) && (await this.#patch(pairs)) !== "";
  }
}

/** @param relative - a folder from here, "" for here, null for the root */
export function folderOf(relative: string | null, call: Call) {
  if (relative === null) return "";
  const repository = needRepository(call);
  return inTree(repository, call.context, relative === "" ? "." : `${repository.workTree}/${relative}`).replace(
    /\/$/,
    "",
  );
}
