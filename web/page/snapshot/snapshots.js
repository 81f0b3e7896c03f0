// What a page has, as a list and as a text that agents read.

import { isInPanel } from "../composed.js";
import { InvalidArguments, NotFound } from "../errors.js";
import { selectorsOf } from "../panels.js";
import { Entries } from "./entries.js";
import { changesText, pageText } from "./text.js";
import { walkPage } from "./tree.js";

/**
 * @import { Refs } from "../refs.js"
 * @import { Listeners } from "../listeners.js"
 * @import { Targets } from "../targets.js"
 * @import { Entry, Found } from "./entries.js"
 * @import { Item } from "./tree.js"
 *
 * @typedef {object} Options
 * @property {string} [scope] a ref or a selector: only what is in that element
 * @property {boolean} [changed_only] only what appeared or changed since the last snapshot, and the refs that went
 * @property {number} [max_chars] of the text; 4,000 unless told otherwise
 * @property {boolean} [peek] true leaves what is new to be told by the next one
 * @property {boolean} [elements] false leaves the list out, for those who want the text alone
 *
 * @typedef {object} Head
 * @property {string} url
 * @property {string} title
 * @property {{ x: number, y: number }} scroll
 * @property {{ width: number, height: number }} viewport
 * @property {number} page_height
 * @property {string} [panels] selectors of the surface's own panels, where they were left out
 *
 * @typedef {Head & { text: string, elements: Entry[], gone?: string[] }} Snapshot
 */

const DEFAULT_CHARS = 4_000;
const LEAST_CHARS = 300;

export class Snapshots {
  /** @param {Refs} refs @param {Listeners} listeners @param {Targets} targets */
  constructor(refs, listeners, targets) {
    this.refs = refs;
    this.listeners = listeners;
    this.targets = targets;
    /** What each ref's element was last told to be. @type {Map<string, string>} */
    this.told = new Map();
  }

  /**
   * @param {Options} options
   * @returns {Snapshot}
   * Throws InvalidArguments; NotFound or StaleRef of the scope.
   */
  take({ scope, changed_only = false, max_chars = DEFAULT_CHARS, peek = false, elements = true } = {}) {
    if (!Number.isInteger(max_chars) || max_chars < LEAST_CHARS) {
      throw new InvalidArguments(`max_chars is a whole number from ${LEAST_CHARS} on, not ${JSON.stringify(max_chars)}.`);
    }
    const target = /^e\d+$/.test(String(scope)) ? { ref: scope } : { selector: scope };
    const within = scope === undefined ? null : this.targets.resolve(target);
    const entries = this.read(within !== null && isInPanel(within));
    const [start, end] = within ? rangeOf(entries.items, within, String(scope)) : [0, entries.items.length];
    const found = entries.find(start, end);
    const all = entriesOf(found);
    const { panels } = entries;
    const head = { ...headOf(document), ...(panels.length ? { panels: selectorsOf(panels) } : {}) };
    const { changed, gone } = peek ? { changed: all, gone: [] } : this.compare(all, within === null);
    const list = changed_only ? changed : all;
    const text = changed_only
      ? changesText(head, changed, gone, max_chars)
      : pageText(head, entries.withCards(found), entries, max_chars);
    return { ...head, text, elements: elements ? list : [], ...(changed_only ? { gone } : {}) };
  }

  /** What can be acted on now. It is no snapshot: what changed stays to be told. */
  look() {
    const entries = this.read();
    return entriesOf(entries.find(0, entries.items.length));
  }

  /** @param {boolean} [panels] whether the surface's own panels count, too */
  read(panels = false) {
    const page = walkPage(document, (element) => this.listeners.hearsPresses(element), panels);
    return new Entries(page, this.refs, this.listeners);
  }

  /**
   * What is new since the last time, which this time becomes.
   * @param {Entry[]} entries
   * @param {boolean} whole whether these are all that the page has
   */
  compare(entries, whole) {
    const changed = entries.filter((entry) => {
      const now = likeness(entry);
      if (this.told.get(entry.ref) === now) return false;
      this.told.set(entry.ref, now);
      return true;
    });
    const here = new Set(entries.map(({ ref }) => ref));
    const gone = [...this.told.keys()].filter((ref) => !here.has(ref) && (whole || !this.refs.element(ref)?.isConnected));
    for (const ref of gone) this.told.delete(ref);
    return { changed, gone };
  }
}

/** @param {Found[]} found */
function entriesOf(found) {
  return found.flatMap(({ entry }) => (entry ? [entry] : []));
}

/** What makes it another line: not its place, which scrolling changes. @param {Entry} entry */
function likeness({ role, name, states, value, href, description, options, covered_by }) {
  return JSON.stringify([role, name, states, value, href, description, options, covered_by]);
}

/**
 * Where the items of an element begin and end.
 * @param {Item[]} items
 * @param {Element} element
 * @param {string} scope
 * @returns {[number, number]}
 */
function rangeOf(items, element, scope) {
  const item = items.find((one) => one.element === element);
  if (item) return [item.index, item.end];
  throw new NotFound(`Nothing can be seen of ${JSON.stringify(scope)}.`, {
    hint: "It is hidden, or behind a modal dialog; take a snapshot of the whole page.",
  });
}

/** @param {Document} document @returns {Head} */
function headOf({ title, documentElement }) {
  return {
    url: location.href,
    title,
    scroll: { x: Math.round(scrollX), y: Math.round(scrollY) },
    viewport: { width: innerWidth, height: innerHeight },
    page_height: documentElement.scrollHeight,
  };
}
