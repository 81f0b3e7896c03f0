/**
 * A request over the network: `{url, method, bytes, origin, access, secrets?}`. Secrets are `{name, place}`, of the user's
 * own names; the address has placeholders for them.
 */

import { html, nothing } from "lit";
import { bytes } from "../../lib/format.ts";
import { block, factList, name, sizeRow } from "../text.ts";
import { INDEX, INDEX_NAME, isOfIndex } from "../package_index.ts";
import type { Facts, Kind } from "./kind.ts";

export const network: Kind = {
  name: "Network",
  answers: ["once", "run", "always"],
  // An answer for data is none for a secret.
  subject: (facts) => subjectOf(facts, INDEX),
  // The question lists the index's hosts.
  scope: (facts) => subjectOf(facts, INDEX_NAME),
  question: ({ url, method, bytes: size, origin, access, secrets }, before) => html`
    <p>${access === "read" ? "Python wants to read from " : "Python wants to send data to "}<b>${name(access === "read" ? placeOf({ url, origin }, INDEX) : origin)}</b>.</p>
    ${access === "read" ? html`<p class="muted">${name(new URL(origin).host)} receives this address, with any data in it.</p>` : nothing}
    ${secrets ? html`<p>The companion adds <b>${name(namesOf(secrets))}</b>. Python doesn’t get the value, but ${name(new URL(origin).host)} does.</p>` : nothing}
    ${factList([secrets ? ["Secrets", placesOf(secrets)] : null, ["Method", method], size > 0 ? ["Data sent", bytes(size)] : null, sizeRow(url)])}
    ${block(url, before?.url)}`,
  repeats: ({ url, method, access }) => (access === "read" ? `${method} ${url}` : null),
};

const WHERE: Record<string, string> = {
  header: "in a header",
  query: "in the address",
  body: "in the data",
  git: "as git’s login",
};

type Use = { name: string; place: string };

const namesOf = (uses: Use[]) => `the secret ${[...new Set(uses.map((use) => use.name))].join(", ")}`;

const placesOf = (uses: Use[]) => uses.map((use) => `${use.name} ${WHERE[use.place]}`).join(", ");

function subjectOf(facts: Facts, index: string) {
  return facts.access === "read"
    ? `read from ${placeOf(facts, index)}`
    : `send ${facts.secrets ? `${namesOf(facts.secrets)} ` : ""}to ${facts.origin}`;
}

// Hosts that only work together are asked for together.
function placeOf({ url, origin }: Facts, index: string) {
  return isOfIndex(String(url)) ? index : origin;
}
