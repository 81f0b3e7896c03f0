/**
 * A call of a tool of one of the user's MCP servers: `{server, place, tool, title, version, arguments, claims, before, now}`,
 * or reading a resource: `{server, place, version, uri}`. `version` is of all that the server says about the tool, so an
 * answer ends when that changes; `before` and `now` show the change. `claims` are the server's.
 */

import { html, nothing } from "lit";
import { block, factList, name, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

const CLAIMS: Record<string, string> = {
  readOnlyHint: "only reads",
  destructiveHint: "can destroy",
  idempotentHint: "does no more when repeated",
  openWorldHint: "reaches others",
};

export const mcpTool: Kind = {
  name: "Tools of MCP servers",
  answers: ["once", "run", "always"],
  subject: ({ server, tool, version }) =>
    tool === undefined ? `read resources of ${server} (${version})` : `call ${tool} of ${server} (version ${version})`,
  question: (facts, before) => (facts.tool === undefined ? resource(facts, before) : call(facts, before)),
};

type Facts = Parameters<Kind["question"]>[0];

function resource({ server, place, uri }: Facts, before?: Facts) {
  return html`
    <p>Python wants to read a resource of the MCP server <b>${name(server)}</b>:</p>
    ${block(uri, before?.uri)}
    ${factList([["Server", place]])}`;
}

function call({ server, place, tool, title, arguments: given, claims, before: earlier, now }: Facts, before?: Facts) {
  const claimed = Object.entries(claims ?? {})
    .filter(([claim, holds]) => holds === true && claim in CLAIMS)
    .map(([claim]) => CLAIMS[claim]);
  return html`
    <p>Python wants to call <b>${name(tool)}</b> of the MCP server <b>${name(server)}</b> with:</p>
    ${block(given, before?.arguments)}
    ${factList([
      ["Server", place],
      title ? ["It calls the tool", title] : null,
      claimed.length > 0 ? ["It claims that the tool", claimed.join(", ")] : null,
      sizeRow(given),
    ])}
    ${
      earlier === undefined
        ? nothing
        : html`<p><strong>The server describes this tool in another way than when you allowed it.</strong> It says now,
      with the change marked:</p>${block(now, earlier)}<p>It said before:</p>${block(earlier, now)}`
    }`;
}
