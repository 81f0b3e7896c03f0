// The table of builtins, and those that are about control and about commands (Bash manual, 4.1 and 4.2).
import { alias, unalias } from "./aliases.js";
import { calculateText } from "./arithmetic.js";
import { bracket, test } from "./conditions.js";
import { CommandError, Exit, LoopExit, Return } from "./control.js";
import { declarationBuiltins } from "./declarations.js";
import { openFileAt } from "./descriptor_paths.js";
import { runLines, runList, runReading } from "./execution.js";
import { cd, dirs, popd, pushd, pwd } from "./folders.js";
import { jobBuiltins } from "./jobs.js";
import { getopts, parseOptions, set, shopt } from "./options.js";
import { echo, printf } from "./printf.js";
import { findPath, locate, runExternally } from "./programs.js";
import { shellQuote } from "./quoting.js";
import { mapfile, read } from "./read.js";
import { readText } from "./redirections.js";
import { runBuiltin } from "./simple_command.js";
import { printFunction } from "./syntax/printer.js";
import { trap } from "./traps.js";
import { umask } from "./umask.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./syntax/problem.js").SyntaxProblem} SyntaxProblem
 * @typedef {(shell: Shell, args: any[]) => Promise<number> | number} Builtin returns the exit code
 */

export const KEYWORDS = new Set("if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc".split(" "));

/** A number for `exit`, `return`, `break` or `shift`. @param {string} command @param {string | undefined} text @param {number} otherwise */
function numberOf(command, text, otherwise) {
  if (text === undefined) return otherwise;
  if (!/^\s*[-+]?\d+\s*$/.test(text)) return null;
  return Number(text);
}

/** @type {Record<string, Builtin>} */
const CONTROL = {
  ":": () => 0,
  true: () => 0,
  false: () => 1,

  async exit(shell, args) {
    if (args.length > 1) throw new CommandError("exit: too many arguments");
    const code = numberOf("exit", args[0], shell.status);
    if (code === null) await shell.complain(`exit: ${args[0]}: numeric argument required`);
    throw new Exit(code === null ? 2 : code & 255);
  },

  async return(shell, args) {
    if (shell.calls.length === 0 && shell.sourcing === 0) throw new CommandError("return: can only `return' from a function or sourced script", 2);
    const code = numberOf("return", args[0], shell.status);
    if (code === null) await shell.complain(`return: ${args[0]}: numeric argument required`);
    throw new Return(code === null ? 2 : code & 255);
  },

  break: (shell, args) => leaveLoop(shell, "break", args),
  continue: (shell, args) => leaveLoop(shell, "continue", args),

  shift(shell, args) {
    const count = numberOf("shift", args[0], 1);
    if (count === null) throw new CommandError(`shift: ${args[0]}: numeric argument required`);
    if (count < 0) throw new CommandError(`shift: ${args[0]}: shift count out of range`);
    if (count > shell.positional.length) return 1;
    shell.positional = shell.positional.slice(count);
    return 0;
  },

  async let(shell, args) {
    let value = 0n;
    if (args.length === 0) throw new CommandError("let: expression expected");
    for (const text of args) value = await calculateText(shell, text);
    return value === 0n ? 1 : 0;
  },

  async eval(shell, args) {
    const words = args[0] === "--" ? args.slice(1) : args;
    if (args[0] !== "--" && /^-./.test(args[0] ?? "")) throw new CommandError(`eval: ${args[0].slice(0, 2)}: invalid option`, 2);
    return runText(shell, words.join(" "), "eval");
  },

  async exec(shell, args) {
    const { operands } = parseOptions("exec", args, "a:cl");
    if (operands.length === 0) return 0;
    // The program takes the shell's place, so that its trap of EXIT doesn't run.
    if (locate(shell, operands[0] ?? "") !== null) shell.traps.actions.delete("EXIT");
    throw new Exit(await runExternally(shell, operands));
  },

  source,
  ".": source,
};

/** @param {Shell} shell @param {"break" | "continue"} kind @param {string[]} args */
function leaveLoop(shell, kind, args) {
  const levels = numberOf(kind, args[0], 1);
  if (levels === null) throw new CommandError(`${kind}: ${args[0]}: numeric argument required`, 128);
  if (levels < 1) throw new CommandError(`${kind}: ${args[0]}: loop count out of range`);
  if (shell.loops > 0) throw new LoopExit(kind, Math.min(levels, shell.loops));
  return 0;
}

/**
 * Run text in this shell.
 * @param {Shell} shell @param {string} text @param {string} origin for messages
 * @param {boolean} [isScript] or else a part of one
 */
export async function runText(shell, text, origin, isScript = false) {
  const { line } = shell;
  let ran = false;
  const problem = await runReading(shell, text, (one, statements) => {
    ran = true;
    return (isScript ? runLines : runList)(one, statements);
  });
  shell.line = line;
  if (problem !== null) {
    await reportProblem(shell, problem, origin, isScript);
    return 2;
  }
  if (!ran) shell.status = 0;
  return shell.status;
}

