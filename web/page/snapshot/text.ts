// Writes a snapshot as text within a budget: a line for each element, `[ref] role [x,y wxh] "name" states`, indented
// below its context.

import { isFrame } from "../composed.ts";
import { shorten } from "../short_texts.ts";
import { cutToFit, Line } from "./budget.ts";
import type { Entries, Entry, Found } from "./entries.ts";
import { partText } from "./parts.ts";
import { CELLS, INTERACTIVE } from "./roles.ts";
import type { Head } from "./snapshots.ts";
import { statesOf } from "./states.ts";
import type { Item } from "./tree.ts";

const LONGEST_NAME = 100;
const LONGEST_VALUE = 60;
const LONGEST_URL = 200;
const MOST_OPTIONS = 6;
// A part with more items isn't a row or card.
const MOST_ITEMS = 40;
// Deeper nesting adds no context.
const MOST_LEVELS = 20;
// The cells of a grid in a line.
const MOST_CELLS = 12;
const LONGEST_CELL = 60;
// The role of a line with the further cells of a row.
const MORE_CELLS = "cells";
const QUIET = new Set(["level", "valuenow", "selected", "type", "haspopup"]);
/** The words for false states. */
const OPPOSITES: Record<string, string> = { checked: "unchecked", expanded: "collapsed", pressed: "unpressed" };

/** Write the page as a text of at most `most` characters. */
export function pageText(head: Head, found: Found[], entries: Entries, most: number) {
  const opening = openingOf(head);
  const body = cutToFit(outline(found, entries), head, most - opening.length - 1);
  return `${opening}\n${body || "Nothing here can be acted on."}`;
}

/** Write the changes as a text of at most `most` characters. */
export function changesText(head: Head, changed: Entry[], gone: string[], most: number) {
  const opening = openingOf(head);
  if (!changed.length && !gone.length) return `${opening}\nNothing changed since the last snapshot.`;
  const went = gone.length ? shorten(`gone: ${gone.join(", ")}`, most >> 2) : "";
  const lines = changed.map((entry) => new Line(null, entry.ref, entry.role, entry, () => entryLine(entry)));
  const body = cutToFit(lines, head, most - opening.length - went.length - 2);
  return [opening, body, went].filter(Boolean).join("\n");
}

function openingOf({ url, title, scroll, viewport, page_height, panels, scrollers, unrendered }: Head) {
  const place = `scroll ${scroll.x},${scroll.y}; viewport ${viewport.width}x${viewport.height}; page ${page_height} high`;
  const left = panels ? `\nThe surface's own panels are left out; to see one, give it as scope: ${panels}` : "";
  const not = unrendered
    ? shorten(`\nnot rendered (content-visibility): the content of ${unrendered.join(", ")}`, LONGEST_URL)
    : "";
  const boxes = scrollers ? shorten(`\ninner boxes that scroll: ${scrollers}`, 2 * LONGEST_URL) : "";
  return `page ${quoted(title, LONGEST_NAME)} ${shorten(url, LONGEST_URL)}\n${place}${left}${boxes}${not}`;
}

/**
 * Arrange the lines below their contexts. Contexts without content are omitted.
 * @param found - in reading order
 */
function outline(found: Found[], entries: Entries): Line[] {
  const lines: Line[] = [];
  const open: { end: number; line: Line; isPart: boolean }[] = [];
  for (let index = 0; index < found.length; index++) {
    const { item, kind, entry } = found[index];
    while (open.length && open[open.length - 1].end <= item.index) open.pop();
    const above = open[open.length - 1];
    // The text of an action or a small part already contains its headings.
    if (kind === "heading" && (above?.isPart || above?.line.entry)) continue;
    const isContext = kind === "landmark" || kind === "part";
    if (isContext && !(found[index + 1]?.item.index < item.end)) continue;
    if (entry && (isRepeated(entry, above?.line) || isSaidInside(found, index))) continue;
    if (entry && above?.line.role === "row" && isPlainCell(found, index)) {
      addCell(entry, above.line, lines);
      continue;
    }
    const ref = entry?.ref ?? entries.refs.of(item.element);
    const write = () => withCells(entry ? entryLine(entry, line.cells) : contextLine(found, index, entries), line);
    const line: Line = new Line(above?.line ?? null, ref, kind === "heading" ? kind : item.role, entry, write);
    lines.push(line);
    if (kind !== "heading" && open.length < MOST_LEVELS)
      open.push({ end: item.end, line, isPart: kind === "part" && !isLarge(item) });
  }
  return lines;
}

/**
 * Return whether the line above already says what a clickable element says, such as a cell with listeners at two
 * levels.
 */
function isRepeated({ role, clickable, description }: Entry, above?: Line) {
  if (!clickable || !description || INTERACTIVE.has(role)) return false;
  const outer = above?.entry;
  return outer?.name === description || outer?.description === description;
}

