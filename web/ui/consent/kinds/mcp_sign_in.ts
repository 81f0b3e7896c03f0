/**
 * Signing in to one of the user's MCP servers by OAuth: `{server, url, address}`. `address` is the page that the server names for
 * it, which the companion opens in the user's browser (py/gemini_companion/mcp_servers/sign_in.py).
 */

import { html } from "lit";
import { block, factList, name } from "../text.ts";
import type { Kind } from "./kind.ts";

export const mcpSignIn: Kind = {
  name: "Sign-in to MCP servers",
  savedByOwner: true,
  answers: ["once"],
  labels: { once: "Open the page" },
  subject: ({ server }) => `sign in to the MCP server ${server}`,
  question: ({ server, url, address }, before) => html`
    <p>The MCP server <b>${name(server)}</b> wants you to sign in. This page opens in your browser:</p>
    ${block(address, before?.address)}
    ${factList([["Server", url]])}
    <p class="muted">Look at the page’s address before you enter anything. The companion gets a token for this server
      only, and Python doesn’t see it.</p>`,
};
