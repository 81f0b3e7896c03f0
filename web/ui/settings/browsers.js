/**
 * The browsers that the companion lets in without a code.
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
    `${counted(forgotten, "browser")} forgotten. A page that is open stays connected until it is closed.`);
  return html`
    <h4 id="browsers-title">Browsers</h4>
    <p class="muted">A browser that was let in once comes back by itself for 30 days, after a restart of the companion, too.
      Another one needs the address that <code>control-surface url</code> prints.</p>
    ${others.length === 0 ? html`<p id="no-browsers">No browser but this one is known.</p>` : html`
      <p id="known-browsers">Besides this one ${counted(others.length, "browser")}, the last seen ${when(others[0].seen)}.</p>`}
    ${others.length === 0 ? nothing : attempts.button("Forget the other browsers", press, { of: FORGET })}
    ${attempts.outcome(FORGET)}`;
}
