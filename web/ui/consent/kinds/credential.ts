/**
 * Using saved credentials at a git server: `{origin, repository, access, user}`. The companion has them, and adds them
 * to git's requests (py/gemini_companion/network/sign_in.py).
 */

import { html } from "lit";
import { block, factList, name, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

export const credential: Kind = {
  name: "Git credentials",
  answers: ["once", "run", "always"],
  subject: ({ origin, access, user }) =>
    `${access === "send" ? "push to" : "read"} repositories of ${origin} as ${user}`,
  question: ({ origin, repository, access, user }, before) => html`
    <p>Python wants to ${access === "send" ? "push to" : "read"} a repository as <b>${name(user)}</b> of <b>${name(origin)}</b>.</p>
    <p class="muted">The companion sends your saved password or token to ${name(origin)}. Python doesn't see it.</p>
    ${factList([sizeRow(repository)])}
    ${block(repository, before?.repository)}`,
};
