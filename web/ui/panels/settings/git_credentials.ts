/** The git servers that the companion has credentials for. It never returns a password. */

import { html, nothing } from "lit";
import type { GitCredentials } from "../../companion/types.ts";
import { shown } from "../../consent/text.ts";
import type { Failure } from "../../state/types.ts";
import type { Attempts } from "./attempts.ts";

const DELETE = "git-credentials";

export function gitCredentialsView(
  { keyring, credentials }: GitCredentials,
  attempts: Attempts,
  remove: (origin: string) => Promise<{ deleted: boolean } | Failure>,
) {
  const press = (origin: string) =>
    attempts.follow(DELETE, "Deleting…", remove(origin), ({ deleted }) =>
      deleted ? `Deleted. You are asked again at the next sign-in to ${origin}.` : "There were none.",
    );
  return html`
    <p class="muted">When a git server asks for a password, you enter it in a dialog. The companion sends it to that server
      only, and pages and Python can't read it. ${
        keyring === null
          ? "This computer has no keyring, so it is stored only until the companion ends."
          : `It is saved only if you choose so, in the keyring of this computer (${keyring}).`
      }</p>
    ${
      credentials.length === 0
        ? nothing
        : html`<ul class="rows" id="git-credentials" aria-labelledby="git-credentials-title">${credentials.map(
            ({ origin, user, stored }) => html`<li>
        <span><b>${shown(origin)}</b> as ${shown(user)} ${stored === "memory" ? html`<span class="chip">until the companion ends</span>` : nothing}</span>
        ${attempts.button("Delete", () => press(origin), { of: DELETE, name: `Delete the credentials for ${origin}` })}</li>`,
          )}</ul>`
    }
    ${attempts.outcome(DELETE)}`;
}
