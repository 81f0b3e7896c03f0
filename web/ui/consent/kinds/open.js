/**
 * Another origin in a tab: `{url, origin}`.
 *
 * @import { Kind } from "./kind.js"
 */

import { html } from "lit";
import { block, name } from "../text.js";

/** @type {Kind} */
export const open = {
  name: "Open pages",
  answers: ["once", "run", "always"],
  subject: ({ origin }) => `open pages of ${origin}`,
  question: ({ url, origin }) => html`
    <p>A page of <b>${name(origin)}</b> is to be opened in a tab.</p>
    ${block(url)}
    <p class="muted">The address itself reaches the other computer, with all that is in it.</p>`,
  repeats: ({ url }) => url,
};
