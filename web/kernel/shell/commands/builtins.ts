// Fills the table of builtins; and those that are about control and about commands (Bash manual, 4.1 and 4.2).
import { alias, unalias } from "./aliases.ts";
import { bind } from "./bind.ts";
import { BUILTINS, type Builtin } from "../execution/builtin_table.ts";
import { bracket, test } from "../execution/conditions.ts";
import { command, enable, hash, type } from "./command_names.ts";
import { compgen, complete, compopt } from "./completions.ts";
import { ArithmeticError, CommandError, Exit, LoopExit, MisuseError, Return } from "../control.ts";
import { declarationBuiltins } from "./declarations.ts";
import { openFileAt } from "../execution/descriptor_paths.ts";
import { cd, dirs, popd, pushd, pwd } from "./folders.ts";
import { explanation, synopsis, topics, WELCOME, withHelp } from "./help.ts";
import { fc, history } from "./history.ts";
import { jobBuiltins } from "./job_builtins.ts";
import { ulimit } from "./limits.ts";
import { parseOptions } from "./builtin_options.ts";
import { getopts, set, shopt } from "./options.ts";
import { echo, printf } from "./printf.ts";
import { findPath, locate } from "../execution/program_paths.ts";
import { runExternally } from "./programs.ts";
import { mapfile, read } from "./read.ts";
import { readText } from "../execution/redirections.ts";
import { runBuiltin } from "../execution/simple_command.ts";
import { runText } from "../execution/run_text.ts";
import type { Shell } from "../shell.ts";
import { trap } from "./trap.ts";
import { umask } from "./umask.ts";
import { calculateText } from "../language/words.ts";

/** A number for `exit`, `return`, `break` or `shift`; null for anything else. */
function numberOf(command: string, args: string[], otherwise: number) {
  const [text, more] = args[0] === "--" ? args.slice(1) : args;
  if (text === undefined) return otherwise;
  if (!/^\s*[-+]?\d+\s*$/.test(text)) return null;
  if (more !== undefined) throw new MisuseError(`${command}: too many arguments`);
  return Number(text);
}

/** The exit code that `exit` or `return` gets. */
async function codeOf(shell: Shell, command: string, args: string[]) {
  const code = numberOf(command, args, shell.status);
  if (code !== null) return code & 255;
  await shell.complain(`${command}: ${args[0]}: numeric argument required`);
  return 2;
}

const CONTROL: Record<string, Builtin> = {
  ":": () => 0,
  true: () => 0,
  false: () => 1,

  async exit(shell, args) {
    throw new Exit(await codeOf(shell, "exit", args));
  },

  async return(shell, args) {
    if (shell.calls.length === 0 && shell.sourcing === 0)
      throw new CommandError("return: can only `return' from a function or sourced script", 2);
    throw new Return(await codeOf(shell, "return", args));
  },

  break: (shell, args) => leaveLoop(shell, "break", args),
  continue: (shell, args) => leaveLoop(shell, "continue", args),

  shift(shell, args) {
    const count = numberOf("shift", args, 1);
    if (count === null) throw new CommandError(`shift: ${args[0]}: numeric argument required`);
    const isTooMuch = count > shell.positional.length;
    if (count < 0 || (isTooMuch && shell.shopts.has("shift_verbose")))
      throw new CommandError(`shift: ${count}: shift count out of range`);
    if (isTooMuch) return 1;
    shell.positional = shell.positional.slice(count);
    return 0;
  },

  async let(shell, args) {
    let value = 0n;
    if (args.length === 0) throw new CommandError("let: expression expected");
    try {
      for (const text of args[0] === "--" ? args.slice(1) : args) value = await calculateText(shell, text);
    } catch (error) {
      throw error instanceof ArithmeticError ? new ArithmeticError(`let: ${error.message}`) : error;
    }
    return value === 0n ? 1 : 0;
  },

  async eval(shell, args) {
    return runText(shell, parseOptions("eval", args, "").operands.join(" "), "eval");
  },

  async exec(shell, args) {
    const { flags, values, operands } = parseOptions("exec", args, "a:cl");
    const [name] = operands;
    if (name === undefined) return 0;
    // The program takes the shell's place, so that its trap of EXIT doesn't run.
    if (locate(shell, name) !== null) shell.traps.actions.delete("EXIT");
    else if (!name.includes("/")) {
      const problem = new CommandError(`exec: ${name}: not found`, 127);
      if (shell.shopts.has("execfail")) throw problem;
      await shell.complain(problem.message);
      throw new Exit(problem.status);
    }
    if (flags.has("c")) for (const variable of shell.variables.table.values()) variable.exported = false;
    if (values.a !== undefined || flags.has("l"))
      shell.nameOfProgram = `${flags.has("l") ? "-" : ""}${values.a ?? name}`;
    throw new Exit(await runExternally(shell, operands));
  },

  source: (shell, args) => source(shell, "source", args),
  ".": (shell, args) => source(shell, ".", args),
};

