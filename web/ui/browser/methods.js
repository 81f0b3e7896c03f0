/** Methods of the page script (docs/page.md) that leave the page as it is. */
export const READING = new Set(["snapshot", "text", "screenshot", "console", "about", "install", "waitFor"]);
