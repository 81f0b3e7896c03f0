/** A request over the network: `{url, method, bytes, origin, access}`. */

import { html, nothing } from "lit";
import { bytes } from "../../format.ts";
import { block, factList, name, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

// Origins that only work together are asked for together.
const TOGETHER: { name: string; origins: string[] }[] = [
  { name: "Python's package index", origins: ["https://pypi.org", "https://files.pythonhosted.org"] },
];

export const network: Kind = {
  name: "Network",
  answers: ["once", "run", "always"],
  subject: ({ origin, access }) => (access === "read" ? `read from ${placeOf(origin)}` : `send to ${placeOf(origin)}`),
  question: ({ url, method, bytes: size, origin, access }, before) => html`
    <p>${access === "read" ? "Python wants to read from " : "Python wants to send data to "}<b>${name(placeOf(origin))}</b>.</p>
    ${access === "read" ? html`<p class="muted">The other computer receives the full address, including any data in it.</p>` : nothing}
    ${factList([["Method", method], size > 0 ? ["Data sent", bytes(size)] : null, sizeRow(url)])}
    ${block(url, before?.url)}`,
  repeats: ({ url, method, access }) => (access === "read" ? `${method} ${url}` : null),
};

function placeOf(origin: string) {
  const group = TOGETHER.find(({ origins }) => origins.includes(origin));
  return group ? `${group.name} (${group.origins.join(", ")})` : origin;
}
