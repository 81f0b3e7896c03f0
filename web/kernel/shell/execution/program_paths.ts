// Where programs are: files in the folders of PATH, and those that are no files, which are found in /bin and /usr/bin.
import { decode } from "../../bytes.ts";
import type { Host } from "./host.ts";
import type { Shell } from "../shell.ts";
import { UTILITIES } from "./utility_table.ts";

export const GIT = "git";
export const SHELLS = ["bash", "sh", "dash"];
const STANDARD = new Set(["/bin", "/usr/bin"]);
/** Of `command -p`. */
export const DEFAULT_PATH = "/bin:/usr/bin";
/** Builtins that are programs as well, for `env`, `exec` and their like. */
export const BOTH = new Set(["echo", "printf", "test", "[", "true", "false", "kill"]);

export const isKnown = ({ host }: Shell, name: string) => host.python.has(name) || name in UTILITIES || name === GIT;

/** The names of all programs that are no files, Python's first. */
export const programNames = ({ python }: Host): string[] => [
  ...new Set([...python, ...Object.keys(UTILITIES), GIT, ...BOTH]),
];

function isFile({ files, cwd }: Shell, path: string, executable: boolean) {
  const { FS } = files;
  const whole = files.resolvePath(cwd, path);
  if (!FS.analyzePath(whole).exists) return false;
  const { mode } = FS.stat(whole);
  return !FS.isDir(mode) && (!executable || (mode & 0o111) !== 0);
}

/** The paths that a name has in the folders of PATH. */
const pathsOf = (shell: Shell, name: string): string[] =>
  (shell.variables.text("PATH") ?? "").split(":").map((folder) => `${folder || "."}/${name}`);

/** A file of that name in the folders of PATH. */
export const findPath = (shell: Shell, name: string): string | null =>
  pathsOf(shell, name).find((path) => isFile(shell, path, false)) ?? null;

/** The path of a program. */
export function locate(shell: Shell, name: string): string | null {
  if (name.includes("/")) return isFile(shell, name, true) ? name : null;
  const hashed = shell.hashed.get(name);
  if (hashed && isThere(shell, hashed.path)) return hashed.path;
  return pathsOf(shell, name).find((path) => isProgramAt(shell, path)) ?? null;
}

/** Every path of a program in the folders of PATH. */
export const locateAll = (shell: Shell, name: string): string[] =>
  pathsOf(shell, name).filter((path) => isProgramAt(shell, path));

/** Return whether a program is at a path in a folder of PATH, as a file or as one that is none. */
function isProgramAt(shell: Shell, path: string) {
  const name = standardName(path);
  return isFile(shell, path, true) || (name !== null && isKnown(shell, name));
}

/** The name that a path has in one of the folders of the programs that are no files, or null. */
function standardName(path: string) {
  const slash = path.lastIndexOf("/");
  return STANDARD.has(path.slice(0, slash)) ? path.slice(slash + 1) : null;
}

export const isThere = ({ files, cwd }: Shell, path: string) =>
  files.FS.analyzePath(files.resolvePath(cwd, path)).exists;

/** Return whether a path from `locate` is one of the programs that are no files. */
export function isProgram(shell: Shell, path: string) {
  const name = standardName(path);
  return name !== null && (isKnown(shell, name) || BOTH.has(name));
}

/** The program that the first line of a script names. */
export function readInterpreter(shell: Shell, path: string): { line: string | null; known: boolean } {
  const { files, cwd } = shell;
  const bytes = files.FS.readFile(files.resolvePath(cwd, path)).subarray(0, 256);
  const line = /^#!\s*([^\n]*)/.exec(decode(bytes))?.[1] ?? null;
  const words = interpreterOf(line ?? "");
  return { line, known: SHELLS.includes(words[0] ?? "") || isKnown(shell, words[0] ?? "") };
}

/** The program's name and its options. */
export function interpreterOf(line: string) {
  const [interpreter = "", ...options] = line.trim().split(/\s+/);
  const base = interpreter.split("/").at(-1) ?? "";
  return base === "env" ? options.filter((word) => word !== "-S") : [base, ...options];
}
