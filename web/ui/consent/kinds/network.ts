/** A request over the network: `{url, method, bytes, origin, access}`. */

import { html, nothing } from "lit";
import { bytes } from "../../lib/format.ts";
import { block, factList, name, sizeRow } from "../text.ts";
import { INDEX, isOfIndex } from "../package_index.ts";
import type { Facts, Kind } from "./kind.ts";

export const network: Kind = {
  name: "Network",
  answers: ["once", "run", "always"],
  subject: (facts) => (facts.access === "read" ? `read from ${placeOf(facts)}` : `send to ${facts.origin}`),
  question: ({ url, method, bytes: size, origin, access }, before) => html`
    <p>${access === "read" ? "Python wants to read from " : "Python wants to send data to "}<b>${name(access === "read" ? placeOf({ url, origin }) : origin)}</b>.</p>
    ${access === "read" ? html`<p class="muted">${name(new URL(origin).host)} receives this address, with any data in it.</p>` : nothing}
    ${factList([["Method", method], size > 0 ? ["Data sent", bytes(size)] : null, sizeRow(url)])}
    ${block(url, before?.url)}`,
  repeats: ({ url, method, access }) => (access === "read" ? `${method} ${url}` : null),
};

// Hosts that only work together are asked for together.
function placeOf({ url, origin }: Facts) {
  return isOfIndex(String(url)) ? INDEX : origin;
}
