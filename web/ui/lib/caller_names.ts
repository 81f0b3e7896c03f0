/** The names of callers, as users read them. */

const NAMES: Record<string, string> = {
  person: "You",
  webmcp: "Browser’s agent",
  mcp: "MCP client",
  agent: "Agent",
  script: "Script",
  console: "Python console",
  hook: "Program of git",
};

/** @param caller - as in the log of calls: `person`, or a kind and a name, such as `agent:helper` */
export function callerName(caller: string): string {
  const [kind, name = ""] = caller.split(/:(.*)/s);
  if (!Object.hasOwn(NAMES, kind)) return caller;
  // The agent without a file has the kind's name.
  return name === "" || name === kind ? NAMES[kind] : `${NAMES[kind]} ${name}`;
}

/** Return a caller's name inside a sentence. */
export function callerInSentence(caller: string): string {
  const [kind, name = ""] = caller.split(/:(.*)/s);
  if (kind === "person") return "you";
  if (kind === "webmcp") return "an agent in your browser";
  if (kind === "mcp") return `the MCP client ${name}`.trimEnd();
  if (kind === "agent") return name === kind ? "the agent" : `the agent ${name}`.trimEnd();
  return caller;
}