/** @param {Shell} shell @param {SyntaxProblem} problem @param {string} origin @param {boolean} isScript */
async function reportProblem(shell, { message, line, text }, origin, isScript) {
  const start = `${isScript ? "" : "bash: "}${origin}: line ${line}: `;
  await shell.write(2, `${start}${message}\n${text === null ? "" : `${start}\`${text}'\n`}`);
}

/** @param {Shell} shell @param {string[]} args */
async function source(shell, args) {
  const [name, ...positional] = args[0] === "--" ? args.slice(1) : args;
  if (name === undefined) throw new CommandError("source: filename argument required", 2);
  const { files } = shell;
  const found = name.includes("/") ? null : findPath(shell, name, false);
  const whole = files.place(files.resolvePath(shell.cwd, found ?? name));
  if (openFileAt(shell, name) === null) {
    if (!files.FS.analyzePath(whole).exists) throw new CommandError(`${name}: No such file or directory`);
    if (files.FS.isDir(files.FS.stat(whole).mode)) throw new CommandError(`source: ${name}: is a directory`);
  }
  const before = { positional: shell.positional, source: shell.source };
  if (positional.length) shell.positional = positional;
  shell.source = name;
  shell.sourcing++;
  try {
    return await runText(shell, await readText(shell, found ?? name), name);
  } catch (error) {
    if (!(error instanceof Return)) throw error;
    return error.status;
  } finally {
    shell.sourcing--;
    if (positional.length) shell.positional = before.positional;
    shell.source = before.source;
  }
}

/** A description of what a name means. @param {Shell} shell @param {string} name @returns {{ kind: string, text: string, path: string }[]} */
function meanings(shell, name) {
  const found = [];
  const value = shell.aliases.get(name);
  if (value !== undefined) found.push({ kind: "alias", text: `${name} is aliased to \`${value}'`, path: `alias ${name}=${shellQuote(value)}` });
  if (KEYWORDS.has(name)) found.push({ kind: "keyword", text: `${name} is a shell keyword`, path: name });
  const definition = shell.functions.get(name);
  if (definition) found.push({ kind: "function", text: `${name} is a function\n${printFunction(name, definition).trimEnd()}`, path: name });
  if (BUILTINS.has(name)) found.push({ kind: "builtin", text: `${name} is a shell builtin`, path: name });
  const path = locate(shell, name);
  if (path !== null) found.push({ kind: "file", text: `${name} is ${path}`, path });
  return found;
}

/** @param {Shell} shell @param {string[]} args */
async function type(shell, args) {
  const { flags, operands } = parseOptions("type", args, "afptP");
  let status = 0;
  for (const name of operands) {
    const all = meanings(shell, name).filter(({ kind }) => (!flags.has("P") || kind === "file") && !(flags.has("f") && kind === "function"));
    if (all.length === 0) {
      status = 1;
      if (!flags.has("t") && !flags.has("p") && !flags.has("P")) await shell.complain(`type: ${name}: not found`);
    }
    for (const { kind, text, path } of flags.has("a") ? all : all.slice(0, 1)) {
      if (flags.has("t")) await shell.print(`${kind}\n`);
      else if (!flags.has("p") && !flags.has("P")) await shell.print(`${text}\n`);
      else if (kind === "file") await shell.print(`${path}\n`);
    }
  }
  return status;
}

/** @param {Shell} shell @param {string[]} args */
async function command(shell, args) {
  const { flags, operands } = parseOptions("command", args, "pvV");
  const [name, ...rest] = operands;
  if (name === undefined) return 0;
  if (!flags.has("v") && !flags.has("V")) {
    if (!BUILTINS.has(name)) return runExternally(shell, operands);
    await runBuiltin(shell, name, rest);
    return shell.status;
  }
  let status = 0;
  for (const one of operands) {
    const [meaning] = meanings(shell, one);
    if (meaning) await shell.print(`${flags.has("V") ? meaning.text : meaning.path}\n`);
    else {
      status = 1;
      if (flags.has("V")) await shell.complain(`command: ${one}: not found`);
    }
  }
  return status;
}

/** @param {Shell} shell @param {string[]} args */
async function hash(shell, args) {
  const { flags, values, operands } = parseOptions("hash", args, "rdtlp:");
  if (flags.has("r")) shell.hashed.clear();
  let status = 0;
  for (const name of operands) {
    const path = values.p ?? locate(shell, name);
    if (path !== null && path !== undefined) {
      shell.hashed.set(name, path);
      if (flags.has("t")) await shell.print(`${path}\n`);
    } else {
      await shell.complain(`hash: ${name}: not found`);
      status = 1;
    }
  }
  if (args.length === 0) {
    if (shell.hashed.size === 0) await shell.print("hash: hash table empty\n");
    else await shell.print(`hits\tcommand\n${[...shell.hashed.values()].map((path) => `   1\t${path}\n`).join("")}`);
  }
  return status;
}

