/** The choice of the tools that agents in the browser see (WebMCP). The page saves it, because it registers tools before Python starts. */

import { html, render } from "lit";
import { byId } from "../elements.js";
import { counted } from "../format.js";
import { loadSaved, save } from "../../shared/saved.js";
import { whenChanged } from "../store.js";

/**
 * @import { Bridge, Choice, Registered } from "../../../webmcp_bridge.js"
 * @import { Store } from "../store.js"
 */

const SAVED = "webmcp.tools";

/** @type {{value: Choice, label: string}[]} */
const CHOICES = [
  { value: "automatic", label: "Automatic" },
  { value: "all", label: "All" },
  { value: "lean", label: "Lean list" },
];

/** @returns {Choice} */
export function chosenTools() {
  const saved = loadSaved(SAVED, "automatic");
  return CHOICES.find(({ value }) => value === saved)?.value ?? "automatic";
}

/** Show the choice in the settings. @param {Store} store @param {Bridge} bridge */
export function showToolList(store, bridge) {
  const place = byId("settings-webmcp-choices", HTMLElement);
  const choose = (/** @type {Choice} */ choice) => {
    save(SAVED, choice === "automatic" ? undefined : choice);
    void bridge.choose(choice);
  };
  render(CHOICES.map(({ value, label }) => html`<label><input type="radio" name="webmcp-tools" value=${value}
    .checked=${value === bridge.choice} @change=${() => choose(value)}> ${label}</label>`), place);
  byId("settings-webmcp", HTMLElement).hidden = false;
  store.subscribe(whenChanged(({ registered }) => [registered], ({ registered }) => {
    byId("settings-webmcp-count", HTMLElement).textContent = registered && summary(registered, bridge.choice);
  }));
}

/** @param {Registered} registered @param {Choice} choice */
function summary({ count, total, reason }, choice) {
  const seen = count === total ? `Agents see ${counted(count, "tool")}.` : `Agents see ${count} of ${counted(total, "tool")}.`;
  if (reason === "few") return `${seen} This browser doesn't list tools, and such clients may take only some thirty.`;
  if (reason === "limit") return `${seen} The browser refused more.`;
  return choice === "all" && count < total ? `${seen} The browser refused the others.` : seen;
}
