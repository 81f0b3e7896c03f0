// Takes snapshots of a page: a list of elements, and a text for agents.

import { isInPanel } from "../composed.ts";
import { following } from "../actions/scrolling.ts";
import * as dom from "../dom.ts";
import { checkMost, NotFound } from "../errors.ts";
import type { Listeners } from "../listeners.ts";
import { selectorsOf } from "../panels.ts";
import type { Refs } from "../refs.ts";
import type { Targets } from "../targets.ts";
import { Entries, type Entry, type Found } from "./entries.ts";
import { changesText, pageText } from "./text.ts";
import { walkPage, type Item } from "./tree.ts";

interface Options {
  /** a ref or a selector of the element to read, by default the page */
  scope?: string;
  /** only new and changed elements since the last snapshot, and the refs that are gone */
  changed_only?: boolean;
  /** of the text, by default 4,000 */
  max_chars?: number;
  /** true if the next snapshot should still report the changes */
  peek?: boolean;
  /** false to omit the list */
  elements?: boolean;
}

export interface Head {
  url: string;
  title: string;
  scroll: { x: number; y: number };
  viewport: { width: number; height: number };
  page_height: number;
  /** selectors of the surface's own panels if they were omitted */
  panels?: string;
  /** inner boxes in view that scroll, with how much follows */
  scrollers?: string;
  /** refs of elements whose content isn't rendered (`content-visibility: hidden`) */
  unrendered?: string[];
}

interface Snapshot extends Head {
  text: string;
  elements: Entry[];
  gone?: string[];
}

const DEFAULT_CHARS = 4_000;
const LEAST_CHARS = 300;

/** The snapshots of a page. */
export class Snapshots {
  refs: Refs;
  listeners: Listeners;
  targets: Targets;
  /** The content of each ref's element in the last snapshot. */
  lastSeen = new Map<string, string>();

  constructor(refs: Refs, listeners: Listeners, targets: Targets) {
    this.refs = refs;
    this.listeners = listeners;
    this.targets = targets;
  }

  /** Throws InvalidArguments; NotFound or StaleRef for the scope. */
  take({
    scope,
    changed_only = false,
    max_chars = DEFAULT_CHARS,
    peek = false,
    elements = true,
  }: Options = {}): Snapshot {
    checkMost(max_chars, LEAST_CHARS);
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

  /** @param panels - whether to include the surface's own panels */
  read(panels = false) {
    const page = walkPage(document, (element) => this.listeners.hasPressListener(element), panels);
    return new Entries(page, this.refs, this.listeners);
  }

  /**
   * Return the changes since the last comparison.
   * @param whole - whether these are all entries of the page
   */
  compare(entries: Entry[], whole: boolean) {
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

  /** Return whether the element of a ref is in the page. */
  isHere(ref: string) {
    const element = this.refs.element(ref);
    return element !== undefined && dom.isConnected(element);
  }
}

function entriesOf(found: Found[]) {
  return found.flatMap(({ entry }) => (entry ? [entry] : []));
}

/** Return a key that changes with the entry's content, but not with its position, which scrolling changes. */
function contentKey({ role, name, states, value, href, description, options, covered_by }: Entry) {
  return JSON.stringify([role, name, states, value, href, description, options, covered_by]);
}

/** Return the range of an element's items. */
function rangeOf(items: Item[], element: Element, scope: string): [number, number] {
  const item = items.find((one) => one.element === element);
  if (item) return [item.index, item.end];
  throw new NotFound(`${JSON.stringify(scope)} isn't visible.`, {
    hint: "It is hidden, or behind a modal dialog; take a snapshot of the whole page.",
  });
}

function headOf(document: Document): Head {
  return {
    url: location.href,
    title: dom.title(document),
    scroll: { x: Math.round(scrollX), y: Math.round(scrollY) },
    viewport: { width: innerWidth, height: innerHeight },
    page_height: dom.scrollHeight(dom.documentElement(document)),
  };
}
