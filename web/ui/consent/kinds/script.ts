/** Running JavaScript in a document with the user's access: `{origin, code}`. Asked each time. */

import { html } from "lit";
import { block, factList, name, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

export const script: Kind = {
  name: "JavaScript",
  answers: ["once"],
  subject: ({ origin }) => `run JavaScript at ${origin}`,
  question: ({ origin, code }, before) => html`
    <p>Python wants to run JavaScript in a page of <b>${name(origin)}</b>. It can read and do whatever you can there.${
      origin === location.origin
        ? " It has the same origin as this surface, so the code could also change what you have allowed."
        : ""
    }</p>
    ${factList([sizeRow(code)])}
    ${block(code, before?.code)}`,
};
