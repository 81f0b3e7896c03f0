/** The choice of the tools that agents in the browser see (WebMCP). The page saves it, because it registers tools before Python starts. */

import { html, render } from "lit";
import type { Bridge, Choice, Registered } from "../../../../webmcp_bridge.js";
import { byId } from "../../lib/elements.ts";
import { counted } from "../../lib/format.ts";
import { loadSaved, save } from "../../../shared/local_state.ts";
import { whenChanged, type Store } from "../../state/store.ts";

const SAVED = "webmcp.tools";

const CHOICES: { value: Choice; label: string }[] = [
  { value: "automatic", label: "Automatic" },
  { value: "all", label: "All" },
  { value: "lean", label: "Short list" },
  { value: "code", label: "Code" },
];

export function chosenTools(): Choice {
  const saved = loadSaved(SAVED, "automatic");
  return CHOICES.find(({ value }) => value === saved)?.value ?? "automatic";
}

/** Show the choice in the settings. */
export function showToolList(store: Store, bridge: Bridge) {
  const place = byId("settings-webmcp-choices", HTMLElement);
  const choose = (choice: Choice) => {
    save(SAVED, choice === "automatic" ? undefined : choice);
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
  store.subscribe(
    whenChanged(
      ({ registered }) => [registered],
      ({ registered }) => {
        byId("settings-webmcp-count", HTMLElement).textContent = registered && summary(registered, bridge.choice);
      },
    ),
  );
}

function summary({ count, total, reason }: Registered, choice: Choice) {
  const seen =
    count === total ? `Agents see ${counted(count, "tool")}.` : `Agents see ${count} of ${counted(total, "tool")}.`;
  if (reason === "few") return `${seen} This browser doesn't list tools, and such clients may take only some thirty.`;
  if (reason === "limit") return `${seen} The browser refused more.`;
  return choice === "all" && count < total ? `${seen} The browser refused the others.` : seen;
}
