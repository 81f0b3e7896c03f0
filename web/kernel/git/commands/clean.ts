// `git clean`: removes files that aren't tracked.
import ignore from "ignore";

import { answer, fail } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { stagesOf } from "../differences/file_pairs.ts";
import { deeper, isIgnored, rootLevels, type Levels } from "../index/ignoring.ts";
import { splitAtDashes } from "../repository/options.ts";
import { pathFilter } from "../repository/pathspec.ts";
import { inTree, needRepository, type Call } from "../repository/repository.ts";
import { setting } from "../repository/settings.ts";
import { pathFrom, quoted } from "../repository/shown_paths.ts";

interface Options {
  force: number;
  dry: boolean;
  quiet: boolean;
  folders: boolean;
  mode: "usual" | "all" | "ignored";
  patterns: string[];
  specs: string[];
}

/** a folder has `/` at its end */
type Found = { path: string; isRepository: boolean };

const LONG: Record<string, string> = { "--force": "f", "--dry-run": "n", "--quiet": "q" };

function parsed(args: string[]): Options {
  const [before, dashed] = splitAtDashes(args);
  const options: Options = {
    force: 0,
    dry: false,
    quiet: false,
    folders: false,
    mode: "usual",
    patterns: [],
    specs: dashed.slice(1),
  };
  for (let at = 0; at < before.length; at++) {
    const word = before[at] ?? "";
    if (word === "--exclude" || word.startsWith("--exclude="))
      options.patterns.push(word.includes("=") ? word.slice(10) : (before[++at] ?? ""));
    else if (!word.startsWith("-")) options.specs.push(word);
    else {
      const letters = LONG[word] ?? (word.startsWith("--") ? word : word.slice(1));
      for (let one = 0; one < letters.length; one++) {
        const letter = letters[one] ?? "";
        if (letter === "e") {
          options.patterns.push(letters.slice(one + 1) || (before[++at] ?? ""));
          break;
        }
        if (letter === "f") options.force++;
        else if (letter === "n") options.dry = true;
        else if (letter === "q") options.quiet = true;
        else if (letter === "d") options.folders = true;
        else if (letter === "x")
          options.mode = options.mode === "ignored" ? fail("options '-x' and '-X' cannot be used together") : "all";
        else if (letter === "X")
          options.mode = options.mode === "all" ? fail("options '-x' and '-X' cannot be used together") : "ignored";
        else refuse(`git clean has no ${word} here`, "use -n to see what -f removes");
      }
    }
  }
  return options;
}

class Walk {
  found: Found[] = [];
  call: Call;
  options: Options;
  tracked: Set<string>;
  folders: Set<string>;
  patterns: ignore.Ignore;
  root: string;
  wanted: (path: string) => boolean;

  constructor(call: Call, options: Options, tracked: Set<string>) {
    this.call = call;
    this.options = options;
    this.tracked = tracked;
    this.folders = new Set(
      [...tracked].flatMap((path) =>
        path
          .split("/")
          .slice(0, -1)
          .map((_, at, parts) => `${parts.slice(0, at + 1).join("/")}/`),
      ),
    );
    this.patterns = ignore({ allowRelativePaths: true }).add(options.patterns);
    this.root = `${needRepository(call).workTree}/`;
    const wanted = pathFilter(options.specs, needRepository(call), call.context);
    const here = inTree(needRepository(call), call.context, ".");
    const prefix = here && `${here.replace(/\/$/, "")}/`;
    const isHere = (path: string) => options.specs.length > 0 || path.startsWith(prefix);
    this.wanted = (path: string) => isHere(path) && wanted(path.replace(/\/$/, ""));
  }

