/**
 * Calendars and contacts on the user's own server: `{server, user, access, collection, text}`. `text` is all that
 * would be written.
 */

import { html } from "lit";
import { block, factList, name, shown, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

export const dav: Kind = {
  name: "Your calendar server",
  answers: ["once", "run"],
  subject: ({ server, user, access }) =>
    `${access === "read" ? "read" : "change"} calendars and contacts of ${user} at ${server}`,
  question: ({ server, user, access, collection, text }, before) => html`
    <p>${access === "read" ? "Python wants to read your calendars and contacts at " : "Python wants to change what you have at "}<b>${name(server)}</b>.</p>
    ${access === "read" ? html`<p class="muted">Agents and the language model can then read them. Your password stays in the companion.</p>` : null}
    ${factList([["User", shown(user)], collection ? ["Calendar or contacts", shown(collection)] : null, sizeRow(text)])}
    ${text ? block(text, before?.text) : null}`,
  repeats: ({ server, user, access }) => (access === "read" ? `${user} ${server}` : null),
};
