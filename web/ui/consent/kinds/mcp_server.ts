/**
 * Starting one of the user's MCP servers: `{server, transport, place, directory, values, changed}`. `place` is the whole command
 * line, or the address; `values` are the names of its variables or headers. The companion saves the answer, for exactly
 * this (py/gemini_companion/mcp_servers/servers.py).
 */

import { html, nothing } from "lit";
import { block, factList, name, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

export const mcpServer: Kind = {
  name: "MCP servers",
  savedByOwner: true,
  // What a server offers is asked about for each tool.
  outlastsText: true,
  answers: ["always"],
  labels: { always: "Start this server" },
  reach: { always: "until its command line, variables or address change" },
  subject: ({ server, transport }) =>
    transport === "stdio" ? `start the MCP server ${server} on this computer` : `connect to the MCP server ${server}`,
  question: ({ server, transport, place, directory, values, changed }, before) => html`
    <p>${
      transport === "stdio"
        ? html`The MCP server <b>${name(server)}</b> is a program that runs on your computer, as you, with all that you can do:`
        : html`The companion connects to the MCP server <b>${name(server)}</b>:`
    }</p>
    ${block(place, before?.place)}
    ${changed ? html`<p><strong>It isn’t what you allowed earlier.</strong></p>` : nothing}
    ${factList([
      directory ? ["Directory", directory] : null,
      values.length > 0 ? [transport === "stdio" ? "Variables it gets" : "Headers it gets", values.join(", ")] : null,
      sizeRow(place),
    ])}
    <p class="muted">It starts whenever it is needed. You are asked about each of its tools.</p>`,
};
