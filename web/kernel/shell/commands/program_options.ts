// The options of programs in JavaScript, as getopt_long reads them: they end before the first operand.
import { CommandError } from "../control.ts";
import type { Shell } from "../shell.ts";

/** `name` is its letter, or its long name if it has none */
export type Option = { name: string; value: string };

export const wrongUse = (program: string, problem: string, status: number): CommandError =>
  new CommandError(`${program}: ${problem}\nTry '${program} --help' for more information.`, status);

/**
 * Read a program's options.
 * @param program - its name, for messages
 * @param letters - those with a value have a colon behind them
 * @param long - for each long name its letter or itself; `=` ends a name with a value, `=?` one whose value is optional
 * @param status - the exit code of wrong options
 * @throws {CommandError}
 */
export function readOptions(
  program: string,
  args: string[],
  letters: string,
  long: Record<string, string>,
  status = 1,
): { options: Option[]; rest: string[] } {
  const options: Option[] = [];
  let at = 0;
  const next = (problem: string) => {
    const value = args[++at];
    if (value === undefined) throw wrongUse(program, problem, status);
    return value;
  };
  for (; /^-./.test(args[at] ?? ""); at++) {
    const word = args[at] ?? "";
    if (word === "--") {
      at++;
      break;
    }
    if (word.startsWith("--")) options.push(longOption(program, word, long, status, next));
    else
      for (let position = 1; position < word.length; position++) {
        const letter = word.charAt(position);
        const found = letters.indexOf(letter);
        if (found < 0 || letter === ":") throw wrongUse(program, `invalid option -- '${letter}'`, status);
        if (letters.charAt(found + 1) !== ":") options.push({ name: letter, value: "" });
        else {
          const value = word.slice(position + 1) || next(`option requires an argument -- '${letter}'`);
          options.push({ name: letter, value });
          break;
        }
      }
  }
  return { options, rest: args.slice(at) };
}

/** @param next - returns the following argument */
function longOption(
  program: string,
  word: string,
  long: Record<string, string>,
  status: number,
  next: (problem: string) => string,
): Option {
  const [, given = "", value] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  const names = Object.keys({ ...long, help: "", version: "" });
  const bare = (name: string) => name.replace(/=\??$/, "");
  const matches = names
    .filter((name) => bare(name) === given)
    .concat(names.filter((name) => name.startsWith(given) && bare(name) !== given));
  const [name] = matches;
  if (name === undefined) throw wrongUse(program, `unrecognized option '${word.split("=")[0]}'`, status);
  if (matches.length > 1 && bare(name) !== given) {
    throw wrongUse(
      program,
      `option '--${given}' is ambiguous; possibilities: ${matches.map((one) => `'--${bare(one)}'`).join(" ")}`,
      status,
    );
  }
  const meaning = long[name] ?? bare(name);
  if (name.endsWith("=?")) return { name: meaning, value: value ?? "" };
  if (name.endsWith("="))
    return { name: meaning, value: value ?? next(`option '--${bare(name)}' requires an argument`) };
  if (value !== undefined) throw wrongUse(program, `option '--${name}' doesn't allow an argument`, status);
  return { name: meaning, value: "" };
}

/**
 * Print the help or the version if they are asked for.
 * @returns whether that was so
 */
export async function answers(shell: Shell, program: string, options: Option[], help: string): Promise<boolean> {
  const asked = options.find(({ name }) => name === "help" || name === "version")?.name;
  if (asked)
    await shell.print(
      asked === "help"
        ? `${help}\n`
        : `${program}: part of the shell of control-surface, modelled on the GNU command\n`,
    );
  return asked !== undefined;
}