  /** Return whether a path stays. */
  #stays(path: string, levels: Levels) {
    const { mode } = this.options;
    const excluded = this.patterns.ignores(path);
    const ignored = excluded || (mode !== "all" && isIgnored(levels, path));
    return mode === "ignored" ? !ignored : ignored;
  }

  /**
   * Collect what can go.
   * @returns whether something stays
   */
  visit(prefix: string, above: Levels, into: Found[]): boolean {
    const { fs } = this.call.context;
    const names: [string, boolean][] = fs.namesIn(this.root + prefix);
    const levels = names.some(([name]) => name === ".gitignore")
      ? deeper(above, prefix, fs.textAt(`${this.root}${prefix}.gitignore`))
      : above;
    let stays = false;
    for (const [name, isFolder] of names.toSorted(([one, a], [other, b]) =>
      one + (a ? "/" : "") < other + (b ? "/" : "") ? -1 : 1,
    )) {
      const path = `${prefix}${name}${isFolder ? "/" : ""}`;
      if (name === ".git" || this.tracked.has(path)) stays = true;
      else if (isFolder) stays = this.#visitFolder(path, levels, into) || stays;
      else if (this.#stays(path, levels) || !this.wanted(path)) stays = true;
      else into.push({ path, isRepository: false });
    }
    return stays;
  }

  #visitFolder(path: string, levels: Levels, into: Found[]): boolean {
    const { specs, mode, force } = this.options;
    const folders = this.options.folders || specs.length > 0;
    if (this.folders.has(path)) return this.visit(path, levels, into) || true;
    const isIgnoring = mode === "ignored";
    if (!folders && !isIgnoring) return true;
    const excluded = this.#stays(path, levels);
    if (!isIgnoring && excluded) return true;
    const isRepository = this.call.context.fs.nodeAt(`${this.root}${path}.git`) !== null;
    if (isRepository && force < 2) {
      if (this.wanted(path) && this.#hasCommits(path)) into.push({ path, isRepository });
      return true;
    }
    if ((isRepository || (isIgnoring && !excluded)) && this.wanted(path)) {
      if (folders) into.push({ path, isRepository: false });
      return !folders;
    }
    const inside: Found[] = [];
    const stays = this.visit(path, levels, inside);
    const isWhole = folders && !stays && this.wanted(path) && (!isIgnoring || inside.length > 0);
    into.push(...(isWhole ? [{ path, isRepository: false }] : inside));
    return stays || !isWhole;
  }

  /** @param path - of a repository */
  #hasCommits(path: string) {
    const { fs } = this.call.context;
    const heads = `${this.root}${path}.git/refs/heads`;
    return (
      fs.nodeAt(`${this.root}${path}.git/packed-refs`) !== null ||
      (fs.nodeAt(heads) !== null && fs.namesIn(heads).length > 0)
    );
  }
}

export async function clean(args: string[], call: Call) {
  const repository = needRepository(call);
  const options = parsed(args);
  const needsForce = setting(call.settings, "clean.requireForce");
  if (!options.force && !options.dry && needsForce !== "false")
    fail(
      `clean.requireForce ${needsForce === undefined ? "defaults to" : "set to"} true and neither -i, -n, nor -f given; refusing to clean`,
    );
  const [staged = new Map(), ...conflicts] = await stagesOf(call);
  const walk = new Walk(call, options, new Set([staged, ...conflicts].flatMap((one) => [...one.keys()])));
  walk.visit("", options.mode === "all" ? [] : await rootLevels(repository, call), walk.found);
  const here = inTree(repository, call.context, ".").split("/").filter(Boolean);
  let text = "";
  for (const { path, isRepository } of walk.found) {
    const shown = quoted(pathFrom(path, here));
    if (isRepository) text += options.dry ? `Would skip repository ${shown}\n` : `Skipping repository ${shown}\n`;
    else text += options.dry ? `Would remove ${shown}\n` : options.quiet ? "" : `Removing ${shown}\n`;
    if (!options.dry && !isRepository)
      await call.context.files.rm(walk.root + path.replace(/\/$/, ""), { recursive: true, force: true });
  }
  return answer(text);
}
