/**
 * Opening another origin in a tab: `{url, origin, entered}`, the last if the person has entered this very address.
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
  question: ({ url, origin, entered }) => entered ? html`
    <p>Open <b>${name(origin)}</b>?</p>
    ${block(url)}
    <p class="muted">You entered this address. For others of this origin that you enter, this page won't ask again.</p>` : html`
    <p>Python wants to open a page of <b>${name(origin)}</b> in a tab.</p>
    ${block(url)}
    <p class="muted">The other computer receives the full address, including any data in it.</p>`,
  repeats: ({ url }) => url,
};