async function leaveLoop(shell: Shell, kind: "break" | "continue", args: string[]) {
  if (shell.loops === 0) {
    await shell.complain(`${kind}: only meaningful in a \`for', \`while', or \`until' loop`);
    return 0;
  }
  const levels = numberOf(kind, args, 1);
  if (levels === null) throw new MisuseError(`${kind}: ${args[0]}: numeric argument required`, 128);
  if (levels > 0) throw new LoopExit(kind, Math.min(levels, shell.loops));
  await shell.complain(`${kind}: ${args[0]}: loop count out of range`);
  throw new LoopExit("break", shell.loops, 1);
}

/** @param command - its name, for messages */
async function source(shell: Shell, command: string, args: string[]) {
  const [name, ...positional] = parseOptions(command, args, "").operands;
  if (name === undefined) throw new CommandError(`${command}: filename argument required`, 2);
  const { files } = shell;
  const found = name.includes("/") || !shell.shopts.has("sourcepath") ? null : findPath(shell, name);
  const whole = files.place(files.resolvePath(shell.cwd, found ?? name));
  if (openFileAt(shell, name) === null) {
    if (!files.FS.analyzePath(whole).exists) throw new CommandError(`${name}: No such file or directory`);
    if (files.isFolder(whole)) throw new CommandError(`${command}: ${name}: is a directory`);
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

const ABOUT_COMMANDS: Record<string, Builtin> = {
  type,
  command,
  hash,
  alias,
  unalias,
  async builtin(shell, words) {
    const [name, ...args] = parseOptions("builtin", words, "").operands;
    if (name === undefined) return 0;
    if (!BUILTINS.has(name)) throw new CommandError(`builtin: ${name}: not a shell builtin`);
    await runBuiltin(shell, name, args);
    return shell.status;
  },
  async caller(shell, args) {
    const [level] = parseOptions("caller", args, "").operands;
    if (level !== undefined && !/^\d+$/.test(level)) throw new CommandError(`caller: ${level}: invalid number`, 2);
    const call = shell.calls[Number(level ?? 0)];
    const outer = shell.calls[Number(level ?? 0) + 1];
    // Typed commands have no frame of their own.
    if (!call || (level !== undefined && !outer && shell.source === null)) return 1;
    await shell.print(
      level === undefined
        ? `${call.line} ${outer?.source ?? "NULL"}\n`
        : `${call.line} ${outer?.name ?? "main"} ${call.source}\n`,
    );
    return 0;
  },
  compgen,
  complete,
  compopt,
  history,
  fc,
  bind,
  enable,
  async help(shell, args) {
    const { flags, operands } = parseOptions("help", args, "dms");
    const names = topics();
    const wanted = operands.length ? operands.map((pattern) => names.filter((name) => name === pattern)) : [names];
    const found = wanted.map((list, at) =>
      list.length ? list : names.filter((name) => name.startsWith(operands[at] ?? "")),
    );
    if (flags.has("d") || flags.has("m"))
      throw new CommandError("help: -d and -m aren't supported: `help NAME` explains a builtin");
    if (operands.length === 0) await shell.print(WELCOME);
    for (const name of found.flat())
      await shell.print(flags.has("s") || operands.length === 0 ? `${name}: ${synopsis(name)}\n` : explanation(name));
    const missing = found.findIndex((list) => list.length === 0);
    if (missing < 0) return 0;
    throw new CommandError(
      `help: no help topics match \`${operands[missing]}'.  Try \`help help' or \`man -k ${operands[missing]}'.`,
    );
  },
};

/** There is nothing above a terminal's shell. */
const impossible =
  (message: string): Builtin =>
  (_, args) => {
    parseOptions(message.split(":")[0] ?? "", args, "f");
    throw new CommandError(message);
  };

const ALL: Record<string, Builtin> = {
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
  mapfile: (shell, args) => mapfile(shell, "mapfile", args),
  readarray: (shell, args) => mapfile(shell, "readarray", args),
  trap,
  ulimit,
  umask,
  async times(shell: Shell, args: string[]) {
    parseOptions("times", args, "");
    await shell.print("0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n");
    return 0;
  },
  suspend: impossible("suspend: cannot suspend: no job control"),
  logout: impossible("logout: not login shell: use `exit'"),
};

for (const [name, builtin] of Object.entries(ALL)) BUILTINS.set(name, withHelp(name, builtin));
