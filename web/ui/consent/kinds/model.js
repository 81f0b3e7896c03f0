/**
 * A language model that may cost money: `{model, provider, ceiling: {dollars?, tokens, requests}}`.
 *
 * @import { Kind } from "./kind.js"
 */

import { html } from "lit";
import { counted } from "../../format.js";
import { factList, name } from "../text.js";

/** @param {number} dollars */
const money = (dollars) => `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;

/** @type {Kind} */
export const model = {
  name: "Language models",
  savedByOwner: true,
  answers: ["once", "run", "always"],
  subject: ({ model: asked, provider }) => `ask ${asked} of ${provider}`,
  question: ({ model: asked, provider, ceiling = {} }) => html`
    <p>Python wants to use the language model <b>${name(asked)}</b> of ${name(provider)}.</p>
    ${factList([
      ["Maximum cost", typeof ceiling.dollars === "number" ? money(ceiling.dollars) : "unknown: this model has no listed price"],
      ["Maximum tokens", Number(ceiling.tokens ?? 0).toLocaleString()],
      ["Maximum requests", counted(Number(ceiling.requests ?? 0), "request")],
    ])}`,
};
