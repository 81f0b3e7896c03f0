/** Texts for kinds of changes and for callers. */

export const CHANGES: Record<string, string> = {
  created: "created",
  changed: "changed",
  deleted: "deleted",
  moved: "moved",
  permissions: "permissions changed",
};

/** @param caller - as in the log of calls */
export function callerLabel(caller: string) {
  const [kind, name = ""] = caller.split(/:(.*)/s);
  if (kind === "person") return "you";
  if (kind === "webmcp") return "the browser's agent";
  if (kind === "mcp") return `the MCP client ${name}`;
  if (kind === "agent") return `the agent ${name}`;
  return caller;
}

export function nameOf(path: string) {
  return path.slice(path.lastIndexOf("/") + 1);
}
