/** A request of git over a CORS proxy, which the user has entered: `{url, method, bytes, origin, access, proxy}`. */

import { html } from "lit";
import { bytes } from "../../lib/format.ts";
import { block, factList, name, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

export const gitProxy: Kind = {
  name: "Git through a proxy",
  answers: ["once", "run", "always"],
  subject: ({ origin, access, proxy }) =>
    `${access === "read" ? "read from" : "send to"} git repositories of ${origin} through ${proxy}`,
  question: ({ url, method, bytes: size, origin, proxy }, before) => html`
    <p>git wants to reach <b>${name(origin)}</b> through the proxy <b>${name(proxy)}</b>.</p>
    <p class="muted">The proxy sees all of this traffic, and could change it. It gets no credentials.</p>
    ${factList([["Method", method], size > 0 ? ["Data sent", bytes(size)] : null, sizeRow(url)])}
    ${block(url, before?.url)}`,
};