/** @type {Record<string, Builtin>} */
const ABOUT_COMMANDS = {
  type,
  command,
  hash,
  alias,
  unalias,
  async builtin(shell, [name, ...args]) {
    if (name === undefined) return 0;
    if (!BUILTINS.has(name)) throw new CommandError(`builtin: ${name}: not a shell builtin`);
    await runBuiltin(shell, name, args);
    return shell.status;
  },
  async caller(shell, [level]) {
    const call = shell.calls[Number(level ?? 0)];
    if (!call) return 1;
    const outer = shell.calls[Number(level ?? 0) + 1];
    await shell.print(level === undefined ? `${call.line} ${outer?.source ?? "NULL"}\n` : `${call.line} ${outer?.name ?? "main"} ${call.source}\n`);
    return 0;
  },
  async compgen(shell, args) {
    const { flags, values, operands } = parseOptions("compgen", args, "abcdefgjksuvW:A:F:P:S:");
    const [prefix = ""] = operands;
    const lists = { v: shell.variables.names(), a: [...shell.aliases.keys()], b: [...BUILTINS.keys()], k: [...KEYWORDS] };
    const listed = Object.entries(lists).flatMap(([letter, list]) => (flags.has(letter) ? list : []));
    const names = values.W?.split(/\s+/) ?? (values.A === "function" ? [...shell.functions.keys()].sort() : listed);
    const chosen = names.filter((name) => name.startsWith(prefix) && name !== "");
    await shell.print(chosen.map((name) => `${name}\n`).join(""));
    return chosen.length ? 0 : 1;
  },
  async history(shell, args) {
    if (args[0] === "-c") shell.host.history.length = 0;
    const most = /^\d+$/.test(args[0] ?? "") ? Number(args[0]) : Infinity;
    const lines = shell.host.history.map((text, at) => `${String(at + 1).padStart(5)}  ${text}\n`);
    if (!/^-/.test(args[0] ?? "")) await shell.print(lines.slice(-most).join(""));
    return 0;
  },
};

/** The limits that `ulimit` knows, by letter: they are remembered and don't limit anything. @type {Record<string, [string, string]>} */
const LIMITS = {
  c: ["core file size (blocks)", "0"],
  f: ["file size (blocks)", "unlimited"],
  m: ["max memory size (kbytes)", "unlimited"],
  n: ["open files", "1024"],
  s: ["stack size (kbytes)", "8192"],
  t: ["cpu time (seconds)", "unlimited"],
  u: ["max user processes", "unlimited"],
  v: ["virtual memory (kbytes)", "unlimited"],
};

/** @param {Shell} shell @param {string[]} args */
async function ulimit(shell, args) {
  const letters = args.filter((word) => word.startsWith("-")).join("").replace(/[-HS]/g, "") || "f";
  const [value] = args.filter((word) => !word.startsWith("-"));
  const { limits } = shell;
  if (letters === "a") {
    for (const [letter, [text, standard]] of Object.entries(LIMITS)) {
      await shell.print(`${text.padEnd(30)}(-${letter}) ${limits[letter] ?? standard}\n`);
    }
    return 0;
  }
  const known = LIMITS[letters];
  if (!known) throw new CommandError(`ulimit: -${letters}: invalid option`, 2);
  if (value === undefined) await shell.print(`${limits[letters] ?? known[1]}\n`);
  else if (/^(\d+|unlimited|hard|soft)$/.test(value)) limits[letters] = /^\d|unl/.test(value) ? value : known[1];
  else throw new CommandError(`ulimit: ${value}: invalid number`);
  return 0;
}

/** @param {Shell} shell @param {string[]} args */
async function changeUmask(shell, args) {
  const { stdout, stderr, exitCode } = umask(args, shell);
  if (stdout) await shell.print(stdout);
  if (stderr) await shell.write(2, stderr);
  return exitCode;
}

const nothing = () => 0;

/** Builtins are always enabled. @param {Shell} shell @param {string[]} args */
async function enable(shell, args) {
  const names = args.filter((word) => !word.startsWith("-"));
  if (names.length === 0) {
    const disabled = args.includes("-n");
    await shell.print(disabled ? "" : [...BUILTINS.keys()].sort().map((name) => `enable ${name}\n`).join(""));
    return 0;
  }
  let status = 0;
  for (const name of names) {
    const problem = !BUILTINS.has(name) ? "not a shell builtin" : args.includes("-n") ? "builtins can't be disabled here: call the program by its path" : "";
    if (problem) await shell.complain(`enable: ${name}: ${problem}`);
    if (problem) status = 1;
  }
  return status;
}

/** @type {Map<string, Builtin>} */
export const BUILTINS = new Map(
  Object.entries({
    ...CONTROL,
    ...ABOUT_COMMANDS,
    ...declarationBuiltins,
    ...jobBuiltins,
    echo,
    printf,
    test,
    "[": bracket,
    cd,
    pwd,
    pushd,
    popd,
    dirs,
    set,
    shopt,
    getopts,
    read,
    mapfile,
    readarray: mapfile,
    trap,
    ulimit,
    umask: changeUmask,
    async times(/** @type {Shell} */ shell) {
      await shell.print("0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n");
      return 0;
    },
    enable,
    bind: nothing,
    complete: nothing,
    compopt: nothing,
    suspend: nothing,
  }),
);

