// Text as it is drawn: its letters, and the spaces that boxes put around it.

import { Item } from "./tree.js";

const INITIAL = /(?<![\p{L}\p{N}\p{M}'’])\p{Ll}/gu;
const IN_WORD = /[\p{L}\p{N}\p{M}'’]$/u;
// Whose letters have capitals of their own.
const LANGUAGES = /^(tr|az|lt|el)(?![a-z])/i;

/**
 * Whether a space keeps it from the text beside it, even if there is nothing in it. What floats or is positioned has the
 * display of a block.
 * @param {Item} item
 */
export function isBlock({ style: { display } }) {
  return display !== "inline" && !display.startsWith("inline-") && !display.startsWith("ruby");
}

/** A text with one space on either side, however deep the boxes around it nest. @param {string} text */
export function spaced(text) {
  if (!text) return " ";
  return `${text.startsWith(" ") ? "" : " "}${text}${text.endsWith(" ") ? "" : " "}`;
}

/** @param {Item} item */
export function isInlineBox({ style }) {
  return style.display.startsWith("inline-");
}

/**
 * A text as it is drawn after what stands before it.
 * @param {Text} text
 * @param {Item} within
 * @param {string} before
 */
export function drawn({ data }, within, before) {
  switch (within.style.textTransform) {
    case "uppercase":
      return data.toLocaleUpperCase(languageOf(within));
    case "lowercase":
      return data.toLocaleLowerCase(languageOf(within));
    case "capitalize": {
      const first = IN_WORD.test(before) ? data.search(/[^\p{L}\p{N}\p{M}'’]|$/u) : 0;
      return data.slice(0, first) + data.slice(first).replace(INITIAL, (letter) => letter.toLocaleUpperCase());
    }
    default:
      return data;
  }
}

/** One space for each stretch of HTML's white space, none at the ends. @param {string} text */
export function tidy(text) {
  if (!/^\s|\s$|\s\s|[\t\n\f\r]/.test(text)) return text;
  return text.replace(/[ \t\n\f\r]+/g, " ").replace(/^ | $/g, "");
}

/** The language whose rules are other than those of most. @param {Item} item */
function languageOf({ element }) {
  return LANGUAGES.exec(element.closest("[lang]")?.getAttribute("lang") ?? "")?.[1] ?? "en";
}
