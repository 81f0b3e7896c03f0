/** Texts for kinds of changes and for callers. */

/** @type {Record<string, string>} */
export const CHANGES = {
  created: "created", changed: "changed", deleted: "deleted", moved: "moved", permissions: "permissions changed",
};

/** @param {string} caller as in the log of calls */
export function callerLabel(caller) {
  const [kind, name = ""] = caller.split(/:(.*)/s);
  if (kind === "person") return "you";
  if (kind === "webmcp") return "the browser's agent";
  if (kind === "mcp") return `the MCP client ${name}`;
  if (kind === "agent") return `the agent ${name}`;
  return caller;
}

/** @param {string} path */
export function nameOf(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}
