/**
 * Signing in to a git server: `{origin, repository, access, rejected, keyring}`. The user's input goes to the
 * companion, which sends it to that origin alone (py/gemini_companion/network/sign_in.py).
 */

import { expect } from "../../lib/elements.ts";
import { html, nothing } from "lit";
import { block, name } from "../text.ts";
import type { Entered, Kind } from "./kind.ts";

// Also in py/gemini_companion/pages/consent.py.
const LONGEST = 1024;

export const signIn: Kind = {
  name: "Git sign-in",
  savedByOwner: true,
  answers: ["once"],
  labels: { once: "Sign in" },
  subject: ({ origin }) => `sign in to ${origin}`,
  question: ({ origin, repository, access, rejected, keyring }, before) => html`
    <p>The git server <b>${name(origin)}</b> asks for a user name and a password or token, to ${
      access === "send" ? "push to" : "read"
    } this repository:</p>
    ${block(repository, before?.repository)}
    ${rejected ? html`<p role="status"><strong>The server refused the last ones.</strong></p>` : nothing}
    <div class="fields">
      <label>User name <input id="sign-in-user" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength=${LONGEST}></label>
      <label>Password or token <input id="sign-in-password" type="password" autocomplete="off" maxlength=${LONGEST}></label>
      <label><input id="sign-in-keep" type="checkbox"> ${
        keyring === null
          ? "Remember until the companion ends (this computer has no keyring)"
          : `Save in the keyring of this computer (${keyring})`
      }</label>
    </div>
    <p class="muted">The companion sends them to ${name(origin)} only. Python doesn't see them. For GitHub and most other
      hosts, use a token with access to only what is needed.</p>`,
  enter,
};

function enter(question: Element): Entered | string {
  const [user, password, keep] = ["user", "password", "keep"].map((field) =>
    expect(question.querySelector(`#sign-in-${field}`), HTMLInputElement),
  );
  const entered = { user: user.value.trim(), password: password.value, keep: keep.checked };
  if (entered.user === "" || entered.password === "") return "Enter a user name, and a password or token.";
  return entered.user.includes(":") ? "A user name has no colon." : entered;
}
