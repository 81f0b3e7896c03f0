/**
 * What the companion lets this page have of the computer, and what the person granted for this session.
 *
 * @import { HostAccess } from "../companion/types.js"
 * @import { Failure } from "../types.js"
 * @import { Attempts } from "./attempts.js"
 */

import { html, nothing } from "lit";
import { counted } from "../format.js";

const REVOKE = "host";

/** @param {HostAccess} host @param {Attempts} attempts @param {() => Promise<object | Failure>} revoke */
export function hostView({ allowed, directories, session, terminals }, attempts, revoke) {
  if (!allowed) {
    return html`<p class="muted">The companion was started without it: no page can run anything on this computer. To allow
      it, start the companion with <code>--allow-host FOLDER</code>; each command of an agent is shown to you first.</p>`;
  }
  const press = () => attempts.follow(REVOKE, "Revoking…", revoke(), () => "Revoked: you are asked again.");
  return html`
    <p>Whoever started the companion allows terminals of this computer, which start in:</p>
    <ul class="folders">${directories.map((each) => html`<li><code>${each}</code></li>`)}</ul>
    <p>${terminals === 0 ? "None is open now." : `${counted(terminals, "terminal")} of this computer open in this page.`}</p>
    ${session ? html`<div class="line"><span>You let this page run commands until it is closed or loaded anew.</span>
      ${attempts.button("Revoke", press, { of: REVOKE, name: "Revoke what this page may run on this computer" })}</div>
      ${terminals === 0 ? nothing : html`<p class="muted">What runs in terminals goes on when you revoke; close them to end
        it.</p>`}` : html`<p class="muted">Nothing is granted for this session: you are asked about each command of an
        agent, and once for terminals of your own (“New terminal of this computer” in the search bar).</p>`}
    ${attempts.outcome(REVOKE)}`;
}
