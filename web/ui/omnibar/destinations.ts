/** The destinations of omnibar items in the panels. */

import type { Actions } from "../state/actions.ts";
import type { EnteredAddress } from "../panels/browser/entered.ts";
import { isFailure } from "../state/kernel_calls.ts";
import { openOutside } from "../lib/outside.ts";
import { byId, expect } from "../lib/elements.ts";
import type { Store } from "../state/store.ts";
import { focusInside } from "../workbench/regions.ts";
import { pasted } from "../workbench/run_code.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { Destinations } from "./omnibar.ts";

export function destinations(
  store: Store,
  actions: Actions,
  workbench: Workbench,
  entered: EnteredAddress,
  {
    openPath,
    searchFiles,
    showCall,
    showTool,
    typePython,
  }: Pick<Destinations, "openPath" | "searchFiles" | "showCall" | "showTool" | "typePython">,
): Destinations {
  const openPanel = (id: string) => workbench.open(id, { focus: true });
  return {
    openPanel,
    openPath,
    searchFiles,
    showSetting(id) {
      openPanel("settings");
      const shown = byId(id, HTMLElement);
      const section = expect(shown.closest("section"), HTMLElement);
      section.querySelector("h3")?.scrollIntoView({ block: "start" });
      if (shown instanceof HTMLButtonElement) shown.focus();
      else focusInside(section);
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
      const terminal = idle.includes(id) ? id : (idle.at(-1) ?? (await newTerminal(actions)));
      if (typeof terminal !== "string") return terminal;
      const answer = await actions.typeInTerminal({ terminal_id: terminal, text: pasted(command) });
      await actions.focusTerminal({ terminal_id: terminal });
      workbench.open(terminal, { focus: true });
      return answer;
    },
  };
}

async function newTerminal(actions: Actions) {
  const answer = await actions.newTerminal();
  return isFailure(answer) ? answer : answer.terminal_id;
}