/** Return whether a cell that does nothing itself is named like the element in it. */
function isSaidInside(found: Found[], index: number) {
  const { item, entry } = found[index];
  const inner = found[index + 1];
  if (!item.grid || !CELLS.has(item.role) || entry?.clickable || !(inner?.item.index < item.end)) return false;
  return inner.entry !== null && inner.entry.name === entry?.name;
}

/** Return whether a cell of a grid contains no other actions and can be pressed. */
function isPlainCell(found: Found[], index: number) {
  const { item, entry } = found[index];
  if (!item.grid || !CELLS.has(item.role) || entry?.covered_by || entry?.value) return false;
  return !(found[index + 1]?.item.index < item.end);
}

/** Add a cell to the line of its row, or to a line below it if that is full. */
function addCell(cell: Entry, row: Line, lines: Line[]) {
  const last = lines[lines.length - 1];
  const line = last.above === row && last.role === MORE_CELLS ? last : row;
  if (line.cells.length < MOST_CELLS) {
    line.cells.push(cell);
    return;
  }
  const more: Line = new Line(row, cell.ref, MORE_CELLS, null, () => more.cells.map(cellText).join(" | "));
  more.cells.push(cell);
  lines.push(more);
}

/** @param line - of a row */
function withCells(text: string, { ref, cells }: Line) {
  return cells.length ? `${text || `[${ref}] row`}: ${cells.map(cellText).join(" | ")}` : text;
}

function cellText(cell: Entry) {
  const role = cell.role === "gridcell" ? "" : ` ${cell.role}`;
  return [`[${cell.ref}]${role} ${quoted(cell.name, LONGEST_CELL)}`, ...statesText(cell)].join(" ");
}

function contextLine(found: Found[], index: number, entries: Entries) {
  const { item, kind } = found[index];
  const name = shorten(entries.names.nameOf(item), LONGEST_NAME);
  if (kind === "heading") return name && `${"#".repeat(Number(statesOf(item).level))} ${name}`;
  const ref = `[${entries.refs.of(item.element)}]`;
  if (kind === "landmark")
    return `${ref} ${isFrame(item.element) ? "frame" : item.role}${name ? ` ${quoted(name)}` : ""}`;
  if (isLarge(item))
    return name || item.role === "article" ? `${ref} ${item.role}${name ? ` ${quoted(name)}` : ""}` : "";
  const text = name || shorten(partText(found, index, entries.items), LONGEST_NAME);
  return text && `${ref} ${item.role === "generic" ? "card" : item.role} ${quoted(text)}`;
}

/** Return whether a part is too large to be summarized in a line. */
function isLarge({ index, end }: Item) {
  return end - index > MOST_ITEMS;
}

/** @param cells - of a row, which has no other name then */
function entryLine(entry: Entry, cells: Entry[] = []) {
  const { ref, role, x, y, width, height, value, href, description } = entry;
  const name = cells.length ? "" : entry.name;
  const words = [`[${ref}] ${role} [${x},${y} ${width}x${height}]`, cells.length ? "" : quoted(name, LONGEST_NAME)];
  if (entry.cross_origin) words.push("of another origin: can't be read from here");
  if (entry.drawn) words.push("drawn: a screenshot shows what is in it");
  if (entry.clickable) words.push("clickable");
  words.push(...statesText(entry));
  if (value) words.push(`value=${quoted(value, LONGEST_VALUE)}`);
  if (entry.options) words.push(optionsText(entry.options));
  if (!name && href) words.push(`href=${shorten(href, LONGEST_VALUE)}`);
  if (!name && description && !cells.length) words.push(`description=${quoted(description, LONGEST_VALUE)}`);
  if (entry.covered_by) words.push(`covered by ${entry.covered_by}`);
  return words.filter(Boolean).join(" ");
}

function statesText(entry: Entry) {
  return Object.entries(entry.states)
    .map(([state, is]) => stateWord(state, is, entry))
    .filter(Boolean);
}

function stateWord(state: string, is: boolean | string | number, { options }: Entry) {
  // Drop-downs are closed by default.
  if (options && state === "expanded" && is === false) return "";
  if (is === false) return OPPOSITES[state] ?? "";
  if (is === true) return state;
  return QUIET.has(state) && state !== "type" ? "" : `${state}=${is}`;
}

function optionsText(options: string[]) {
  const shown = options
    .slice(0, MOST_OPTIONS)
    .map((option) => shorten(option, 20))
    .join("|");
  return `options=${shown}${options.length > MOST_OPTIONS ? `|… ${options.length} in all` : ""}`;
}

function quoted(text: string, most: number = LONGEST_NAME) {
  return JSON.stringify(shorten(text, most));
}
