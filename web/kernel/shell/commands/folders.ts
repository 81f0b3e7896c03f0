// The working directory: `cd`, `pwd`, `pushd`, `popd` and `dirs` (Bash manual, 4.1 and 6.8.1).
import { CommandError } from "../control.ts";
import { invalidOption, synopsis } from "./help.ts";
import { parseOptions } from "./builtin_options.ts";
import { reasonOf } from "../execution/files.ts";
import { isThere } from "../execution/program_paths.ts";
import type { Shell } from "../shell.ts";

/**
 * Return the directory that a path leads to; what is in front of a `..` must be one, too.
 * @throws {CommandError} where it isn't a directory
 */
function follow(shell: Shell, path: string, command: string, physical: boolean): string {
  const { FS } = shell.files;
  const check = (place: string) => {
    if (!FS.isDir(FS.stat(place).mode)) throw new CommandError(`${command}: ${path}: Not a directory`);
    return physical ? shell.files.realPath(place) : place;
  };
  const pieces = path.split("/").filter((piece) => piece !== "" && piece !== ".");
  let at = path.startsWith("/") ? "/" : physical ? shell.files.realPath(shell.cwd) : shell.cwd;
  for (const [index, piece] of pieces.entries()) {
    // The working directory itself may be gone.
    if (piece === ".." && index > 0) check(at);
    at = shell.files.resolvePath(at, piece);
    if (physical && piece !== "..") at = shell.files.realPath(at);
  }
  return check(at);
}

