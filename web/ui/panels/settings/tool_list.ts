/** The choice of the tools that agents in the browser see, in the settings. */

import { html, render } from "lit";
import type { Bridge, Choice, Registered } from "../../../../webmcp_bridge.js";
import { byId } from "../../lib/elements.ts";
import { counted } from "../../lib/format.ts";
import type { Store } from "../../state/store.ts";
import { CHOICES, saveChoice } from "./tool_choice.ts";

/** Show the choice. */
export function showToolList(store: Store, bridge: Bridge) {
  const place = byId("settings-webmcp-choices", HTMLElement);
  const choose = (choice: Choice) => {
    saveChoice(choice);
    void bridge.choose(choice);
  };
  render(
    CHOICES.map(
      ({ value, label }) => html`<label><input type="radio" name="webmcp-tools" value=${value}
    .checked=${value === bridge.choice} @change=${() => choose(value)}> ${label}</label>`,
    ),
    place,
  );
  byId("settings-webmcp", HTMLElement).hidden = false;
  store.follow(["registered"], ({ registered }) => {
    byId("settings-webmcp-count", HTMLElement).textContent = registered && summary(registered, bridge.choice);
  });
}

function summary({ count, total, reason }: Registered, choice: Choice) {
  const seen =
    count === total ? `Agents see ${counted(count, "tool")}.` : `Agents see ${count} of ${counted(total, "tool")}.`;
  if (reason === "few") return `${seen} This browser doesn't list tools, and such clients may take only some thirty.`;
  if (reason === "limit") return `${seen} The browser refused more.`;
  return choice === "all" && count < total ? `${seen} The browser refused the others.` : seen;
}
