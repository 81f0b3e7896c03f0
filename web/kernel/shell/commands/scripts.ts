// `bash` and `sh`: a script or a `-c` in a separate shell.
import { decode } from "../../bytes.ts";
import { CommandError } from "../control.ts";
import { openFileAt } from "../execution/descriptor_paths.ts";
import { SHOPTS, setOption, setShellOption } from "./options.ts";
import { OPTION_LETTERS } from "../language/parameters.ts";
import { Shell } from "../shell.ts";
import { runText } from "../execution/run_text.ts";
import { readText } from "../execution/redirections.ts";
import { runToEnd } from "../execution/subshells.ts";
import { Task } from "../execution/task.ts";
import { tableOf } from "../../tables.ts";

/** a command line, understood */
interface Request {
  options: [string, boolean][];
  shopts: [string, boolean][];
  /** `-o`, `+o`, `-O` or `+O` without a name */
  lists: string | null;
  /** `i`, `l`, `norc` and `noprofile` */
  startup: Set<string>;
  rcfile: string | null;
  /** `-c`: the first operand is the script */
  inText: boolean;
  /** `-s` */
  fromInput: boolean;
  operands: string[];
}

const VERSION = "GNU bash, version 5.2.15(1)-release (wasm32-unknown-emscripten)\n";
const HELP = `Usage: bash [OPTION]... [FILE [ARGUMENT]...]
       bash [OPTION]... -c TEXT [NAME [ARGUMENT]...]
Run a script: a file, text, or standard input.

  -c               run TEXT
  -s               run standard input; the operands are arguments
  -i, -l, --login  read the files of an interactive or a login shell
  --norc, --noprofile, --rcfile FILE
                   read none of them, or FILE
  -O OPTION, +O OPTION
                   turn an option of shopt on or off
  -o OPTION, -abefhmnpuvxBCEHPT
                   turn options of set on, with + off; see \`help set'
  --posix          set -o posix
  --verbose        set -v`;

/** Long options, with what they stand for; "" has no effect here, and `:` ends one with a value. */
const LONG: Record<string, string> = tableOf({
  ...{ debug: "", help: "", "init-file:": "rcfile", login: "l", noediting: "", noprofile: "noprofile" },
  ...{ norc: "norc", posix: "posix", "rcfile:": "rcfile", verbose: "v", version: "" },
});

/** The options that ours doesn't have, with what to use instead. */
const REFUSED: Record<string, string> = {
  "-r": "a shell here can't be restricted: run only scripts that you trust",
  "--restricted": "a shell here can't be restricted: run only scripts that you trust",
  "-D": 'list the strings with `grep -o \'\\$"[^"]*"\'`',
  "--debugger": "there is no bashdb: use `set -x`, or traps of DEBUG",
  "--dump-strings": 'list the strings with `grep -o \'\\$"[^"]*"\'`',
  "--dump-po-strings": 'list the strings with `grep -o \'\\$"[^"]*"\'`',
  "--pretty-print": "`declare -f` prints functions in bash's form",
};

