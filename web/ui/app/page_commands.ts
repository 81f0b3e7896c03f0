/** The commands of the page as a whole. */

import { controlAlt } from "../lib/chords.ts";
import { commands, MOD } from "../lib/commands.ts";
import { byId } from "../lib/elements.ts";
import type { Omnibar } from "../omnibar/omnibar.ts";
import type { Store } from "../state/store.ts";
import type { Terminals } from "../panels/terminals/terminals.ts";
import { setTheme, THEMES } from "../lib/theme.ts";
import { press } from "../lib/trusted.ts";
import type { Workbench } from "../workbench/workbench.ts";

interface Page {
  workbench: Workbench;
  terminals: Terminals;
  omnibar: Omnibar;
  store: Store;
  /** opens the dialog that connects a language model */
  setUpModel: () => void;
  /** opens the dialog that connects an MCP client */
  connectClient: () => void;
  /** replaces the kernel */
  restart: () => void;
}

export function addPageCommands({ workbench, terminals, omnibar, store, setUpModel, connectClient, restart }: Page) {
  for (const { id, title } of workbench.sections) {
    commands.add({
      id: `open-${id}`,
      kind: "panel",
      title: `Open ${title}`,
      keywords: "panel show go to",
      run: () => workbench.open(id, { focus: true }),
    });
  }
  commands.add(
    {
      id: "search",
      title: "Search everything",
      shortcut: `${MOD}+K ${MOD}+P F1`,
      available: () => false,
      run: () => omnibar.enter(),
    },
    {
      id: "agent-task",
      title: "Give an agent a task",
      keywords: "start model ask",
      starter: 1,
      run: () => omnibar.enter("agent"),
    },
    {
      id: "new-terminal",
      title: "New terminal",
      keywords: "shell bash command line",
      starter: 3,
      run: () => terminals.create(),
    },
    {
      id: "open-address",
      title: "Open an address",
      keywords: "url website browse page",
      run: () => omnibar.enter("address"),
    },
    {
      id: "set-up-model",
      title: "Connect a language model",
      keywords: "set up llm key ollama lm studio openai anthropic gemini google",
      starter: 4,
      shortcut: controlAlt("M"),
      run: setUpModel,
    },
    {
      id: "connect-client",
      title: "Connect Claude or another MCP client",
      keywords: "cursor vscode desktop code companion",
      starter: 5,
      run: connectClient,
    },
    {
      id: "new-host-terminal",
      title: "New terminal on this computer",
      keywords: "host shell open create companion",
      available: () => store.state.companion.host?.allowed ?? false,
      run: () => terminals.createOwn(),
    },
    {
      id: "new-linux-terminal",
      title: "New Linux terminal",
      keywords: "shell open create vm machine virtual debian",
      available: () => "linux" in document.documentElement.dataset,
      run: () => terminals.create("linux"),
    },
    {
      id: "reset-layout",
      title: "Reset layout",
      keywords: "panels places arrange usual",
      run: () => workbench.reset(),
    },
    {
      id: "export",
      title: "Export everything",
      keywords: "backup save download",
      available: () => !byId("export", HTMLButtonElement).disabled,
      run: () => press(byId("export", HTMLButtonElement)),
    },
    {
      id: "erase",
      title: "Erase everything…",
      keywords: "delete reset clear",
      available: () => !byId("reset-all", HTMLButtonElement).disabled,
      run: () => press(byId("reset-all", HTMLButtonElement)),
    },
    {
      id: "restart-python",
      title: "Restart Python",
      keywords: "kernel memory",
      available: () => store.state.kernel === "ready",
      run: restart,
    },
    ...THEMES.map(({ value, label }) => ({
      id: `theme-${value}`,
      title: `Theme: ${label.toLowerCase()}`,
      keywords: "colors colours appearance toggle accessibility",
      run: () => setTheme(value),
    })),
  );
}
