/** Storing a file that a page in a tab has downloaded from another origin: `{url, origin}`. */

import { html } from "lit";
import { block, factList, name, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

export const download: Kind = {
  name: "Download files",
  answers: ["once", "run", "always"],
  subject: ({ origin }) => `download files of ${origin}`,
  question: ({ url, origin }, before) => html`
    <p>A page in a tab has downloaded a file of <b>${name(origin)}</b>. If you allow it, the file is stored in /project/downloads.</p>
    <p class="muted">Python and agents can then read it. If you are signed in there, it may be private.</p>
    ${factList([sizeRow(url)])}
    ${block(url, before?.url)}`,
};
