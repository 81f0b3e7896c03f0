// The options of the shell: `set` and `shopt` (Bash manual, 4.3).
import { parseOptions } from "./builtin_options.ts";
import { CommandError, LineError } from "../control.ts";
import { invalidOption, usage } from "./help.ts";
import { allVariables } from "../language/printed_variables.ts";
import { OPTION_LETTERS } from "../language/parameters.ts";
import type { Shell } from "../shell.ts";
import { NAME } from "../language/variables.ts";

const WITHOUT_LETTER = "emacs history ignoreeof interactive-comments nolog pipefail posix vi keyword onecmd".split(" ");
const LETTERS = new Map([...OPTION_LETTERS, ["k", "keyword"], ["t", "onecmd"]]);
LETTERS.delete("i");
export const OPTION_NAMES = new Set([...LETTERS.values(), ...WITHOUT_LETTER]);

/** The options that can't be set, with what to use instead. */
const REFUSED: Record<string, string> = {
  keyword: "write assignments before the command",
  onecmd: "use exit",
};
/** Options that are off while another one is on. */
const EXCLUSIVE: Record<string, string> = { vi: "emacs", emacs: "vi" };
/** Variables that options set. */
const VARIABLES: Record<string, [string, string]> = { ignoreeof: ["IGNOREEOF", "10"], posix: ["POSIXLY_CORRECT", "y"] };

/** @param command - for messages */
export function setOption(shell: Shell, name: string, on: boolean, command = "set") {
  if (!OPTION_NAMES.has(name)) throw new CommandError(`${command}: ${name}: invalid option name`, 2);
  if (on && REFUSED[name]) throw new CommandError(`${command}: ${name} isn't supported: ${REFUSED[name]}`, 2);
  if (on) shell.options.add(name);
  else shell.options.delete(name);
  if (on && EXCLUSIVE[name]) shell.options.delete(EXCLUSIVE[name]);
  if (name === "allexport") shell.variables.exportsAll = on;
  if (name === "posix" && on) shell.shopts.add("inherit_errexit");
  const [variable, value] = VARIABLES[name] ?? [];
  if (variable && value && on) shell.variables.assign(variable, value);
  else if (variable) shell.variables.unset(variable);
}

export async function set(shell: Shell, args: string[]) {
  if (args.length === 0) {
    await shell.print(allVariables(shell));
    return 0;
  }
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--" || word === "-") {
      const operands = args.slice(at + 1);
      if (word === "-") for (const name of ["xtrace", "verbose"]) setOption(shell, name, false);
      if (word === "--" || operands.length) shell.positional = operands;
      return 0;
    }
    if (!/^(?:-.|\+)/.test(word)) break;
    const on = word.startsWith("-");
    for (const letter of word.slice(1)) {
      if (letter === "o") {
        const name = args[at + 1];
        if (name === undefined) return listOptions(shell, on);
        setOption(shell, name, on);
        at++;
      } else if (LETTERS.has(letter)) setOption(shell, LETTERS.get(letter) ?? "", on);
      else throw invalidOption("set", `${word.charAt(0)}${letter}`);
    }
  }
  if (at < args.length) shell.positional = args.slice(at);
  return 0;
}

/** @param readable - or else as commands */
async function listOptions(shell: Shell, readable: boolean) {
  for (const name of [...OPTION_NAMES].sort()) {
    const on = shell.options.has(name);
    await shell.print(readable ? `${name.padEnd(15)}\t${on ? "on" : "off"}\n` : `set ${on ? "-" : "+"}o ${name}\n`);
  }
  return 0;
}

/** In bash's order. */
export const SHOPTS = new Set(
  (
    "autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31 compat32 compat40 compat41 compat42 " +
    "compat43 compat44 complete_fullquote direxpand dirspell dotglob execfail expand_aliases extdebug extglob extquote failglob " +
    "force_fignore globasciiranges globskipdots globstar gnu_errfmt histappend histreedit histverify hostcomplete huponexit " +
    "inherit_errexit interactive_comments lastpipe lithist localvar_inherit localvar_unset login_shell mailwarn no_empty_cmd_completion " +
    "nocaseglob nocasematch noexpand_translation nullglob patsub_replacement progcomp progcomp_alias promptvars restricted_shell " +
    "shift_verbose sourcepath varredir_close xpg_echo"
  ).split(" "),
);

/** @returns why it can't be so; "" if it can */
function problemOf(name: string, on: boolean): string {
  if (on && name.startsWith("compat")) return "this shell behaves as bash 5.2 does; use `linux bash` for others";
  if (on && name === "restricted_shell") return "run only scripts that you trust";
  if (!on && name === "globskipdots") return "add . and .. to the pattern";
  return "";
}

