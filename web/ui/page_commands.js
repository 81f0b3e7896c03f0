/**
 * The commands of the page as a whole.
 *
 * @import { OwnTerminals } from "./companion/own_terminals.js"
 * @import { Omnibar } from "./omnibar/omnibar.js"
 * @import { Store } from "./store.js"
 * @import { Terminals } from "./terminals/terminals.js"
 * @import { Workbench } from "./workbench/workbench.js"
 */

import { commands, MOD } from "./commands.js";
import { byId } from "./elements.js";
import { setTheme, THEMES } from "./theme.js";
import { press } from "./trusted.js";

/**
 * @param {object} page
 * @param {Workbench} page.workbench
 * @param {Terminals} page.terminals
 * @param {Omnibar} page.omnibar
 * @param {Store} page.store
 * @param {OwnTerminals} page.own
 */
export function addPageCommands({ workbench, terminals, omnibar, store, own }) {
  for (const { id, title } of workbench.sections) {
    commands.add({
      id: `open-${id}`, title: `Open ${title}`, keywords: "panel show go to",
      run: () => workbench.open(id, { focus: true }),
    });
  }
  commands.add(
    { id: "search", title: "Search and run commands", shortcut: `${MOD}+K`, available: () => false, run: () => omnibar.enter() },
    { id: "agent-task", title: "Give an agent a task", keywords: "run start model ask", run: () => omnibar.enter("agent") },
    { id: "new-terminal", title: "New terminal", keywords: "shell open create", run: () => terminals.create() },
    {
      id: "new-host-terminal", title: "New terminal on this computer", keywords: "host shell open create companion",
      available: () => store.state.companion.host?.allowed ?? false,
      run: () => own.open(store.state, (press) => terminals.createOwn(press)),
    },
    {
      id: "reset-layout", title: "Reset layout", keywords: "panels places arrange usual",
      run: () => workbench.reset(),
    },
    {
      id: "export", title: "Export everything", keywords: "backup save download",
      available: () => !byId("export", HTMLButtonElement).disabled, run: () => press(byId("export", HTMLButtonElement)),
    },
    ...THEMES.map(({ value, label }) => ({
      id: `theme-${value}`, title: `Theme: ${label.toLowerCase()}`, keywords: "colors colours appearance toggle",
      run: () => setTheme(value),
    })),
  );
}
