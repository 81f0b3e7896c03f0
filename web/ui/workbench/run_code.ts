/** Runs code that the user has pressed, in the Python console or an idle terminal, or types it there without running it. */

import type { TerminalRow } from "../../generated/types.ts";
import type { Actions } from "../state/actions.ts";
import { isFailure } from "../state/kernel_calls.ts";
import type { Store } from "../state/store.ts";
import type { Workbench } from "./workbench.ts";

/** Ctrl+E and Ctrl+U: an unfinished line, which Ctrl+Y brings back, or a key such as Escape must not join the command. */
export const CLEAR_LINE = "\x05\x15";

export type CodeRunner = ReturnType<typeof codeRunner>;

export function codeRunner(store: Store, actions: Actions, workbench: Workbench) {
  /** Type keys in an idle terminal of the page that is the user's. Its shell reads a paste as one line. */
  const type = async (keys: string) => {
    const terminal = await idleTerminal(store, actions, ({ backend, owner }) => backend === "shell" && owner === null);
    if (typeof terminal !== "string") return terminal;
    await actions.focusTerminal({ terminal_id: terminal });
    workbench.open(terminal, { focus: true });
    return actions.typeInTerminal({ terminal_id: terminal, text: keys });
  };
  return {
    console(code: string) {
      workbench.open("python");
      return actions.runPython({ code });
    },
    terminal: (command: string) => type(`${CLEAR_LINE}${pasted(command)}\r`),
    /** Type a command at a prompt without running it. */
    prompt: (command: string) => type(`${CLEAR_LINE}${pasted(command)}`),
  };
}

/**
 * Return an idle terminal, because a running program would receive the keys; or a failure to open one.
 *
 * @param fits - whether a terminal can be used
 */
export async function idleTerminal(
  { state: { terminals } }: Store,
  actions: Actions,
  fits = ({ backend }: TerminalRow) => backend !== "host",
) {
  const idle = terminals.filter((row) => !row.busy && fits(row));
  const terminal = idle.find(({ focused }) => focused) ?? idle.at(-1);
  if (terminal) return terminal.id;
  const answer = await actions.newTerminal();
  return isFailure(answer) ? answer : answer.terminal_id;
}

/**
 * Return the keys of a paste, which no terminal runs before Enter. The text can't end it: control characters are left out.
 *
 * https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode
 */
export function pasted(text: string) {
  return `\x1b[200~${text.replace(/[^\P{Cc}\n\t]/gu, "")}\x1b[201~`;
}
