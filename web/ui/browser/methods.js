/** Methods of the page script (docs/page.md) that leave the page as it is. */
export const READING = new Set(["snapshot", "text", "screenshot", "console", "about", "install", "waitFor"]);

/** Those that act on it. */
export const ACTING = new Set([
  "click", "type", "pressKey", "select", "scroll", "hover", "drag", "evaluate", "traverse", "reload",
]);
