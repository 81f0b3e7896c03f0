// Finds elements anywhere in the page by text, role or regular expression, also those that can't be acted on.

import * as dom from "./dom.ts";
import { InvalidArguments, messageOf } from "./errors.ts";
import type { Refs } from "./refs.ts";
import { oneLine } from "./short_texts.ts";
import type { Entries } from "./snapshot/entries.ts";
import type { Snapshots } from "./snapshot/snapshots.ts";
import type { Item } from "./snapshot/tree.ts";

interface Query {
  /** that the name or text contains, in any case */
  text?: string;
  role?: string;
  /** a regular expression for the name or text, in any case */
  pattern?: string;
  /** of the results */
  limit?: number;
}

/** `below`: the heading before it */
type Match = { ref: string; role: string; text: string; in_view: boolean; below?: string };

const DEFAULT_LIMIT = 20;
const LONGEST_TEXT = 200;
// A longer text isn't searched to its end, which bounds the time of a bad pattern.
const LONGEST_SEARCHED = 2_000;

/** @returns in reading order */
export function find(
  snapshots: Snapshots,
  refs: Refs,
  { text, role, pattern, limit = DEFAULT_LIMIT }: Query,
): { matches: Match[]; total: number } {
  const matchesText = tester(text, pattern);
  if (!matchesText && !role) throw new InvalidArguments("Nothing to find.", { hint: "Pass text, role or pattern." });
  const entries = snapshots.read();
  const matches: Match[] = [];
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
      ref: refs.of(item.element),
      role: item.role,
      text: found.slice(0, LONGEST_TEXT),
      in_view: entries.layout.isInView(box),
      ...(below && item.role !== "heading" ? { below: below.slice(0, LONGEST_TEXT) } : {}),
    });
  }
  return { matches, total };
}

function tester(text?: string, pattern?: string): ((found: string) => boolean) | null {
  if (pattern !== undefined) {
    const expression = compiled(pattern);
    return (found) => expression.test(found);
  }
  if (!text) return null;
  const wanted = text.toLowerCase();
  return (found) => found.toLowerCase().includes(wanted);
}

function compiled(pattern: string) {
  try {
    return new RegExp(pattern, "iu");
  } catch (error) {
    throw new InvalidArguments(`The pattern isn't a regular expression of JavaScript: ${messageOf(error)}.`);
  }
}

/** Return the name of an element with a role, or else the text directly in it. */
function textOf(item: Item, entries: Entries) {
  const named = item.role === "generic" || item.role === "none" ? "" : entries.names.nameOf(item);
  if (named) return named.slice(0, LONGEST_SEARCHED);
  let text = "";
  for (const node of dom.childNodes(item.element))
    if (dom.nodeType(node) === Node.TEXT_NODE) text += dom.nodeValue(node);
  return oneLine(text).slice(0, LONGEST_SEARCHED);
}
