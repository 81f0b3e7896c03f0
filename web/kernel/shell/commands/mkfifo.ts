// The program `mkfifo`.
import { CommandError } from "../control.ts";
import { createPipeAt } from "../execution/named_pipes.ts";
import { answers, readOptions, wrongUse } from "./program_options.ts";
import type { Shell } from "../shell.ts";

const HELP = `Usage: mkfifo [OPTION]... NAME...
Make named pipes. Redirections, cat, tee and operands of programs that read files open them; Python's open() doesn't.

  -m, --mode=MODE  set the permissions to the octal number MODE`;

export async function mkfifo(shell: Shell, args: string[]) {
  const { options, rest } = readOptions("mkfifo", args, "m:Z", { "mode=": "m", "context=?": "Z" });
  if (await answers(shell, "mkfifo", options, HELP)) return 0;
  if (rest.length === 0) throw wrongUse("mkfifo", "missing operand", 1);
  const given = options.findLast(({ name }) => name === "m")?.value;
  if (given !== undefined && !/^[0-7]+$/.test(given))
    throw new CommandError(`mkfifo: -m ${given} isn't supported: give the permissions as an octal number`, 1);
  const mode = given === undefined ? 0o666 & ~shell.umask : parseInt(given, 8);
  let status = 0;
  for (const name of rest) {
    const reason = createPipeAt(shell, name, mode);
    if (reason === null) continue;
    await shell.write(2, `mkfifo: cannot create fifo '${name}': ${reason}\n`);
    status = 1;
  }
  return status;
}
