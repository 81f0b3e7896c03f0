/** The methods of the page script (docs/page.md) that don't change the page. */
export const READING = new Set(["snapshot", "text", "screenshot", "console", "about", "install", "waitFor", "tools", "find", "table",
  "network", "refused",
]);

/** The methods that act on it. */
export const ACTING = new Set([
  "click", "type", "pressKey", "select", "scroll", "hover", "drag", "evaluate", "go", "reload",
  "callTool", "dialogs",
]);
