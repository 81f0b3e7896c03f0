// Finds elements of the whole page by text, role or regular expression, also those that can't be acted on.

import * as dom from "./dom.js";
import { InvalidArguments } from "./errors.js";

/**
 * @import { Refs } from "./refs.js"
 * @import { Snapshots } from "./snapshot/snapshots.js"
 * @import { Entries } from "./snapshot/entries.js"
 * @import { Item } from "./snapshot/tree.js"
 *
 * @typedef {object} Query
 * @property {string} [text] that the name or text contains, in any case
 * @property {string} [role]
 * @property {string} [pattern] a regular expression for the name or text, in any case
 * @property {number} [limit] of the results
 *
 * @typedef {{ ref: string, role: string, text: string, in_view: boolean, below?: string }} Match `below`: the heading before it
 */

const DEFAULT_LIMIT = 20;
const LONGEST_TEXT = 200;
// A longer text isn't searched to its end, which bounds the time of a bad pattern.
const LONGEST_SEARCHED = 2_000;

/**
 * @param {Snapshots} snapshots
 * @param {Refs} refs
 * @param {Query} query
 * @returns {{ matches: Match[], total: number }} in reading order
 */
export function find(snapshots, refs, { text, role, pattern, limit = DEFAULT_LIMIT }) {
  const matchesText = tester(text, pattern);
  if (!matchesText && !role) throw new InvalidArguments("Nothing to find.", { hint: "Pass text, role or pattern." });
  const entries = snapshots.read();
  /** @type {Match[]} */
  const matches = [];
  let total = 0;
  let below = "";
  for (const item of entries.items) {
    if (!item.visible) continue;
    const found = textOf(item, entries);
    if (item.role === "heading") below = found;
    if ((role && item.role !== role) || (matchesText && !(found && matchesText(found)))) continue;
    total += 1;
    if (matches.length >= limit) continue;
    const box = entries.layout.box(item.element);
    matches.push({
      ref: refs.of(item.element), role: item.role, text: found.slice(0, LONGEST_TEXT), in_view: entries.layout.isInView(box),
      ...(below && item.role !== "heading" ? { below: below.slice(0, LONGEST_TEXT) } : {}),
    });
  }
  return { matches, total };
}

/** @param {string} [text] @param {string} [pattern] @returns {((found: string) => boolean) | null} */
function tester(text, pattern) {
  if (pattern !== undefined) {
    const expression = compiled(pattern);
    return (found) => expression.test(found);
  }
  if (!text) return null;
  const wanted = text.toLowerCase();
  return (found) => found.toLowerCase().includes(wanted);
}

/** @param {string} pattern */
function compiled(pattern) {
  try {
    return new RegExp(pattern, "iu");
  } catch (error) {
    throw new InvalidArguments(`The pattern isn't a regular expression of JavaScript: ${/** @type {Error} */ (error).message}.`);
  }
}

/** Return the name of an element with a role, or else the text directly in it. @param {Item} item @param {Entries} entries */
function textOf(item, entries) {
  const named = item.role === "generic" || item.role === "none" ? "" : entries.names.nameOf(item);
  if (named) return named.slice(0, LONGEST_SEARCHED);
  let text = "";
  for (const node of dom.childNodes(item.element)) if (dom.nodeType(node) === Node.TEXT_NODE) text += dom.nodeValue(node);
  return text.replace(/\s+/g, " ").trim().slice(0, LONGEST_SEARCHED);
}
