/** Opening another origin in a tab: `{url, origin}`. */

import { html } from "lit";
import { block, factList, name, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

export const open: Kind = {
  name: "Open pages",
  answers: ["once", "run", "always"],
  subject: ({ origin }) => `open pages of ${origin}`,
  question: ({ url, origin }, before) => html`
    <p>Python wants to open a page of <b>${name(origin)}</b> in a tab.</p>
    <p class="muted">${name(new URL(origin).host)} receives this address, with any data in it.</p>
    ${factList([sizeRow(url)])}
    ${block(url, before?.url)}`,
  repeats: ({ url }) => url,
};
