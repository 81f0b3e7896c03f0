// Computes names and descriptions by Accessible Name and Description Computation 1.2
// (https://www.w3.org/TR/accname-1.2/) and HTML-AAM. The spacing of text, and everything that ARIA leaves open,
// follow Chromium.

import * as dom from "../dom.ts";
import { ariaOf } from "../internals.ts";
import { drawn, isBlock, isInlineBox, spaced, tidy } from "./drawn.ts";
import { Generated } from "./generated.ts";
import { labelsIn } from "./labels.ts";
import { embeddedValue, isApart, namingPart, nativeText, placeholderOf } from "./native.ts";
import { Owned } from "./owned.ts";
import { referredBy } from "./references.ts";
import { NAMED_BY_CONTENT } from "./roles.ts";
import { Item, walkReferenced } from "./tree.ts";

// Longer names, such as one made of all of the page's text, are useless.
const MAX_NAME = 1_000;

const START = 1;
const END = 2;
const BOTH = 3;
// Inline elements that Chromium exposes although they have no role, and attributes for which it exposes any element.
const EXPOSED = new Set(["abbr", "label", "s"]);
const EXPOSING = /^(id|title|tabindex|onclick|lang|aria-.*)$/;
const DEAF = () => false;

/**
 * Return whether Chromium exposes an inline element, apart from its listeners, so that it computes the text for it
 * alone.
 */
function isExposed({ role, name, attributed, element }: Item) {
  if (EXPOSED.has(name) || (role !== "generic" && role !== "none")) return true;
  return (
    attributed &&
    dom.getAttributeNames(element).some((one) => EXPOSING.test(one) || (one === "role" && role === "generic"))
  );
}

/** Return a text without the spaces of inline boxes at its start and end. */
function withoutEdges(text: string, item: Item) {
  const { edges } = item;
  item.edges = 0;
  const start = edges & START && text.startsWith(" ") ? 1 : 0;
  const end = edges & END && text.endsWith(" ") ? 1 : 0;
  return text.slice(start, Math.max(start, text.length - end));
}

/** The names of a page's elements. */
export class Names {
  owned: Owned;
  hears: (element: Element) => boolean;
  labels: Map<Element, Element[]>;
  shown = new Map<Element, Item>();
  referenced = new Map<Element, string>();
  /** True inside a reference, in which other references aren't followed (accname 2B). */
  referring = false;
  /** Elements that the current list of references has already included. */
  said = new Set<Element>();
  generated: Generated;

  /**
   * @param items - of the page; the constructor sets their `piece`
   * @param roots - that contain the items
   * @param hears - returns whether Chromium exposes an element for its listeners
   */
  constructor(
    items: Item[],
    roots: Set<Document | ShadowRoot>,
    owned: Owned = new Owned(),
    hears: (element: Element) => boolean = DEAF,
  ) {
    this.owned = owned;
    this.hears = hears;
    this.labels = labelsIn(roots);
    this.generated = new Generated(roots);
    for (const item of items) if (item.collectsText) this.shown.set(item.element, item);
    this.fold(items);
  }

  /** Compute all pieces, the innermost first, so that each is computed once. */
  fold(items: Item[]) {
    for (let index = items.length - 1; index >= 0; index--) {
      const item = items[index];
      if (item.parent?.collectsText) item.piece = this.pieceOf(item);
    }
  }

  /** Return the text that an element adds to its parent's (accname 2A to 2I), with spaces if its box separates it. */
  pieceOf(item: Item) {
    const { element, role, name } = item;
    const value = embeddedValue(item);
    if (value) return ` ${value} `;
    const label = item.attributed ? ariaOf(element, "aria-label") : null;
    if (label?.trim()) return ` ${label} `;
    if (name === "br" || name === "wbr") return " ";
    if (value !== null) return " ";
    const native = nativeText(element, role);
    if (native !== null) return native || name === "input" ? ` ${native} ` : "";
    const apart = name === "math" ? !this.referring : isApart(element, role);
    const text = apart ? this.partName(element) : this.contentOf(item);
    if (isBlock(item)) return spaced(text);
    if (text && isInlineBox(item)) {
      item.edges = BOTH;
      return spaced(text);
    }
    return item.edges && (isExposed(item) || this.hears(element)) ? withoutEdges(text, item) : text;
  }

  /** Return the element's text, with generated content. */
  contentOf(item: Item) {
    if (item.name === "use") return this.usedText(item.element);
    if (item.name === "canvas") return ` ${dom.textContent(item.element)} `;
    let text = this.generated.text(item, "::before");
    let edges = 0;
    for (const child of item.children) {
      const isItem = child instanceof Item;
      const piece = isItem ? this.added(child) : drawn(child, item, text);
      if (piece === "") continue;
      const own = isItem ? child.edges : 0;
      edges = (text ? edges & START : own & START) | (own & END);
      text += piece;
      if (text.length > MAX_NAME) return text.slice(0, MAX_NAME);
    }
    const after = this.generated.text(item, "::after");
    item.edges = after ? edges & START : edges;
    return text + after;
  }

  /** Return the text of the element that an SVG `use` refers to. */
  usedText(use: Element) {
    const id = (dom.getAttribute(use, "href") ?? dom.getAttribute(use, "xlink:href"))?.split("#")[1];
    const used = id && dom.getElementById(dom.getRootNode(use), id);
    return used ? this.textFor(used) : "";
  }

