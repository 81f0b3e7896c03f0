// `bind`: there is no readline, as in a bash that isn't interactive.
import { CommandError } from "../control.ts";
import { invalidOption } from "./help.ts";
import type { Shell } from "../shell.ts";

const QUESTIONS = /^-[lpPvVq]/;

export async function bind(shell: Shell, args: string[]) {
  const wrong =
    args.find((word) => /^-./.test(word) && !/^-[lpsvPSVXmfqurx]/.test(word)) ??
    (args.length === 1 && args[0] === "-x" ? "-x" : undefined);
  if (wrong) throw invalidOption("bind", wrong.slice(0, 2));
  if (args.some((word) => QUESTIONS.test(word)))
    throw new CommandError("bind: keys can't be listed: the page's `?` lists the terminal's keys");
  await shell.complain("bind: warning: line editing not enabled");
  return args[0] === "-f" ? 1 : 0;
}