function wrongOption(command: string, option: string): CommandError {
  const instead = REFUSED[option];
  return new CommandError(`${command}: ${option}${instead ? ` isn't supported: ${instead}` : ": invalid option"}`, 2);
}

/** Reads a command line. */
class Reader {
  command: string;
  args: string[];
  at = 0;
  request: Request = {
    options: [],
    shopts: [],
    lists: null,
    inText: false,
    fromInput: false,
    startup: new Set(),
    rcfile: null,
    operands: [],
  };

  constructor(command: string, args: string[]) {
    this.command = command;
    this.args = args;
  }

  read() {
    const { args, request } = this;
    for (; this.at < args.length; this.at++) {
      const word = args[this.at] ?? "";
      if (word === "--" || word === "-") {
        this.at++;
        break;
      }
      if (word.startsWith("--")) this.long(word.slice(2));
      else if (/^[-+]./.test(word)) for (const letter of word.slice(1)) this.letter(letter, word.charAt(0));
      else break;
    }
    request.operands = args.slice(this.at);
    if (request.inText && request.operands.length === 0)
      throw new CommandError(`${this.command}: -c: option requires an argument`, 2);
    return request;
  }

  long(name: string) {
    const { request } = this;
    if (`${name}:` in LONG) request.rcfile = this.args[++this.at] ?? null;
    else if (!(name in LONG)) throw wrongOption(this.command, `--${name}`);
    const meaning = LONG[name];
    if (meaning === "posix" || meaning === "v") request.options.push([meaning === "v" ? "verbose" : meaning, true]);
    else if (meaning) request.startup.add(meaning);
  }

  letter(letter: string, sign: string) {
    const { request, args } = this;
    const on = sign === "-";
    if (letter === "c") request.inText = true;
    else if (letter === "s") request.fromInput = true;
    else if (letter === "i" || letter === "l") request.startup.add(letter);
    else if (letter === "o" || letter === "O") {
      const name = args[++this.at];
      if (name === undefined) request.lists = `${sign}${letter}`;
      else if (letter === "o") request.options.push([name, on]);
      else request.shopts.push([name, on]);
    } else if (OPTION_LETTERS.has(letter)) request.options.push([OPTION_LETTERS.get(letter) ?? "", on]);
    else if (letter === "k" || letter === "t") request.options.push([letter === "k" ? "keyword" : "onecmd", on]);
    else throw wrongOption(this.command, `${sign}${letter}`);
  }
}

async function readScript(shell: Shell, path: string): Promise<string> {
  const { files } = shell;
  const whole = files.place(files.resolvePath(shell.cwd, path));
  if (openFileAt(shell, path) === null) {
    if (!files.FS.analyzePath(whole).exists) throw new CommandError(`bash: ${path}: No such file or directory`, 127);
    if (files.isFolder(whole)) throw new CommandError(`bash: ${path}: Is a directory`, 126);
    if (isBinary(files.FS.readFile(whole))) throw new CommandError(`${path}: ${path}: cannot execute binary file`, 126);
  }
  return readText(shell, path);
}

// So many bytes bash looks at.
const SAMPLE = 80;

/** Return whether the first line of a file has a NUL byte. */
function isBinary(bytes: Uint8Array) {
  const sample = bytes.subarray(0, SAMPLE);
  const end = sample.indexOf(10);
  return sample.subarray(0, end < 0 ? SAMPLE : end).includes(0);
}

export const shellCommand =
  (name: string): ((shell: Shell, args: string[]) => Promise<number>) =>
  async (shell, args) => {
    if (args[0] === "--version" || args[0] === "--help") {
      await shell.print(args[0] === "--help" ? `${HELP}\n` : VERSION);
      return 0;
    }
    const request = new Reader(name, args).read();
    const { operands } = request;
    const given = shell.nameOfProgram ?? name;
    shell.nameOfProgram = null;
    if (given.startsWith("-")) request.startup.add("l");
    if (request.lists)
      return start(shell, LISTS[request.lists] ?? "", { zero: given, positional: [], request, source: null });
    if (request.inText) {
      const [text = "", zero = given, ...positional] = operands;
      return start(shell, text, { zero, positional, request, source: null });
    }
    if (request.fromInput || operands.length === 0) {
      const input = await shell.descriptors.get(0).readAll(shell.task);
      return start(shell, decode(input), {
        zero: given,
        positional: operands,
        request: { ...request, fromInput: true },
        source: null,
      });
    }
    const [path = "", ...positional] = operands;
    return start(shell, await readScript(shell, path), { zero: path, positional, request, source: path });
  };

/** Commands that print the options that were asked for without a name. */
const LISTS: Record<string, string> = { "-o": "set -o", "+o": "set +o", "-O": "shopt", "+O": "shopt -p" };

/** @param options - of its first line */
export const runScript = (shell: Shell, text: string, path: string, positional: string[], options: string[]) =>
  start(shell, text, { zero: path, positional, request: new Reader("bash", options).read(), source: path });

async function start(
  shell: Shell,
  text: string,
  {
    zero,
    positional,
    request,
    source,
  }: {
    zero: string;
    positional: string[];
    request: Request;
    source: string | null;
  },
) {
  const task = new Task(shell.host, shell.task, false);
  const inner = new Shell(shell.host, task);
  inner.descriptors = shell.descriptors.fork();
  Object.assign(inner, { isScript: true, zero, positional, source, cwd: shell.cwd, umask: shell.umask });
  inner.initialize(shell.variables.exported());
  Object.assign(inner.variables.table.get("PPID") ?? {}, { value: String(shell.task.pid) });
  if (!request.startup.has("i")) inner.shopts.delete("expand_aliases");
  if (request.startup.has("l")) inner.shopts.add("login_shell");
  inner.invocation = (request.startup.has("i") ? "i" : "") + (request.inText ? "c" : request.fromInput ? "s" : "");
  inner.history = [];
  inner.traps = shell.traps.fork(false, false);
  inner.traps.listed = null;
  inner.traps.running.clear();
  if (request.inText) inner.variables.assign("BASH_EXECUTION_STRING", text);
  for (const [name, on] of request.options) setOption(inner, name, on, "bash");
  for (const [name, on] of request.shopts) {
    if (!SHOPTS.has(name)) throw new CommandError(`bash: ${name}: invalid shell option name`, 2);
    setShellOption(inner, name, on);
  }
  const origin = request.inText ? `${zero}: -c` : zero;
  const status = await runToEnd(inner, async () => {
    for (const path of startupFiles(inner, request)) {
      inner.source = path;
      await runText(inner, await readText(inner, path), path, true);
    }
    inner.source = source;
    inner.status = await runText(inner, text.replace(/^#![^\n]*/, "#"), origin, true);
  });
  shell.task.ending = task.killed;
  return status;
}

/** The files that are read first (Bash manual, 6.2). */
function startupFiles(shell: Shell, { startup, rcfile }: Request): string[] {
  const { files, variables } = shell;
  const exists = (path: string) => files.isFile(files.resolvePath(shell.cwd, path));
  const home = variables.text("HOME") ?? "";
  const profile = [".bash_profile", ".bash_login", ".profile"].map((name) => `${home}/${name}`).find(exists);
  const isLogin = startup.has("l");
  const chosen = isLogin && !startup.has("noprofile") ? ["/etc/profile", ...(profile ? [profile] : [])] : [];
  if (!isLogin && startup.has("i") && !startup.has("norc")) chosen.push(rcfile ?? `${home}/.bashrc`);
  if (!startup.has("i")) chosen.push(variables.text("BASH_ENV") ?? "");
  return chosen.filter((path) => path !== "" && exists(path));
}
