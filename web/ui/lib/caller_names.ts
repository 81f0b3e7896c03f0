/** The callers of tools, as people call them. */

/** The agent of a run without a file. */
const PLAIN = "agent:agent";

/** @param caller - as in the log of calls, such as `agent:coder`, `mcp:Claude`, `webmcp` or `person` */
export function callerName(caller: string) {
  if (caller === PLAIN) return "Agent";
  const [kind, name = ""] = caller.split(/:(.*)/s);
  if (kind === "person") return "You";
  if (kind === "webmcp") return "Browser’s agent";
  return kind === "agent" || kind === "mcp" ? name : caller;
}

/** Return the caller as a part of a sentence. */
export function callerLabel(caller: string) {
  const [kind, name = ""] = caller.split(/:(.*)/s);
  if (kind === "person") return "you";
  if (kind === "webmcp") return "the browser’s agent";
  if (kind === "mcp") return `the MCP client ${name}`;
  if (caller === PLAIN) return "the agent";
  return kind === "agent" ? `the agent ${name}` : caller;
}
