/** Calling a tool of a page that the page itself marks as one with consequences: `{origin, tool, arguments}`. */

import { html } from "lit";
import { factList, name, prose, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

export const pageTool: Kind = {
  name: "Tools of pages",
  answers: ["once", "run"],
  subject: ({ origin, tool }) => `call ${tool} of ${origin}`,
  question: ({ origin, tool, arguments: given }) => html`
    <p>Python wants to call the tool <b>${name(tool)}</b> of a page of <b>${name(origin)}</b>.</p>
    <p class="muted">The page says that this has consequences, such as an order. The tool is the page's own. It gets:</p>
    ${factList([sizeRow(given)])}
    ${prose(given)}`,
};
