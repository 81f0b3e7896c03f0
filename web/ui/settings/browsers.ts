/**
 * The browsers that the companion admits without a code.
 *
 * @import { KnownBrowsers } from "../companion/types.js"
 * @import { Failure } from "../types.js"
 * @import { Attempts } from "./attempts.js"
 */

import { html, nothing } from "lit";
import { counted, when } from "../format.js";

const FORGET = "browsers";

/** @param {KnownBrowsers} browsers @param {Attempts} attempts @param {() => Promise<{forgotten: number} | Failure>} forget */
export function browsersView({ known, here }, attempts, forget) {
  const others = known.filter(({ id }) => id !== here);
  const press = () => attempts.follow(FORGET, "Forgetting…", forget(), ({ forgotten }) =>
    `${counted(forgotten, "browser")} forgotten. Open pages stay connected until they are closed.`);
  return html`
    <h4 id="browsers-title">Browsers</h4>
    <p class="muted">An admitted browser can reconnect for 30 days, also after the companion restarts. Other browsers need
      the address that <code>control-surface url</code> prints.</p>
    ${others.length === 0 ? html`<p id="no-browsers">No other browser is known.</p>` : html`
      <p id="known-browsers">${counted(others.length, "other browser")} known, last seen ${when(others[0].seen)}.</p>`}
    ${others.length === 0 ? nothing : attempts.button("Forget other browsers", press, { of: FORGET })}
    ${attempts.outcome(FORGET)}`;
}
