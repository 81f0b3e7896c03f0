/**
 * A language model that may cost money: `{model, listed, provider, host, ceiling: {dollars?, tokens, requests}}`. Python
 * names the model; `listed` says whether the provider lists it, null if that can't be checked. A scheduled run adds
 * `day`, the ceiling of all scheduled runs in a day, and `used_up`. The companion saves the answer "always", up to that
 * ceiling (py/gemini_companion/models/allowances.py).
 */

import { html, nothing } from "lit";
import { counted } from "../../lib/format.ts";
import { factList, name } from "../text.ts";
import type { Kind } from "./kind.ts";

type Ceiling = { dollars?: number | null; tokens?: number; requests?: number };

const money = (dollars: number) => `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;

const tokens = (ceiling: Ceiling) => Number(ceiling.tokens ?? 0).toLocaleString();

const most = (day: Ceiling) => (typeof day.dollars === "number" ? money(day.dollars) : `${tokens(day)} tokens`);

export const model: Kind = {
  name: "Language models",
  savedByOwner: true,
  outlastsText: true,
  answers: ["once", "run", "always"],
  labels: { always: "Allow all scheduled runs" },
  // The name comes last: it ends no sentence of the page's.
  subject: ({ model: asked, provider, day }, answer) =>
    `ask a model of ${provider}${
      answer === "always" && day ? ` in what Python calls scheduled runs, up to ${most(day)} a day` : ""
    }: ${asked}`,
  question: ({ model: asked, listed = null, provider, host = "", ceiling = {}, day, used_up: usedUp }) => html`
    <p>Python wants to use a language model${day ? ", for what it calls a scheduled run" : ""}.</p>
    ${usedUp ? html`<p>Scheduled runs have used up what you allow them a day.</p>` : nothing}
    ${factList([
      ["Model", name(asked)],
      listed === true
        ? null
        : ["In the provider's list", listed === false ? "no" : "unknown: the list can't be read now"],
      ["Provider", host === "" ? name(provider) : html`${name(provider)} at ${name(host)}`],
      [
        "Maximum cost",
        typeof ceiling.dollars === "number" ? money(ceiling.dollars) : "unknown: this model has no listed price",
      ],
      ["Maximum tokens", tokens(ceiling)],
      ["Maximum requests", counted(Number(ceiling.requests ?? 0), "request")],
    ])}`,
};
