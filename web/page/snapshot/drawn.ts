// Text as it is drawn: its case, and the spaces that boxes add around it.

import * as dom from "../dom.ts";
import { Item } from "./tree.ts";

const INITIAL = /(?<![\p{L}\p{N}\p{M}'’])\p{Ll}/gu;
const IN_WORD = /[\p{L}\p{N}\p{M}'’]$/u;
// Languages with special rules for capitals.
const LANGUAGES = /^(tr|az|lt|el)(?![a-z])/i;

/**
 * Return whether an element is separated from the text next to it, even if it is empty. Floating and positioned
 * elements are displayed as blocks.
 */
export function isBlock({ style: { display } }: Item) {
  return display !== "inline" && !display.startsWith("inline-") && !display.startsWith("ruby");
}

/** Add one space on either side, unless there is one. */
export function spaced(text: string) {
  if (!text) return " ";
  return `${text.startsWith(" ") ? "" : " "}${text}${text.endsWith(" ") ? "" : " "}`;
}

export function isInlineBox({ style }: Item) {
  return style.display.startsWith("inline-");
}

/**
 * Return a text with its `text-transform` applied.
 * @param before - the text before it
 */
export function drawn({ data }: Text, within: Item, before: string) {
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

/** Collapse white space to single spaces, and trim. */
export function tidy(text: string) {
  if (!/^\s|\s$|\s\s|[\t\n\f\r]/.test(text)) return text;
  return text.replace(/[ \t\n\f\r]+/g, " ").replace(/^ | $/g, "");
}

/** Return the language if it has special rules, else "en". */
function languageOf({ element }: Item) {
  const above = dom.closest(element, "[lang]");
  return (above && LANGUAGES.exec(dom.getAttribute(above, "lang") ?? "")?.[1]) ?? "en";
}
