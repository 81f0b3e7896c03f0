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

function isFile({ files, cwd }: Shell, path: string) {
  const { FS } = files;
  const whole = files.resolvePath(cwd, path);
  return FS.analyzePath(whole).exists && !FS.isDir(FS.stat(whole).mode);
}

const isExecutable = ({ files, cwd }: Shell, path: string) =>
  (files.FS.stat(files.resolvePath(cwd, path)).mode & 0o111) !== 0;

/** A file of that name in the folders of PATH. */
export function findPath(shell: Shell, name: string, executable: boolean): string | null {
  for (const folder of (shell.variables.text("PATH") ?? "").split(":")) {
    const path = `${folder || "."}/${name}`;
    if (isFile(shell, path) && (!executable || isExecutable(shell, path))) return path;
  }
  return null;
}

/** The path of a program. */
export function locate(shell: Shell, name: string): string | null {
  if (name.includes("/")) return isFile(shell, name) && isExecutable(shell, name) ? name : null;
  const hashed = shell.hashed.get(name);
  if (hashed && isThere(shell, hashed.path)) return hashed.path;
  for (const folder of (shell.variables.text("PATH") ?? "").split(":")) {
    const path = `${folder || "."}/${name}`;
    if (isFile(shell, path) && isExecutable(shell, path)) return path;
    if (STANDARD.has(folder) && isKnown(shell, name)) return path;
  }
  return null;
}

/** Every path of a program in the folders of PATH. */
export function locateAll(shell: Shell, name: string): string[] {
  const folders = (shell.variables.text("PATH") ?? "").split(":");
  const isThere = (folder: string, path: string) =>
    (isFile(shell, path) && isExecutable(shell, path)) || (STANDARD.has(folder) && isKnown(shell, name));
  return folders
    .map((folder) => [folder, `${folder || "."}/${name}`])
    .flatMap(([folder = "", path = ""]) => (isThere(folder, path) ? [path] : []));
}

export const isThere = ({ files, cwd }: Shell, path: string) =>
  files.FS.analyzePath(files.resolvePath(cwd, path)).exists;

/** Return whether a path from `locate` is one of the programs that are no files. */
export function isProgram(shell: Shell, path: string) {
  const slash = path.lastIndexOf("/");
  const base = path.slice(slash + 1);
  return STANDARD.has(path.slice(0, slash)) && (isKnown(shell, base) || BOTH.has(base));
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
