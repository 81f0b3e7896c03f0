// What style sheets put before and after an element's content: text, and the alternative text of images.

/** @import { Item } from "./tree.js" */

const STRING = /"((?:[^"\\]|\\.)*)"/g;
// What stands after a slash is for those who can't see what stands before it.
const ALTERNATIVE = /^(?:"(?:[^"\\]|\\.)*"|[^"])*? \/ (.*)$/s;

/** The text that a pseudo-element adds to a name. @param {Item} item @param {"::before" | "::after"} pseudo */
export function generated(item, pseudo) {
  const { content, display } = getComputedStyle(item.element, pseudo);
  if (content === "none" || content === "normal" || content === "" || display === "none") return "";
  const alternative = ALTERNATIVE.exec(content)?.[1];
  const told = alternative ?? content;
  const text = told.replace("open-quote", '"“"').replace("close-quote", '"”"');
  const strings = [...text.matchAll(STRING)].map(([, string]) => unescape(string)).join("");
  return (display === "inline" && alternative === undefined) || !strings ? strings : ` ${strings} `;
}

/** @param {string} string */
function unescape(string) {
  return string.replace(/\\([0-9a-f]{1,6}) ?|\\(.)/gi, (_, code, letter) => (code ? String.fromCodePoint(parseInt(code, 16)) : letter));
}
