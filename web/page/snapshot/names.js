// Names and descriptions by Accessible Name and Description Computation 1.2 (https://www.w3.org/TR/accname-1.2/) and
// HTML-AAM; how pieces of text are spaced and what ARIA leaves open is as in Chromium.

import { ariaOf } from "../internals.js";
import { drawn, isBlock, isInlineBox, spaced, tidy } from "./drawn.js";
import { Generated } from "./generated.js";
import { labelsIn } from "./labels.js";
import { embeddedValue, isApart, namingPart, nativeText, placeholderOf } from "./native.js";
import { Owned } from "./owned.js";
import { referredBy } from "./references.js";
import { NAMED_BY_CONTENT } from "./roles.js";
import { Item, rootsOf, walkReferenced } from "./tree.js";

// No name that a person gave is longer; one made of a whole page helps nobody.
const LONGEST = 1_000;

export class Names {
  /**
   * @param {Item[]} items of the page, whose texts are put together here
   * @param {Owned} [owned]
   */
  constructor(items, owned = new Owned()) {
    const roots = rootsOf(items);
    this.owned = owned;
    this.labels = labelsIn(roots);
    /** @type {Map<Element, Item>} */
    this.shown = new Map();
    /** @type {Map<Element, string>} */
    this.referenced = new Map();
    /** Within a reference no other one is followed (accname 2B). */
    this.referring = false;
    /** What the same list of references has told before. @type {Set<Element>} */
    this.said = new Set();
    this.generated = new Generated(roots);
    for (const item of items) if (item.told) this.shown.set(item.element, item);
    this.fold(items);
  }

  /** From the innermost out, so that each text is put together once. @param {Item[]} items */
  fold(items) {
    for (let index = items.length - 1; index >= 0; index--) {
      const item = items[index];
      if (item.parent?.told) item.piece = this.pieceOf(item);
    }
  }

  /**
   * What the element adds to what it is in (accname 2A to 2I), with a space where its box keeps it apart.
   * @param {Item} item
   */
  pieceOf(item) {
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
    return isBlock(item) || (text && isInlineBox(item)) ? spaced(text) : text;
  }

  /** The text in the element, with what its style adds. @param {Item} item */
  contentOf(item) {
    if (item.name === "use") return this.usedText(item.element);
    if (item.name === "canvas") return ` ${item.element.textContent} `;
    let text = this.generated.text(item, "::before");
    for (const child of item.children) {
      text += child instanceof Item ? this.added(child) : drawn(child, item, text);
      if (text.length > LONGEST) return text.slice(0, LONGEST);
    }
    return text + this.generated.text(item, "::after");
  }

  /** What an image repeats of another one (SVG's `use`). @param {Element} use */
  usedText(use) {
    const id = (use.getAttribute("href") ?? use.getAttribute("xlink:href"))?.split("#")[1];
    const used = id && /** @type {Document | ShadowRoot} */ (use.getRootNode()).getElementById?.(id);
    return used ? this.textFor(used) : "";
  }

  /** @param {Item} child */
  added(child) {
    if (this.referring || !child.attributed || !child.element.hasAttribute("aria-labelledby")) return child.piece;
    const text = embeddedValue(child) ? "" : this.referred(child.element, "aria-labelledby");
    return text ? ` ${text} ` : child.piece;
  }

  /** The element's accessible name. @param {Item} item */
  nameOf(item) {
    const { element, role } = item;
    const referred = this.referred(element, "aria-labelledby");
    if (referred) return referred;
    const label = ariaOf(element, "aria-label");
    if (label?.trim()) return tidy(label);
    const native = this.nativeName(item);
    // A label that says nothing, as one that is hidden, is a name, too.
    if (native || this.labels.has(element)) return tidy(native ?? "");
    if (native === null && NAMED_BY_CONTENT.has(role) && item.told) {
      const text = tidy(this.contentOf(item));
      if (text) return text;
    }
    if (element.localName === "img" && element.hasAttribute("alt")) return "";
    return tidy(element.getAttribute("title") || placeholderOf(element) || "");
  }

