// What a name means as a command: `type`, `command`, `hash` and `enable` (Bash manual, 4.1 and 4.2).
import { BUILTINS, KEYWORDS } from "../execution/builtin_table.ts";
import { CommandError } from "../control.ts";
import { parseOptions } from "./builtin_options.ts";
import { DEFAULT_PATH, locate, locateAll } from "../execution/program_paths.ts";
import { runExternally } from "./programs.ts";
import { shellQuote } from "../language/quoting.ts";
import type { Shell } from "../shell.ts";
import { runBuiltin } from "../execution/simple_command.ts";
import { printFunction } from "../language/syntax/printer.ts";

// POSIX, 2.15: these come before functions.
const SPECIAL = new Set(
  ". : break continue eval exec exit export readonly return set shift source times trap unset".split(" "),
);

/** A description of what a name means. */
function meanings(shell: Shell, name: string): { kind: string; text: string; path: string }[] {
  const found = [];
  const value = shell.shopts.has("expand_aliases") ? shell.aliases.get(name) : undefined;
  if (value !== undefined)
    found.push({
      kind: "alias",
      text: `${name} is aliased to \`${value}'`,
      path: `alias ${name}=${shellQuote(value)}`,
    });
  if (KEYWORDS.has(name)) found.push({ kind: "keyword", text: `${name} is a shell keyword`, path: name });
  const definition = shell.functions.get(name);
  if (definition)
    found.push({
      kind: "function",
      text: `${name} is a function\n${printFunction(name, definition).trimEnd()}`,
      path: name,
    });
  if (shell.builtin(name)) found.push({ kind: "builtin", text: `${name} is a shell builtin`, path: name });
  const hashed = name.includes("/") ? undefined : shell.hashed.get(name)?.path;
  const path = locate(shell, name);
  if (path !== null)
    found.push({ kind: "file", text: hashed ? `${name} is hashed (${hashed})` : `${name} is ${path}`, path });
  return found;
}

/** All paths of a program, where `meanings` has the first. */
function everyMeaning(shell: Shell, name: string) {
  const others = meanings(shell, name).filter(({ kind }) => kind !== "file");
  const paths = name.includes("/") ? [locate(shell, name)].flatMap((path) => path ?? []) : locateAll(shell, name);
  return [...others, ...paths.map((path) => ({ kind: "file", text: `${name} is ${path}`, path }))];
}

export async function type(shell: Shell, args: string[]) {
  const { flags, operands } = parseOptions("type", args, "afptP");
  let status = 0;
  for (const name of operands) {
    const named = flags.has("a") ? everyMeaning(shell, name) : meanings(shell, name);
    const all = named.filter(
      ({ kind }) => (!flags.has("P") || kind === "file") && !(flags.has("f") && kind === "function"),
    );
    if (all.length === 0) {
      status = 1;
      if (!flags.has("t") && !flags.has("p") && !flags.has("P")) await shell.complain(`type: ${name}: not found`);
    }
    for (const { kind, text, path } of flags.has("a") ? all : all.slice(0, 1)) {
      if (flags.has("p") || flags.has("P")) await shell.print(kind === "file" ? `${path}\n` : "");
      else await shell.print(flags.has("t") ? `${kind}\n` : `${text}\n`);
    }
  }
  return status;
}

/** Do something with the standard path. */
async function withStandardPath<T>(shell: Shell, standard: boolean, action: () => Promise<T>) {
  if (!standard) return action();
  const { hashed, variables } = shell;
  variables.enter();
  shell.hashed = new Map();
  try {
    variables.localize("PATH", true);
    variables.assign("PATH", DEFAULT_PATH);
    return await action();
  } finally {
    variables.leave();
    shell.hashed = hashed;
  }
}

export async function command(shell: Shell, args: string[]) {
  const { flags, operands } = parseOptions("command", args, "pvV");
  const [name, ...rest] = operands;
  if (name === undefined) return 0;
  return withStandardPath(shell, flags.has("p"), async () => {
    if (flags.has("v") || flags.has("V")) return describe(shell, flags.has("V"), operands);
    if (!shell.builtin(name)) return runExternally(shell, operands);
    await runBuiltin(shell, name, rest);
    return shell.status;
  });
}

/** @returns 0 if one of them is a command */
async function describe(shell: Shell, long: boolean, names: string[]): Promise<number> {
  let found = false;
  for (const one of names) {
    const [meaning] = meanings(shell, one);
    if (meaning) await shell.print(`${long ? meaning.text : meaning.path}\n`);
    else if (long) await shell.complain(`command: ${one}: not found`);
    found ||= meaning !== undefined;
  }
  return found ? 0 : 1;
}

const listed = (name: string, path: string, reusable: boolean, titled: boolean) =>
  reusable ? `builtin hash -p ${path} ${name}\n` : titled ? `${name}\t${path}\n` : `${path}\n`;

/** @param reusable - whether as commands */
function hashTable({ hashed }: Shell, reusable: boolean) {
  const lines = [...hashed].map(([name, { path, hits }]) =>
    reusable ? listed(name, path, true, false) : `${String(hits).padStart(4)}\t${path}\n`,
  );
  return `${reusable || lines.length === 0 ? "" : "hits\tcommand\n"}${lines.join("")}` || "hash: hash table empty\n";
}

export async function hash(shell: Shell, args: string[]) {
  const { flags, values, operands } = parseOptions("hash", args, "rdtlp:");
  if (!shell.options.has("hashall")) throw new CommandError("hash: hashing disabled");
  if (flags.has("r")) shell.hashed.clear();
  for (const letter of ["d", "t"])
    if (flags.has(letter) && operands.length === 0)
      throw new CommandError(`hash: -${letter}: option requires an argument`);
  const status = await shell.forEach(operands, async (name) => {
    const known = shell.hashed.get(name);
    const path = values.p ?? (flags.has("t") || flags.has("d") ? (known?.path ?? null) : locate(shell, name));
    if (flags.has("d") && shell.hashed.delete(name)) return null;
    if (path !== null && flags.has("t")) await shell.print(listed(name, path, flags.has("l"), operands.length > 1));
    else if (path !== null) shell.hashed.set(name, { path, hits: 0 });
    else if (flags.has("t") || (!flags.has("d") && !shell.builtin(name))) return `hash: ${name}: not found`;
    return null;
  });
  if (operands.length === 0 && !flags.has("r")) await shell.print(hashTable(shell, flags.has("l")));
  return status;
}

export async function enable(shell: Shell, args: string[]) {
  const { flags, operands } = parseOptions("enable", args, "adnpsf:");
  if (args.some((word) => /^-\w*f/.test(word)))
    throw new CommandError("enable: -f isn't supported: builtins can't be loaded; run the program by its path");
  if (operands.length === 0) {
    const names = [...BUILTINS.keys()].sort().filter((name) => !flags.has("s") || SPECIAL.has(name));
    const chosen = flags.has("a") ? names : names.filter((name) => shell.disabled.has(name) === flags.has("n"));
    await shell.print(chosen.map((name) => `enable ${shell.disabled.has(name) ? "-n " : ""}${name}\n`).join(""));
    return 0;
  }
  return shell.forEach(operands, (name) => {
    if (!BUILTINS.has(name)) return `enable: ${name}: not a shell builtin`;
    if (flags.has("d")) return `enable: ${name}: not dynamically loaded`;
    if (flags.has("n")) shell.disabled.add(name);
    else shell.disabled.delete(name);
    return null;
  });
}
