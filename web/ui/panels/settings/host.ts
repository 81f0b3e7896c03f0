/** The page's access to this computer through the companion, and the permissions of agents. */

import { html, nothing } from "lit";
import type { HostAccess, HostGrant } from "../../companion/types.ts";
import { clock, counted } from "../../lib/format.ts";
import type { Failure } from "../../state/types.ts";
import type { Attempts } from "./attempts.ts";

const REVOKE = "host";
const GRANTED: Record<HostGrant["action"], string> = {
  open: "open shells",
  run: "run commands",
  type: "type into running programs",
};

/** @param revoke - one grant, or all */
export function hostView(
  { allowed, directories, grants, terminals }: HostAccess,
  attempts: Attempts,
  revoke: (grant?: number) => Promise<object | Failure>,
) {
  if (!allowed) {
    return html`<p class="muted">No page can run anything on this computer. To allow it, start the companion with
      <code>--allow-host FOLDER</code>; each command of an agent is then shown to you first.</p>`;
  }
  const press = (grant: number | undefined) =>
    attempts.follow(REVOKE, "Revoking…", revoke(grant), () => "Revoked. You are asked again next time.");
  return html`
    <p>The companion allows terminals on this computer, which start in:</p>
    <ul class="folders">${directories.map((each) => html`<li><code>${each}</code></li>`)}</ul>
    <p>${terminals === 0 ? "None is open." : `${counted(terminals, "terminal")} on this computer open in this page.`}</p>
    ${
      grants.length === 0
        ? html`<p class="muted">No permissions: you are asked about each command of an agent. Your own
        terminals (“New terminal on this computer” in the search bar) accept only your keys.</p>`
        : html`
      <ul class="rows" id="host-grants" aria-label="What agents may do on this computer">${grants.map(
        (grant) => html`<li>
        <span>${granted(grant)} until <time datetime=${grant.until}>${clock(grant.until)}</time></span>
        ${attempts.button("Revoke", () => press(grant.id), { of: REVOKE, name: `Revoke: ${granted(grant)}` })}</li>`,
      )}</ul>
      <div class="buttons">${attempts.button("Revoke all", () => press(undefined), { of: REVOKE, name: "Revoke all on this computer" })}</div>
      ${
        terminals === 0
          ? nothing
          : html`<p class="muted">Running commands continue when you revoke. Close the terminals to
        end them.</p>`
      }`
    }
    ${attempts.outcome(REVOKE)}`;
}

function granted({ action, program, directory }: HostGrant) {
  return program === null ? `Agents may ${GRANTED[action]}` : `Agents may run ${program} in ${directory}`;
}
