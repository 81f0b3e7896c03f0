// The options of builtins (Bash manual, 4).
import { CommandError } from "../control.ts";
import { invalidOption } from "./help.ts";

/**
 * The options in a builtin's arguments, as getopt does it.
 * @param letters - those with a value have a colon behind them
 */
export function parseOptions(
  command: string,
  args: string[],
  letters: string,
): { flags: Set<string>; values: Record<string, string | undefined>; operands: string[] } {
  const flags = new Set<string>();
  const values: Record<string, string | undefined> = {};
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
      if (found < 0 || letter === ":") throw invalidOption(command, `-${letter}`);
      if (letters.charAt(found + 1) !== ":") flags.add(letter);
      else {
        const rest = word.slice(position + 1);
        values[letter] = rest || args[++at];
        if (values[letter] === undefined)
          throw new CommandError(`${command}: -${letter}: option requires an argument`, 2);
        break;
      }
    }
  }
  return { flags, values, operands: args.slice(at) };
}
