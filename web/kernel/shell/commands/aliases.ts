// The builtins that define aliases (Bash manual, 6.6). They are expanded when a line is read (syntax/commands.ts).
import { usage } from "./help.ts";
import { parseOptions } from "./builtin_options.ts";
import { shellQuote } from "../language/quoting.ts";
import type { Shell } from "../shell.ts";

// Bash manual, 6.6: these can't be in a name.
const WRONG_NAME = /[\s/$`=|&;()<>"'\\]/;

/** The command that defines an alias. */
const definition = (name: string, value: string) =>
  `alias ${name.startsWith("-") ? "-- " : ""}${name}=${shellQuote(value)}\n`;

export async function alias(shell: Shell, args: string[]) {
  const { aliases } = shell;
  const { flags, operands } = parseOptions("alias", args, "p");
  const listsAll = flags.has("p") || operands.length === 0;
  if (listsAll) {
    await shell.print(
      [...aliases]
        .sort()
        .map(([name, value]) => definition(name, value))
        .join(""),
    );
    return 0;
  }
  return shell.forEach(operands, async (word) => {
    const at = word.indexOf("=");
    const name = at > 0 ? word.slice(0, at) : word;
    if (at > 0 && WRONG_NAME.test(name)) return `alias: \`${name}': invalid alias name`;
    if (at <= 0 && !aliases.has(name)) return `alias: ${name}: not found`;
    if (at > 0) aliases.set(name, word.slice(at + 1));
    else await shell.print(definition(name, aliases.get(name) ?? ""));
    return null;
  });
}

export async function unalias(shell: Shell, args: string[]) {
  const { flags, operands } = parseOptions("unalias", args, "a");
  if (flags.has("a")) shell.aliases.clear();
  else if (operands.length === 0) return usage(shell, "unalias");
  return shell.forEach(operands, (name) =>
    shell.aliases.delete(name) || flags.has("a") ? null : `unalias: ${name}: not found`,
  );
}
