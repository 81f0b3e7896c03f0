// `history` and `fc`: the commands that were typed (Bash manual, 9.2). A script's own history is empty at first.
import { runText } from "../execution/run_text.ts";
import { decode, encode } from "../../bytes.ts";
import { CommandError, MisuseError } from "../control.ts";
import { parseOptions } from "./builtin_options.ts";
import type { Shell } from "../shell.ts";

const NUMBER = /^[-+]?\d+$/;
// So many lines `fc -l` prints.
const LISTED = 16;

/**
 * @param text - as in `3` or `-1`
 * @returns the index; -1 where there is none
 */
function indexOf({ history }: Shell, text: string): number {
  if (!NUMBER.test(text)) return -1;
  const number = Number(text);
  const at = number < 0 ? history.length + number : number - 1;
  return at >= 0 && at < history.length ? at : -1;
}

/** `history -d`, of one line or a range. */
function remove(shell: Shell, given: string) {
  const [, first = given, last = first] = /^(-?\d+)-(-?\d+)$/.exec(given) ?? [];
  const [start, end] = [indexOf(shell, first), indexOf(shell, last)];
  if (start < 0 || end < start) throw new CommandError(`history: ${given}: history position out of range`);
  shell.history.splice(start, end - start + 1);
  return 0;
}

/** The command that `!!`, `!3`, `!-2` or `!begin` stands for. */
function expanded(shell: Shell, word: string) {
  if (!word.includes("!")) return word;
  const { history } = shell;
  const [, event = ""] = /^!(!|-?\d+|[\w./-]+)$/.exec(word) ?? [];
  const found =
    event === "!"
      ? history.at(-1)
      : NUMBER.test(event)
        ? history[indexOf(shell, event)]
        : history.findLast((line) => event !== "" && line.startsWith(event));
  if (found === undefined) throw new CommandError(`history: ${word}: history expansion failed`);
  return found;
}

/** `history -anrw`. */
async function useFile(shell: Shell, letter: string, name: string | undefined) {
  const { FS } = shell.files;
  const path = shell.files.resolvePath(
    shell.cwd,
    name ?? shell.variables.text("HISTFILE") ?? `${shell.variables.text("HOME") ?? ""}/.bash_history`,
  );
  const exists = FS.analyzePath(path).exists;
  if (letter === "r" || letter === "n") {
    if (!exists) return 1;
    shell.history.push(...decode(FS.readFile(path)).split("\n").filter(Boolean));
    return 0;
  }
  if (!FS.analyzePath(path.slice(0, path.lastIndexOf("/")) || "/").exists) return 1;
  const before = letter === "a" && exists ? decode(FS.readFile(path)) : "";
  FS.writeFile(path, encode(before + shell.history.map((line) => `${line}\n`).join("")));
  return 0;
}

export async function history(shell: Shell, args: string[]) {
  const { flags, values, operands } = parseOptions("history", args, "cd:anrwps");
  const files = [..."anrw"].filter((letter) => flags.has(letter));
  if (files.length > 1) throw new CommandError("history: cannot use more than one of -anrw");
  if (flags.has("c")) shell.history.length = 0;
  if (flags.has("s")) {
    if (operands.length) shell.history.push(operands.join(" "));
    return 0;
  }
  if (flags.has("p")) {
    for (const word of operands) await shell.print(`${expanded(shell, word)}\n`);
    return 0;
  }
  if (values.d !== undefined) return remove(shell, values.d);
  if (files[0]) return useFile(shell, files[0], operands[0]);
  if (flags.has("c")) return 0;
  return list(shell, operands);
}

async function list(shell: Shell, operands: string[]) {
  const [most] = operands;
  if (operands.length > 1) throw new MisuseError("history: too many arguments");
  if (most !== undefined && !NUMBER.test(most)) throw new CommandError(`history: ${most}: numeric argument required`);
  if (shell.variables.text("HISTTIMEFORMAT"))
    await shell.complain("history: HISTTIMEFORMAT isn't supported: no times are saved");
  const lines = shell.history.map((text, at) => `${String(at + 1).padStart(5)}  ${text}\n`);
  await shell.print((most === undefined ? lines : lines.slice(Math.max(0, lines.length - Number(most)))).join(""));
  return 0;
}

/** The place of a command that `fc` names by number or beginning. */
function placeIn(lines: string[], text: string) {
  const number = Number(text);
  const at = NUMBER.test(text)
    ? number < 0
      ? lines.length + number
      : number - 1
    : lines.findLastIndex((line) => line.startsWith(text));
  if (at < 0 && !NUMBER.test(text)) throw new CommandError("fc: no command found");
  return Math.max(0, Math.min(lines.length - 1, at));
}

/** The commands before the `fc` that runs. */
const before = ({ history: lines }: Shell): string[] =>
  /^\s*fc\b/.test(lines.at(-1) ?? "") ? lines.slice(0, -1) : lines;

export async function fc(shell: Shell, args: string[]) {
  // A negative number is no option.
  const at = args.findIndex((word) => /^-\d/.test(word));
  const { flags, values, operands } = parseOptions("fc", at < 0 ? args : args.slice(0, at), "e:lnrs");
  const words = at < 0 ? operands : [...operands, ...args.slice(at)];
  const lines = before(shell);
  if (flags.has("s") || values.e === "-") return repeat(shell, lines, words);
  if (!flags.has("l")) {
    if (lines.length === 0) return 0;
    throw new CommandError(
      "fc: an editor isn't supported: print commands with `fc -ln`, and run the changed text, or use `fc -s OLD=NEW`",
    );
  }
  if (lines.length === 0) return 0;
  const [first = String(-LISTED), last = "-1"] = words;
  const [start, end] = [placeIn(lines, first), placeIn(lines, last)];
  const places = Array.from({ length: Math.abs(end - start) + 1 }, (_, step) => Math.min(start, end) + step);
  if (start > end !== flags.has("r")) places.reverse();
  await shell.print(places.map((place) => `${flags.has("n") ? "" : place + 1}\t ${lines[place]}\n`).join(""));
  return 0;
}

/** `fc -s`. */
async function repeat(shell: Shell, lines: string[], words: string[]) {
  const change = /^([^=]+)=([^]*)$/.exec(words[0] ?? "");
  const [begin] = change ? words.slice(1) : words;
  const line = begin === undefined ? lines.at(-1) : lines[placeIn(lines, begin)];
  if (line === undefined) throw new CommandError("fc: no command found");
  const text = change ? line.replaceAll(change[1] ?? "", () => change[2] ?? "") : line;
  await shell.write(2, `${text}\n`);
  shell.history.push(text);
  return runText(shell, text, "fc");
}