/** @param physical - whether links are followed in it */
function change(shell: Shell, path: string, command: string, physical = false) {
  let whole: string;
  try {
    whole = follow(shell, path, command, physical);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${command}: ${path}: ${reasonOf(error)}`);
  }
  const { variables } = shell;
  variables.assign("OLDPWD", shell.cwd);
  shell.cwd = whole;
  variables.assign("PWD", whole);
  for (const name of ["PWD", "OLDPWD"]) Object.assign(variables.table.get(name) ?? {}, { exported: true });
}

export async function cd(shell: Shell, args: string[]) {
  const { flags, operands: words } = parseOptions("cd", args, "LPe");
  if (words.length > 1) throw new CommandError("cd: too many arguments");
  // The last of -L and -P counts.
  const chosen = args
    .filter((word) => /^-[LPe]+$/.test(word))
    .join("")
    .replace(/[^LP]/g, "")
    .at(-1);
  const physical = chosen === undefined ? shell.options.has("physical") : chosen === "P" && flags.has("P");
  let path = words[0] ?? valueFor(shell, "HOME");
  if (path === "") return 0;
  let prints = path === "-";
  if (prints) path = valueFor(shell, "OLDPWD");
  const found = /^\.{0,2}(\/|$)/.test(path) ? null : inSearchPath(shell, path);
  if (found !== null) {
    path = found;
    prints = true;
  } else if (shell.shopts.has("cdable_vars") && !isThere(shell, path) && shell.variables.text(path)) {
    path = shell.variables.text(path) ?? "";
    prints = false;
    await shell.print(`${path}\n`);
  }
  change(shell, path, "cd", physical);
  if (prints) await shell.print(`${shell.cwd}\n`);
  return 0;
}

function valueFor(shell: Shell, name: string) {
  const value = shell.variables.text(name);
  if (value === undefined) throw new CommandError(`cd: ${name} not set`);
  return value;
}

function inSearchPath({ variables, files, cwd }: Shell, path: string): string | null {
  for (const folder of (variables.text("CDPATH") ?? "").split(":").filter(Boolean)) {
    const whole = files.resolvePath(cwd, `${folder}/${path}`);
    if (files.FS.analyzePath(whole).exists) return whole;
  }
  return null;
}

export async function pwd(shell: Shell, args: string[]) {
  const { flags } = parseOptions("pwd", args, "LP");
  const physical = flags.has("P") && [...flags].at(-1) === "P";
  await shell.print(`${physical ? shell.files.realPath(shell.cwd) : shell.cwd}\n`);
  return 0;
}

function shortened(shell: Shell, path: string) {
  const home = shell.variables.text("HOME");
  return home && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
}

export async function dirs(shell: Shell, args: string[]) {
  const wrong = args.find((word) => !/^(-[clpv]|[-+]\d+|--)$/.test(word));
  if (wrong?.startsWith("-")) throw invalidNumber("dirs", wrong);
  if (wrong !== undefined) throw invalidOption("dirs", wrong);
  const flags = args.filter((word) => /^-[clpv]$/.test(word)).join("");
  if (flags.includes("c")) {
    shell.folders = [];
    return 0;
  }
  const paths = [shell.cwd, ...shell.folders].map((path) => (flags.includes("l") ? path : shortened(shell, path)));
  const index = args.find((word) => /^[-+]\d+$/.test(word));
  if (index) {
    const path = index.startsWith("+") ? paths[Number(index)] : paths.at(-1 - Number(index.slice(1)));
    if (path === undefined) throw outOfRange("dirs", index, paths.length);
    await shell.print(`${path}\n`);
  } else if (flags.includes("v"))
    await shell.print(paths.map((path, at) => `${String(at).padStart(2)}  ${path}\n`).join(""));
  else await shell.print(`${paths.join(flags.includes("p") ? "\n" : " ")}\n`);
  return 0;
}

const invalidNumber = (command: string, word: string) =>
  new CommandError(`${command}: ${word}: invalid number\n${command}: usage: ${synopsis(command)}`, 2);

/** @param length - of the stack */
const outOfRange = (command: string, word: string, length: number) =>
  new CommandError(
    `${command}: ${length > 1 ? `${word}: directory stack index out of range` : "directory stack empty"}`,
  );

/** The place in the stack that `+1` or `-0` means. */
function placeOf(word: string, length: number, command: string) {
  const number = Number(word.slice(1));
  const at = word.startsWith("+") ? number : length - 1 - number;
  if (at < 0 || at >= length) throw outOfRange(command, word, length);
  return at;
}

export async function pushd(shell: Shell, args: string[]) {
  const words = args.filter((word) => word !== "-n" && word !== "--");
  const stays = args.includes("-n");
  const [path, more] = words;
  if (/^-[^\d]/.test(path ?? "") && !args.includes("--")) throw invalidNumber("pushd", path ?? "");
  if (more !== undefined) throw new CommandError("pushd: too many arguments");
  const stack = [shell.cwd, ...shell.folders];
  if (path === undefined) {
    if (stack.length < 2) throw new CommandError("pushd: no other directory");
    stack.splice(0, 2, stack[1] ?? "", stack[0] ?? "");
  } else if (/^[-+]\d+$/.test(path)) {
    const at = placeOf(path, stack.length, "pushd");
    stack.push(...stack.splice(0, at));
    if (stays) {
      shell.folders = stack.slice(1);
      return 0;
    }
  } else if (stays) stack.splice(1, 0, path);
  else {
    if (path === "-") await cd(shell, ["-"]);
    else change(shell, path, "pushd");
    stack.unshift(shell.cwd);
  }
  if (!stays && stack[0] !== shell.cwd) change(shell, stack[0] ?? "/", "pushd");
  shell.folders = stack.slice(1);
  return dirs(shell, []);
}

export async function popd(shell: Shell, args: string[]) {
  const [word = "+0"] = args.filter((one) => one !== "-n" && one !== "--");
  if (/^-[^\d]/.test(word)) throw invalidNumber("popd", word);
  if (!/^[-+]\d+$/.test(word))
    throw new CommandError(`popd: ${word}: invalid argument\npopd: usage: ${synopsis("popd")}`, 2);
  const stack = [shell.cwd, ...shell.folders];
  if (stack.length < 2) throw new CommandError("popd: directory stack empty");
  const at = placeOf(word, stack.length, "popd");
  stack.splice(args.includes("-n") && at === 0 ? 1 : at, 1);
  if (stack[0] !== shell.cwd) change(shell, stack[0] ?? "/", "popd");
  shell.folders = stack.slice(1);
  return dirs(shell, []);
}
