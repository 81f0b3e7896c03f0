/** Typing into a field for a password, a code or a payment: `{origin, url, field}`. */

import { html } from "lit";
import { factList, name } from "../text.ts";
import type { Kind } from "./kind.ts";

export const secret: Kind = {
  name: "Secrets",
  answers: ["once", "run", "always"],
  subject: ({ origin }) => `type passwords, codes or payment data at ${origin}`,
  question: ({ origin, url, field }) => html`
    <p>Python wants to type into a field for a password, a code or a payment at <b>${name(origin)}</b>. The text isn't shown here.</p>
    ${factList([
      ["Page", url],
      ["Field, as described by the page", field],
    ])}`,
};
