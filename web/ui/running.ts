/**
 * Runs a file in a terminal, or previews it as a page beside the editor. Python decides which.
 *
 * @import { Actions } from "./actions.js"
 * @import { Store } from "./store.js"
 * @import { Workbench } from "./workbench/workbench.js"
 *
 * @typedef {(path?: string, test?: string) => Promise<unknown>} Run runs a file or folder, by default the file in front,
 *   or one test of a file; resolves with a failure if there is one
 */

import { commands } from "./commands.js";
import { isFailure } from "./call.js";

/** Ctrl+E and Ctrl+U: an unfinished line, which Ctrl+Y brings back, or a key such as Escape must not join the command. */
const CLEAR_LINE = "\x05\x15";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {Workbench} workbench
 * @returns {Run}
 */
export function runner(store, actions, workbench) {
  /** @type {Run} */
  const run = async (path = fileInFront(store) ?? undefined, test = undefined) => {
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
    id: "run", title: "Run the open file or folder", keywords: "start execute program script", run: () => run(),
  });
  return run;
}

/** @param {Store} store @returns {string | null} */
function fileInFront({ state: { editors } }) {
  return editors?.files.find(({ id }) => id === editors.active)?.path ?? null;
}

/**
 * Return an idle terminal, because a running program would receive the keys; or a failure to open one.
 *
 * @param {Store} store
 * @param {Actions} actions
 */
async function idleTerminal({ state: { terminals } }, actions) {
  const idle = terminals.filter(({ busy, backend }) => !busy && backend !== "host");
  const terminal = idle.find(({ focused }) => focused) ?? idle.at(-1);
  if (terminal) return terminal.id;
  const answer = await actions.newTerminal();
  return isFailure(answer) ? answer : answer.terminal_id;
}
