/** Runs a file in a terminal, or previews it as a page next to the editor. Python decides which. */

import type { Actions } from "../state/actions.ts";
import { commands } from "../lib/commands.ts";
import { isFailure } from "../state/kernel_calls.ts";
import type { Store } from "../state/store.ts";
import type { Workbench } from "./workbench.ts";

/**
 * runs a file or folder, by default the file in front, or one test of a file; resolves with a failure if there is one
 */
export type Run = (path?: string, test?: string) => Promise<unknown>;

/** Ctrl+E and Ctrl+U: an unfinished line, which Ctrl+Y brings back, or a key such as Escape must not join the command. */
const CLEAR_LINE = "\x05\x15";

export function runner(store: Store, actions: Actions, workbench: Workbench): Run {
  const run: Run = async (path = fileInFront(store) ?? undefined, test = undefined) => {
    const answer = await actions.runFile({ path, test });
    if (isFailure(answer)) return answer;
    if (answer.page !== null) {
      // Moving the panels takes the focus from the text.
      const { activeElement: typing } = document;
      workbench.openBeside("browser", "editor");
      if (typing instanceof HTMLElement && document.activeElement === document.body) typing.focus();
      return actions.previewPage({ path: answer.page });
    }
    const terminal = await idleTerminal(store, actions);
    if (typeof terminal !== "string") return terminal;
    await actions.focusTerminal({ terminal_id: terminal });
    workbench.dock.separate(terminal, "editor");
    workbench.open(terminal, { focus: true });
    return actions.typeInTerminal({ terminal_id: terminal, text: `${CLEAR_LINE}${answer.command}\r` });
  };
  commands.add({
    id: "run",
    title: "Run the open file or folder",
    keywords: "start execute program script",
    run: () => run(),
  });
  return run;
}

function fileInFront({ state: { editors } }: Store): string | null {
  return editors?.files.find(({ id }) => id === editors.active)?.path ?? null;
}

/** Return an idle terminal, because a running program would receive the keys; or a failure to open one. */
async function idleTerminal({ state: { terminals } }: Store, actions: Actions) {
  const idle = terminals.filter(({ busy, backend }) => !busy && backend !== "host");
  const terminal = idle.find(({ focused }) => focused) ?? idle.at(-1);
  if (terminal) return terminal.id;
  const answer = await actions.newTerminal();
  return isFailure(answer) ? answer : answer.terminal_id;
}
