/** Runs the examples of documents. */

import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { Store } from "../../state/store.ts";
import type { Workbench } from "../../workbench/workbench.ts";
import type { Running } from "./main.ts";

/** Ctrl+E and Ctrl+U: an unfinished line must not join the command. */
const CLEAR_LINE = "\x05\x15";

export function runningOf(store: Store, actions: Actions, workbench: Workbench): Running {
  return {
    console(code) {
      workbench.open("python");
      void actions.runPython({ code });
    },
    async terminal(command) {
      const terminal = await idleTerminal(store, actions);
      if (terminal === null) return;
      await actions.focusTerminal({ terminal_id: terminal });
      workbench.open(terminal, { focus: true });
      await actions.typeInTerminal({ terminal_id: terminal, text: `${CLEAR_LINE}${command}\r` });
    },
  };
}

/** Return an idle terminal of the page, because a running program would receive the keys; null if there is none. */
async function idleTerminal({ state: { terminals } }: Store, actions: Actions) {
  const idle = terminals.findLast(({ busy, backend }) => !busy && backend !== "host");
  if (idle) return idle.id;
  const answer = await actions.newTerminal();
  return isFailure(answer) ? null : answer.terminal_id;
}