  /**
   * The element's accessible description, where it says more than the name.
   * @param {Item} item
   * @param {string} name
   */
  descriptionOf({ element }, name) {
    const text = this.referred(element, "aria-describedby") || tidy(ariaOf(element, "aria-description") ?? "");
    if (text) return text;
    // What a label that is hidden has hidden.
    const title = tidy(element.getAttribute("title") || (name ? null : placeholderOf(element)) || "");
    return title === name ? "" : title;
  }

  /** What the elements say that it refers to, shown or not. @param {Element} from @param {string} attribute */
  referred(from, attribute) {
    const elements = referredBy(from, attribute);
    if (!elements.length) return "";
    const { said } = this;
    this.said = new Set();
    const texts = elements.map((element) => {
      const around = element !== from && element.contains(from) && this.shown.get(element);
      const text = around ? this.inReference(() => this.contentWithout(around, from)) : this.textFor(element);
      this.said.add(element);
      return text;
    });
    this.said = said;
    return tidy(texts.join(" "));
  }

  /** What an element says where a name refers to it. @param {Element} element @returns {string} */
  textFor(element) {
    // Its labels, which were said before, aren't said again.
    if (this.labels.get(element)?.some((label) => this.said.has(label))) return this.inReference(() => this.textOf(element));
    let text = this.referenced.get(element);
    if (text !== undefined) return text;
    // One that refers back to itself finds this.
    this.referenced.set(element, "");
    text = this.inReference(() => this.textOf(element));
    this.referenced.set(element, text);
    return text;
  }

  /** @param {() => string} tell */
  inReference(tell) {
    const { referring } = this;
    this.referring = true;
    const text = tell();
    this.referring = referring;
    return text;
  }

  /** @param {Element} element */
  textOf(element) {
    const item = this.shown.get(element) ?? this.visit(element);
    const value = item && embeddedValue(item);
    if (value) return tidy(value);
    const label = ariaOf(element, "aria-label");
    if (label?.trim()) return tidy(label);
    // What is never drawn, as the title of an image, is plain text.
    if (!item) return tidy(element.textContent ?? "");
    const native = value ?? this.nativeName(item);
    return tidy(native || this.contentOf(item)) || tidy(element.getAttribute("title") ?? "");
  }

  /** An item for what the page's pass has left out. @param {Element} element @returns {Item | undefined} */
  visit(element) {
    const items = walkReferenced(element, this.owned);
    this.fold(items);
    return items[0];
  }

  /**
   * What HTML and SVG give as a name; null where they leave it to the content.
   * @param {Item} item
   * @returns {string | null}
   */
  nativeName(item) {
    const { element } = item;
    const labels = this.labels.get(element)?.filter((label) => !this.said.has(label));
    if (labels?.length) {
      // What is in another one of them has been said there.
      const outer = labels.filter((label) => !labels.some((other) => other !== label && other.contains(label)));
      return outer.map((label) => this.labelText(label, element)).join(" ");
    }
    return namingPart(element) ? this.partName(element) : nativeText(element, item.role);
  }

  /** The text of the part that names it, if it has one. @param {Element} element */
  partName(element) {
    const part = namingPart(element);
    return part ? this.textFor(part) : "";
  }

  /** What is seen of a label. @param {Element} label @param {Element} control */
  labelText(label, control) {
    const item = this.shown.get(label);
    return item ? this.contentWithout(item, control) : "";
  }

  /**
   * The text of what names a control, without the value of the control itself.
   * @param {Item} label
   * @param {Element} control
   */
  contentWithout(label, control) {
    const own = this.shown.get(control);
    if (!own || !label.element.contains(control)) return this.labelContent(label);
    const { piece } = own;
    own.piece = " ";
    this.foldAbove(own, label);
    const text = this.labelContent(label);
    own.piece = piece;
    this.foldAbove(own, label);
    return text;
  }

  /** What is between the two, anew. @param {Item} inner @param {Item} outer */
  foldAbove(inner, outer) {
    for (let above = inner.parent; above && above !== outer; above = above.parent) above.piece = this.pieceOf(above);
  }

  /** @param {Item} label */
  labelContent(label) {
    const given = label.element.getAttribute("aria-label");
    if (given?.trim()) return given;
    const text = this.contentOf(label);
    return text.trim() ? text : (label.element.getAttribute("title") ?? "");
  }
}
