/**
 * The destinations of omnibar items in the panels.
 *
 * @import { Actions } from "../actions.js"
 * @import { EnteredAddress } from "../browser/entered.js"
 * @import { Store } from "../store.js"
 * @import { Workbench } from "../workbench/workbench.js"
 * @import { Destinations } from "./omnibar.js"
 */

import { isFailure } from "../call.js";
import { openOutside } from "../browser/outside.js";
import { byId } from "../elements.js";
import { focusInside } from "../workbench/regions.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {Workbench} workbench
 * @param {EnteredAddress} entered
 * @param {Pick<Destinations, "openPath" | "searchFiles" | "showCall" | "showTool" | "typePython">} panels
 * @returns {Destinations}
 */
export function destinations(store, actions, workbench, entered, { openPath, searchFiles, showCall, showTool, typePython }) {
  const openPanel = (/** @type {string} */ id) => workbench.open(id, { focus: true });
  return {
    openPanel,
    openPath,
    searchFiles,
    showSetting(id) {
      openPanel("settings");
      const heading = byId(id, HTMLElement);
      heading.scrollIntoView({ block: "start" });
      focusInside(/** @type {HTMLElement} */ (heading.closest("section")));
    },
    showCall(id) {
      openPanel("activity");
      return showCall(id);
    },
    typePython(code) {
      openPanel("python");
      return typePython(code);
    },
    showTool(name) {
      openPanel("tools");
      return showTool(name);
    },
    openOutside,
    openUrl(url, typed) {
      workbench.open("browser");
      if (typed) entered.choose(url);
      return actions.openPage({ url });
    },
    async typeCommand(command, id) {
      // A running program would receive the keys, so use only idle terminals.
      const idle = store.state.terminals.filter(({ busy }) => !busy).map((row) => row.id);
      const terminal = idle.includes(id) ? id : idle.at(-1) ?? await newTerminal(actions);
      if (typeof terminal !== "string") return terminal;
      const answer = await actions.typeInTerminal({ terminal_id: terminal, text: pasted(command) });
      await actions.focusTerminal({ terminal_id: terminal });
      workbench.open(terminal, { focus: true });
      return answer;
    },
  };
}

/** @param {Actions} actions */
async function newTerminal(actions) {
  const answer = await actions.newTerminal();
  return isFailure(answer) ? answer : answer.terminal_id;
}

/**
 * Return the keys that put a text on a command line without running it: a bracketed paste, where Enter is a line break.
 * https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode
 *
 * @param {string} text
 */
function pasted(text) {
  return `\x1b[200~${text.replace(/[^\P{Cc}\n\t]/gu, "")}\x1b[201~`;
}
