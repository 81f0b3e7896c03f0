// Takes snapshots of a page: a list of elements, and a text for agents.

import { isInPanel } from "../composed.js";
import { following } from "../actions/scrolling.js";
import * as dom from "../dom.js";
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
 * @property {string} [scope] a ref or a selector of the element to read, by default the page
 * @property {boolean} [changed_only] only new and changed elements since the last snapshot, and the refs that are gone
 * @property {number} [max_chars] of the text, by default 4,000
 * @property {boolean} [peek] true if the next snapshot should still report the changes
 * @property {boolean} [elements] false to omit the list
 *
 * @typedef {object} Head
 * @property {string} url
 * @property {string} title
 * @property {{ x: number, y: number }} scroll
 * @property {{ width: number, height: number }} viewport
 * @property {number} page_height
 * @property {string} [panels] selectors of the surface's own panels if they were omitted
 * @property {string} [scrollers] inner boxes in view that scroll, with how much follows
 * @property {string[]} [unrendered] refs of elements whose content isn't rendered (`content-visibility: hidden`)
 *
 * @typedef {Head & { text: string, elements: Entry[], gone?: string[] }} Snapshot
 */

const DEFAULT_CHARS = 4_000;
const LEAST_CHARS = 300;

/** The snapshots of a page. */
export class Snapshots {
  /** @param {Refs} refs @param {Listeners} listeners @param {Targets} targets */
  constructor(refs, listeners, targets) {
    this.refs = refs;
    this.listeners = listeners;
    this.targets = targets;
    /** The content of each ref's element in the last snapshot. @type {Map<string, string>} */
    this.lastSeen = new Map();
  }

  /**
   * @param {Options} options
   * @returns {Snapshot}
   * Throws InvalidArguments; NotFound or StaleRef for the scope.
   */
  take({ scope, changed_only = false, max_chars = DEFAULT_CHARS, peek = false, elements = true } = {}) {
    if (!Number.isInteger(max_chars) || max_chars < LEAST_CHARS) {
      throw new InvalidArguments(`max_chars must be an integer of at least ${LEAST_CHARS}, not ${JSON.stringify(max_chars)}.`);
    }
    const target = /^e\d+$/.test(String(scope)) ? { ref: scope } : { selector: scope };
    const within = scope === undefined ? null : this.targets.resolve(target);
    const entries = this.read(within !== null && isInPanel(within));
    const [start, end] = within ? rangeOf(entries.items, within, String(scope)) : [0, entries.items.length];
    const found = entries.find(start, end);
    const all = entriesOf(found);
    const { panels, unrendered } = entries;
    const scrollers = following(this.refs);
    const head = {
      ...headOf(document),
      ...(panels.length ? { panels: selectorsOf(panels) } : {}),
      ...(scrollers ? { scrollers } : {}),
      ...(unrendered.size ? { unrendered: Array.from(unrendered, (element) => this.refs.of(element)) } : {}),
    };
    const { changed, gone } = peek ? { changed: all, gone: [] } : this.compare(all, within === null);
    const list = changed_only ? changed : all;
    const text = changed_only
      ? changesText(head, changed, gone, max_chars)
      : pageText(head, entries.withCards(found), entries, max_chars);
    return { ...head, text, elements: elements ? list : [], ...(changed_only ? { gone } : {}) };
  }

  /** Return the elements that can be acted on now. The next snapshot still reports all changes. */
  candidates() {
    const entries = this.read();
    return entriesOf(entries.find(0, entries.items.length));
  }

  /** @param {boolean} [panels] whether to include the surface's own panels */
  read(panels = false) {
    const page = walkPage(document, (element) => this.listeners.hasPressListener(element), panels);
    return new Entries(page, this.refs, this.listeners);
  }

  /**
   * Return the changes since the last comparison.
   * @param {Entry[]} entries
   * @param {boolean} whole whether these are all entries of the page
   */
  compare(entries, whole) {
    const changed = entries.filter((entry) => {
      const now = contentKey(entry);
      if (this.lastSeen.get(entry.ref) === now) return false;
      this.lastSeen.set(entry.ref, now);
      return true;
    });
    const here = new Set(entries.map(({ ref }) => ref));
    const gone = [...this.lastSeen.keys()].filter((ref) => !here.has(ref) && (whole || !this.isHere(ref)));
    for (const ref of gone) this.lastSeen.delete(ref);
    return { changed, gone };
  }

  /** Return whether the element of a ref is in the page. @param {string} ref */
  isHere(ref) {
    const element = this.refs.element(ref);
    return element !== undefined && dom.isConnected(element);
  }
}

/** @param {Found[]} found */
function entriesOf(found) {
  return found.flatMap(({ entry }) => (entry ? [entry] : []));
}

/** Return a key that changes with the entry's content, but not with its position, which scrolling changes. @param {Entry} entry */
function contentKey({ role, name, states, value, href, description, options, covered_by }) {
  return JSON.stringify([role, name, states, value, href, description, options, covered_by]);
}

/**
 * Return the range of an element's items.
 * @param {Item[]} items
 * @param {Element} element
 * @param {string} scope
 * @returns {[number, number]}
 */
function rangeOf(items, element, scope) {
  const item = items.find((one) => one.element === element);
  if (item) return [item.index, item.end];
  throw new NotFound(`${JSON.stringify(scope)} isn't visible.`, {
    hint: "It is hidden, or behind a modal dialog; take a snapshot of the whole page.",
  });
}

/** @param {Document} document @returns {Head} */
function headOf(document) {
  return {
    url: location.href,
    title: dom.title(document),
    scroll: { x: Math.round(scrollX), y: Math.round(scrollY) },
    viewport: { width: innerWidth, height: innerHeight },
    page_height: dom.scrollHeight(dom.documentElement(document)),
  };
}
