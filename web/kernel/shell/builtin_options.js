// The options of builtins (Bash manual, 4).
import { CommandError } from "./control.js";
import { invalidOption } from "./help.js";

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
      if (found < 0 || letter === ":") throw invalidOption(command, `-${letter}`);
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