/** @throws {CommandError} for an option that can't be changed */
export function setShellOption(shell: Shell, name: string, on: boolean) {
  const problem = problemOf(name, on);
  if (problem) throw new CommandError(`shopt: ${name} can't be ${on ? "set" : "unset"}: ${problem}`);
  // How the shell was started is no choice.
  if (name === "login_shell") return;
  if (on) shell.shopts.add(name);
  else shell.shopts.delete(name);
}

export async function shopt(shell: Shell, args: string[]) {
  const { flags, operands } = parseOptions("shopt", args, "suqpo");
  if (flags.has("s") && flags.has("u"))
    throw new CommandError("shopt: cannot set and unset shell options simultaneously");
  const ofSet = flags.has("o");
  const [chosen, known] = ofSet ? [shell.options, OPTION_NAMES] : [shell.shopts, SHOPTS];
  const names = operands.length ? operands : ofSet ? [...known].sort() : [...known];
  const sets = (flags.has("s") || flags.has("u")) && operands.length > 0;
  let status = 0;
  for (const name of names) {
    if (!known.has(name)) {
      await shell.complain(`shopt: ${name}: invalid ${ofSet ? "" : "shell "}option name`);
      status = sets && ofSet ? 0 : 1;
    } else if (sets) {
      if (ofSet) setOption(shell, name, flags.has("s"));
      else setShellOption(shell, name, flags.has("s"));
    } else {
      const on = chosen.has(name);
      if (!on && operands.length) status = 1;
      if (flags.has("q") || (flags.has("s") && !on) || (flags.has("u") && on)) continue;
      const command = ofSet ? `set ${on ? "-" : "+"}o` : `shopt -${on ? "s" : "u"}`;
      await shell.print(flags.has("p") ? `${command} ${name}\n` : `${name.padEnd(15)}\t${on ? "on" : "off"}\n`);
    }
  }
  return status;
}

/** `getopts` (Bash manual, 4.1): OPTIND is the next word, `optionAt` the place in it. */
export async function getopts(shell: Shell, args: string[]) {
  // Its own options, of which there are none, come before the letters.
  const operands = /^-[^-]?./.test(args[0] ?? "") ? parseOptions("getopts", args, "").operands : args;
  const [spec = "", name = "", ...given] = operands;
  if (operands.length < 2) return usage(shell, "getopts");
  if (!NAME.test(name)) throw new CommandError(`getopts: \`${name}': not a valid identifier`);
  const words = operands.length > 2 ? given : shell.positional;
  const { variables } = shell;
  const start = Number(variables.text("OPTIND") ?? 1) || 1;
  const found = nextOption(spec, words, start, shell.optionAt || 1);
  await assignUnlessReadonly(shell, "OPTIND", String(found.index));
  shell.optionAt = found.at;
  const silent = spec.startsWith(":");
  const { option, problem } = found;
  const argument = problem === null ? found.argument : silent && problem !== "end" ? option : null;
  if (argument === null) variables.unset("OPTARG");
  else await assignUnlessReadonly(shell, "OPTARG", argument);
  const message = { illegal: "illegal option", requires: "option requires an argument", end: "" }[problem ?? "end"];
  if (message && !silent && variables.text("OPTERR") !== "0")
    await shell.write(2, `${shell.zero}: ${message} -- ${option}\n`);
  const value = problem === null ? option : silent && problem === "requires" ? ":" : "?";
  const isSet = await assignUnlessReadonly(shell, name, value);
  return problem === "end" ? 1 : isSet ? 0 : 2;
}

/** @returns whether it was set; if not, a message says so */
async function assignUnlessReadonly(shell: Shell, name: string, value: string): Promise<boolean> {
  try {
    shell.variables.assign(name, value);
    return true;
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    await shell.complain(error.message);
    return false;
  }
}

interface Option {
  /** its letter */
  option: string;
  argument: string | null;
  problem: "illegal" | "requires" | "end" | null;
  /** of the next word */
  index: number;
  /** place of the next letter in it, 0 for its beginning */
  at: number;
}

function nextOption(spec: string, words: string[], index: number, at: number): Option {
  const word = words[index - 1];
  if (word === undefined || !/^-./.test(word) || word === "--") {
    return { option: "?", argument: null, problem: "end", index: word === "--" ? index + 1 : index, at: 0 };
  }
  const option = word.charAt(at);
  const place = option === ":" ? -1 : spec.indexOf(option, spec.startsWith(":") ? 1 : 0);
  const rest = word.slice(at + 1);
  const following = rest ? { index, at: at + 1 } : { index: index + 1, at: 0 };
  if (place < 0) return { option, argument: null, problem: "illegal", ...following };
  if (spec.charAt(place + 1) !== ":") return { option, argument: null, problem: null, ...following };
  if (rest) return { option, argument: rest, problem: null, index: index + 1, at: 0 };
  const argument = words[index];
  if (argument === undefined) return { option, argument: null, problem: "requires", index: index + 1, at: 0 };
  return { option, argument, problem: null, index: index + 2, at: 0 };
}
