/**
 * Reaching an origin at a private address: `{origin, addresses, here, url, method, bytes, access}`. `here`: the address is of
 * this computer. The companion saves the answer, for these addresses alone (py/gemini_companion/network/private_origins.py).
 */

import { html } from "lit";
import { bytes } from "../../lib/format.ts";
import { block, factList, name, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

export const privateOrigin: Kind = {
  name: "Private addresses",
  savedByOwner: true,
  // An origin that is allowed is no permission to read or send there.
  outlastsText: true,
  answers: ["always"],
  labels: { always: "Allow this origin" },
  subject: ({ origin, addresses }) => `reach ${origin} at ${addresses.join(", ")}`,
  question: ({ origin, addresses, here, url, method, bytes: size }, before) => html`
    <p>${
      here
        ? "A request leads to a program on this computer: "
        : "A request leads into your private network, which the internet doesn’t reach: "
    }<b>${name(origin)}</b>.</p>
    <p class="muted">Programs there may trust every caller. Allow it only if you know this address, such as your
      company’s Git server. What is read or sent there is
      still asked about.</p>
    ${factList([["Address", addresses.join(", ")], ["Method", method], size > 0 ? ["Data sent", bytes(size)] : null, sizeRow(url)])}
    ${block(url, before?.url)}`,
};