  added(child: Item) {
    if (this.referring || !child.attributed || !dom.hasAttribute(child.element, "aria-labelledby")) return child.piece;
    const text = embeddedValue(child) ? "" : this.referred(child.element, "aria-labelledby");
    return text ? ` ${text} ` : child.piece;
  }

  /** Return the element's accessible name. */
  nameOf(item: Item) {
    const { element, role } = item;
    const referred = this.referred(element, "aria-labelledby");
    if (referred) return referred;
    const label = ariaOf(element, "aria-label");
    if (label?.trim()) return tidy(label);
    const native = this.nativeName(item);
    // An empty label, such as a hidden one, also determines the name.
    if (native || this.labels.has(element)) return tidy(native ?? "");
    if (native === null && NAMED_BY_CONTENT.has(role) && item.collectsText) {
      const text = tidy(this.contentOf(item));
      if (text) return text;
    }
    if (dom.localName(element) === "img" && dom.hasAttribute(element, "alt")) return "";
    return tidy(dom.getAttribute(element, "title") || placeholderOf(element) || "");
  }

  /** Return the element's accessible description, or "" if it repeats the name. */
  descriptionOf({ element }: Item, name: string) {
    const text = this.referred(element, "aria-describedby") || tidy(ariaOf(element, "aria-description") ?? "");
    if (text) return text;
    // With an empty name, the placeholder becomes the description.
    const title = tidy(dom.getAttribute(element, "title") || (name ? null : placeholderOf(element)) || "");
    return title === name ? "" : title;
  }

  /** Return the text of the elements that an attribute refers to, including hidden ones. */
  referred(from: Element, attribute: string) {
    const elements = referredBy(from, attribute);
    if (!elements.length) return "";
    const { said } = this;
    this.said = new Set();
    const texts = elements.map((element) => {
      // An element isn't a control within its own label, so its value isn't part of it.
      const own = element === from && ariaOf(element, "aria-label")?.trim();
      if (own) return own;
      const around = element !== from && dom.contains(element, from) && this.shown.get(element);
      const text = around ? this.inReference(() => this.contentWithout(around, from)) : this.textFor(element);
      this.said.add(element);
      return text;
    });
    this.said = said;
    return tidy(texts.join(" "));
  }

  /** Return the text of an element that a name refers to. */
  textFor(element: Element): string {
    // Don't repeat labels that are already included.
    if (this.labels.get(element)?.some((label) => this.said.has(label)))
      return this.inReference(() => this.textOf(element));
    let text = this.referenced.get(element);
    if (text !== undefined) return text;
    // Ends circular references.
    this.referenced.set(element, "");
    text = this.inReference(() => this.textOf(element));
    this.referenced.set(element, text);
    return text;
  }

  inReference(compute: () => string) {
    const { referring } = this;
    this.referring = true;
    const text = compute();
    this.referring = referring;
    return text;
  }

  textOf(element: Element) {
    const item = this.shown.get(element) ?? this.visit(element);
    const value = item && embeddedValue(item);
    if (value) return tidy(value);
    const label = ariaOf(element, "aria-label");
    if (label?.trim()) return tidy(label);
    // Elements that are never drawn, such as the title of an SVG image, contain plain text.
    if (!item) return tidy(dom.textContent(element) ?? "");
    const native = value ?? this.nativeName(item);
    return tidy(native || this.contentOf(item)) || tidy(dom.getAttribute(element, "title") ?? "");
  }

  /** Create an item for an element that the page's pass skipped. */
  visit(element: Element): Item | undefined {
    const { items } = walkReferenced(element, this.owned);
    this.fold(items);
    return items[0];
  }

  /** Return the name that HTML and SVG define, or null if the content is the name. */
  nativeName(item: Item): string | null {
    const { element } = item;
    const labels = this.labels.get(element)?.filter((label) => !this.said.has(label));
    if (labels?.length) {
      // Labels inside another label are part of its text.
      const outer = labels.filter((label) => !labels.some((other) => other !== label && dom.contains(other, label)));
      return outer.map((label) => this.labelText(label, element)).join(" ");
    }
    return namingPart(element) ? this.partName(element) : nativeText(element, item.role);
  }

  /** Return the text of the child that names an element, or "". */
  partName(element: Element) {
    const part = namingPart(element);
    return part ? this.textFor(part) : "";
  }

  /** Return the visible text of a label. */
  labelText(label: Element, control: Element) {
    const item = this.shown.get(label);
    return item ? this.contentWithout(item, control) : "";
  }

  /** Return a label's text without the value of the labelled control. */
  contentWithout(label: Item, control: Element) {
    const own = this.shown.get(control);
    if (!own || !dom.contains(label.element, control)) return this.labelContent(label);
    const { piece } = own;
    own.piece = " ";
    this.foldAbove(own, label);
    const text = this.labelContent(label);
    own.piece = piece;
    this.foldAbove(own, label);
    return text;
  }

  /** Recompute the pieces between two items. */
  foldAbove(inner: Item, outer: Item) {
    for (let above = inner.parent; above && above !== outer; above = above.parent) above.piece = this.pieceOf(above);
  }

  labelContent(label: Item) {
    const ariaLabel = dom.getAttribute(label.element, "aria-label");
    if (ariaLabel?.trim()) return ariaLabel;
    const text = this.contentOf(label);
    return text.trim() ? text : (dom.getAttribute(label.element, "title") ?? "");
  }
}
