// The names of files that a pattern matches (Bash manual, 3.5.8).
import { inCharacters } from "./locale.ts";
import { hasPattern, patternRegex, unescapePattern } from "./patterns.ts";
import type { Shell } from "../shell.ts";

/** @returns sorted, empty where nothing matches */
export function matchingPaths(shell: Shell, pattern: string): string[] {
  const pieces = splitPath(pattern);
  if (!hasPattern(pattern)) return [];
  const absolute = pattern.startsWith("/");
  const paths = walk(
    shell,
    absolute ? "/" : "",
    pieces.filter((piece) => piece !== ""),
  );
  const folders = /[^\\]\/$/.test(pattern);
  const found = folders
    ? paths.filter((path) => isFolder(shell, path)).map((path) => (path.endsWith("/") ? path : `${path}/`))
    : paths;
  const ignored = ignoredPatterns(shell);
  const left = found.filter((path) => !ignored.some((pieces) => matches(pieces, path)));
  return [...new Set(left)].sort(byCodePoint);
}

/** The pieces of each pattern of GLOBIGNORE, which colons separate. */
function ignoredPatterns(shell: Shell): RegExp[][] {
  const patterns = (shell.variables.text("GLOBIGNORE") ?? "").match(/(?:\\.|\[(?:\[:\w+:\]|[^\]])+\]|[^:])+/gs) ?? [];
  const ignoreCase = shell.shopts.has("nocaseglob");
  return patterns.map((pattern) => splitPath(pattern).map((piece) => patternRegex(piece, { ignoreCase })));
}

function matches(pieces: RegExp[], path: string) {
  const names = path.split("/");
  return names.length === pieces.length && names.every((name, at) => pieces[at]?.test(name));
}

// As in the C locale: by UTF-8, which is the order of code points.
function byCodePoint(one: string, other: string) {
  if (one === other) return 0;
  const [left, right] = [[...one], [...other]];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (difference) return difference;
  }
  return left.length - right.length;
}

/** Split at slashes, but not in brackets and groups. */
function splitPath(pattern: string): string[] {
  if (!/[([]/.test(pattern)) return pattern.split("/");
  const pieces = [""];
  let depth = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === "/" && depth === 0) {
      pieces.push("");
      continue;
    }
    if (character === "(" && /[@!+*?]/.test(pattern.charAt(at - 1))) depth++;
    else if (character === ")" && depth > 0) depth--;
    pieces[pieces.length - 1] += character === "\\" ? character + pattern.charAt(++at) : character;
  }
  return pieces;
}

/** @param base - the path in front */
function walk(shell: Shell, base: string, pieces: string[]): string[] {
  const [piece = "", ...rest] = pieces;
  if (pieces.length === 0) return base === "" ? [] : [base];
  if (piece === "**" && shell.shopts.has("globstar")) return walkTree(shell, base, rest);
  if (!hasPattern(piece)) {
    const path = joined(base, unescapePattern(piece));
    if (rest.length) return isFolder(shell, path) ? walk(shell, path, rest) : [];
    return exists(shell, path) ? [path] : [];
  }
  const regex = patternRegex(inCharacters(shell.variables, piece), { ignoreCase: shell.shopts.has("nocaseglob") });
  const names = namesIn(shell, base).filter(
    (name) => isShown(shell, name, piece) && regex.test(inCharacters(shell.variables, name)),
  );
  const paths = names.map((name) => joined(base, name));
  if (rest.length === 0) return paths;
  return paths.filter((path) => isFolder(shell, path)).flatMap((path) => walk(shell, path, rest));
}

/** `**`: this folder and all below it. */
function walkTree(shell: Shell, base: string, rest: string[]): string[] {
  const here = rest.length ? walk(shell, base, rest) : base === "" ? [] : [`${base.replace(/\/$/, "")}/`];
  const below = namesIn(shell, base)
    .filter((name) => isShown(shell, name, "*"))
    .flatMap((name) => {
      const path = joined(base, name);
      const folder = isFolder(shell, path) && !isLink(shell, path);
      if (folder)
        return [...(rest.length ? [] : [path]), ...walkTree(shell, path, rest).filter((one) => one !== `${path}/`)];
      return rest.length ? [] : [path];
    });
  return [...here, ...below];
}

const joined = (base: string, name: string) => (base === "" || base.endsWith("/") ? base + name : `${base}/${name}`);

/** @param piece - of the pattern */
function isShown(shell: Shell, name: string, piece: string) {
  if (name === "." || name === "..") return false;
  const all = shell.shopts.has("dotglob") || Boolean(shell.variables.text("GLOBIGNORE"));
  return !name.startsWith(".") || all || /^\\?\./.test(piece);
}

const whole = (shell: Shell, path: string) => shell.files.resolvePath(shell.cwd, path === "" ? "." : path);

function namesIn(shell: Shell, path: string): string[] {
  try {
    return shell.files.FS.readdir(whole(shell, path));
  } catch {
    return [];
  }
}

function isFolder(shell: Shell, path: string) {
  const { FS } = shell.files;
  try {
    return FS.isDir(FS.stat(whole(shell, path)).mode);
  } catch {
    return false;
  }
}

const isLink = (shell: Shell, path: string) => shell.files.FS.isLink(shell.files.FS.lstat(whole(shell, path)).mode);

const exists = (shell: Shell, path: string) => shell.files.linkExists(whole(shell, path));
