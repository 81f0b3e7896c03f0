// The options of builtins, and of the shell: `set` and `shopt` (Bash manual, 4.3).
import { CommandError } from "./control.js";
import { allVariables } from "./declarations.js";
import { OPTION_LETTERS } from "./parameters.js";

/** @typedef {import("./shell.js").Shell} Shell */

/**
 * The options in a builtin's arguments, as getopt does it.
 * @param {string} command @param {string[]} args @param {string} letters those with a value have a colon behind them
 * @returns {{ flags: Set<string>, values: Record<string, string | undefined>, operands: string[] }}
 */
export function parseOptions(command, args, letters) {
  const flags = new Set();
  /** @type {Record<string, string | undefined>} */
  const values = {};
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--") {
      at++;
      break;
    }
    if (!/^-./.test(word)) break;
    for (let position = 1; position < word.length; position++) {
      const letter = word.charAt(position);
      const found = letters.indexOf(letter);
      if (found < 0 || letter === ":") throw new CommandError(`${command}: -${letter}: invalid option`, 2);
      if (letters.charAt(found + 1) !== ":") flags.add(letter);
      else {
        const rest = word.slice(position + 1);
        values[letter] = rest || args[++at];
        if (values[letter] === undefined) throw new CommandError(`${command}: -${letter}: option requires an argument`, 2);
        break;
      }
    }
  }
  return { flags, values, operands: args.slice(at) };
}

const WITHOUT_LETTER =
  "emacs history ignoreeof interactive-comments nolog pipefail posix vi braceexpand hashall histexpand keyword onecmd privileged";
const NAMES = new Set([...OPTION_LETTERS.values(), ...WITHOUT_LETTER.split(" ")]);
const ALWAYS_ON = new Set(["braceexpand", "hashall", "interactive-comments"]);

/** @param {Shell} shell @param {string} name @param {boolean} on */
export function setOption(shell, name, on) {
  if (!NAMES.has(name)) throw new CommandError(`set: ${name}: invalid option name`, 2);
  if (on) shell.options.add(name);
  else shell.options.delete(name);
  if (name === "allexport") shell.variables.exportsAll = on;
  if (name === "posix" && on) shell.shopts.add("inherit_errexit");
}

/** @param {Shell} shell @param {string[]} args */
export async function set(shell, args) {
  if (args.length === 0) {
    await shell.print(allVariables(shell));
    return 0;
  }
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--" || word === "-") {
      shell.positional = args.slice(at + 1);
      return 0;
    }
    if (!/^[-+]./.test(word)) break;
    const on = word.startsWith("-");
    for (const letter of word.slice(1)) {
      if (letter === "o") {
        const name = args[at + 1];
        if (name === undefined) return listOptions(shell, on);
        setOption(shell, name, on);
        at++;
      } else if (OPTION_LETTERS.has(letter)) setOption(shell, OPTION_LETTERS.get(letter) ?? "", on);
      else if (!"hBHkptlm".includes(letter)) throw new CommandError(`set: ${word.charAt(0)}${letter}: invalid option`, 2);
    }
  }
  if (at < args.length) shell.positional = args.slice(at);
  return 0;
}

/** @param {Shell} shell @param {boolean} readable or else as commands */
async function listOptions(shell, readable) {
  for (const name of [...NAMES].sort()) {
    const on = shell.options.has(name) || ALWAYS_ON.has(name);
    await shell.print(readable ? `${name.padEnd(15)}\t${on ? "on" : "off"}\n` : `set ${on ? "-" : "+"}o ${name}\n`);
  }
  return 0;
}

const SHOPTS = new Set(
  (
    "autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31 compat32 compat40 compat41 compat42 " +
    "compat43 compat44 complete_fullquote direxpand dirspell dotglob execfail expand_aliases extdebug extglob extquote failglob " +
    "force_fignore globasciiranges globskipdots globstar gnu_errfmt histappend histreedit histverify hostcomplete huponexit " +
    "inherit_errexit interactive_comments lastpipe lithist localvar_inherit localvar_unset login_shell mailwarn no_empty_cmd_completion " +
    "nocaseglob nocasematch noexpand_translation nullglob patsub_replacement progcomp progcomp_alias promptvars restricted_shell " +
    "shift_verbose sourcepath varredir_close xpg_echo"
  ).split(" "),
);

/** @param {Shell} shell @param {string[]} args */
export async function shopt(shell, args) {
  const { flags, operands } = parseOptions("shopt", args, "suqpo");
  const [chosen, known] = flags.has("o") ? [shell.options, NAMES] : [shell.shopts, SHOPTS];
  const names = operands.length ? operands : [...known].sort();
  const sets = (flags.has("s") || flags.has("u")) && operands.length > 0;
  let status = 0;
  for (const name of names) {
    if (!known.has(name)) {
      await shell.complain(`shopt: ${name}: invalid shell option name`);
      status = 1;
    } else if (sets) {
      if (flags.has("o")) setOption(shell, name, flags.has("s"));
      else if (flags.has("s")) shell.shopts.add(name);
      else shell.shopts.delete(name);
    } else {
      const on = chosen.has(name);
      if (!on && operands.length) status = 1;
      if (flags.has("q") || (flags.has("s") && !on) || (flags.has("u") && on)) continue;
      await shell.print(flags.has("p") ? `shopt -${on ? "s" : "u"} ${name}\n` : `${name.padEnd(15)}\t${on ? "on" : "off"}\n`);
    }
  }
  return status;
}

/** `getopts` (Bash manual, 4.1): OPTIND is the next word, `optionAt` the place in it. @param {Shell} shell @param {string[]} args */
export async function getopts(shell, args) {
  const [spec = "", name = "", ...given] = args;
  if (args.length < 2) throw new CommandError("getopts: usage: getopts optstring name [arg ...]", 2);
  const words = args.length > 2 ? given : shell.positional;
  const { variables } = shell;
  const start = Number(variables.text("OPTIND") ?? 1) || 1;
  const found = nextOption(spec, words, start, shell.optionAt || 1);
  variables.assign("OPTIND", String(found.index));
  shell.optionAt = found.at;
  const silent = spec.startsWith(":");
  const { option, problem } = found;
  variables.assign(name, problem === null ? option : silent && problem === "requires" ? ":" : "?");
  const argument = problem === null ? found.argument : silent && problem !== "end" ? option : null;
  if (argument === null) variables.unset("OPTARG");
  else variables.assign("OPTARG", argument);
  const message = { illegal: "illegal option", requires: "option requires an argument", end: "" }[problem ?? "end"];
  if (message && !silent && variables.text("OPTERR") !== "0") await shell.write(2, `${shell.zero}: ${message} -- ${option}\n`);
  return problem === "end" ? 1 : 0;
}

/**
 * @typedef {object} Option
 * @property {string} option its letter
 * @property {string | null} argument
 * @property {"illegal" | "requires" | "end" | null} problem
 * @property {number} index of the next word
 * @property {number} at place of the next letter in it, 0 for its beginning
 *
 * @param {string} spec @param {string[]} words @param {number} index @param {number} at
 * @returns {Option}
 */
function nextOption(spec, words, index, at) {
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
