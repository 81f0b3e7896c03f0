// One pass over the page as it is shown: documents, shadow roots, slots and same-origin frames, in reading order, without
// what is hidden. Nothing recurses, so that depth costs nothing.

import { areasOf, drawnAs } from "../areas.js";
import { frameDocument, isFrame } from "../composed.js";
import { isPanel } from "../panels.js";
import { ariaOf, hasInternals, shadowOf } from "../internals.js";
import { Owned } from "./owned.js";
import { NAMED_BY_CONTENT, roleOf } from "./roles.js";

const SKIPPED = new Set(
  "script style template noscript head meta link title base datalist param source track rp rt colgroup col".split(" "),
);
const CLOSED = new Set("canvas object embed video audio img input textarea br wbr hr progress meter".split(" "));
/** @typedef {(element: Element) => boolean} Hears whether pressing the element runs a listener */

const VISIBLE = { visibilityProperty: true };

/** @type {(Item | Text)[]} */
const NONE = [];
/** How what isn't drawn would be: to ask for its style takes as long as it is deep. */
const UNDRAWN = {
  inline: { display: "inline", textTransform: "none", cursor: "auto" },
  block: { display: "block", textTransform: "none", cursor: "auto" },
};
const INLINE = new Set("a abbr b bdi bdo cite code em font i kbd label mark q s samp small span strong sub sup time u var".split(" "));

/** An element of the page as it is shown. */
export class Item {
  /**
   * @param {Element} element
   * @param {string} name its local name
   * @param {Item | null} parent
   * @param {number} index
   */
  constructor(element, name, parent, index) {
    this.element = element;
    this.name = name;
    this.parent = parent;
    this.index = index;
    /** The index of the first item after what it contains. */
    this.end = index + 1;
    this.role = "generic";
    /** Whether its text may be needed for a name. */
    this.told = Boolean(parent?.told);
    /** False where only its descendants can be seen. */
    this.visible = true;
    /** Whether it has attributes: most elements have none, and needn't be asked for each. */
    this.attributed = element.hasAttributes() || hasInternals(element);
    /** In order, where `told`. @type {(Item | Text)[]} */
    this.children = NONE;
    /** What it adds to the name of what it is in, where that is `told`. */
    this.piece = "";
    /** By `aria-disabled`, which holds for what is in it, too. */
    this.barred = Boolean(parent?.barred);
    /** False in a part of the page that isn't shown and that a name refers to. */
    this.drawn = true;
    /** @type {Pick<CSSStyleDeclaration, "display" | "textTransform" | "cursor"> | null} */
    this.computed = null;
  }

  get style() {
    if (!this.drawn) return INLINE.has(this.name) ? UNDRAWN.inline : UNDRAWN.block;
    return (this.computed ??= getComputedStyle(this.element));
  }
}

/**
 * The items of a page in reading order; with a modal dialog open, that alone, since the rest is inert.
 * @param {Document} document
 * @param {Hears} hears
 * @param {boolean} panels whether the surface's own panels count, too
 * @returns {{ items: Item[], owned: Owned, panels: Element[] }} `panels` are those that were left out
 */
export function walkPage(document, hears, panels) {
  const pass = new Pass({ hears, panels });
  pass.run(shownRoot(document.documentElement));
  const [inner] = pass.modals;
  if (!inner) return pass;
  // It is in a shadow root, where no selector finds it.
  const again = new Pass({ hears, panels });
  again.run(inner.element);
  return again;
}

/**
 * The items below and including `root` with their texts, for a name that refers to it.
 * @param {Element} root
 * @param {Owned} [owned] of the page
 * @returns {Item[]}
 */
export function walkReferenced(root, owned) {
  // A reference to something hidden means all of it (accname 2A).
  const pass = new Pass({ told: true, hidden: !root.checkVisibility(VISIBLE), owned });
  pass.run(root);
  return pass.items;
}

class Pass {
  /**
   * @param {{ hidden?: boolean, told?: boolean, owned?: Owned, hears?: Hears, panels?: boolean }} options `hidden`: what isn't shown
   *   counts, too
   */
  constructor({ hidden = false, told = false, owned, hears = () => false, panels = true }) {
    /** Noted root by root, where it isn't known. */
    this.notesOwned = owned === undefined;
    this.owned = owned ?? new Owned();
    this.hears = hears;
    this.countsPanels = panels;
    /** @type {Element[]} */
    this.panels = [];
    this.hidden = hidden;
    this.told = told;
    /** @type {Element | null} */
    this.root = null;
    /** @type {Item[]} */
    this.items = [];
    /** @type {Item[]} */
    this.modals = [];
    /** @type {(Node | Item)[]} an item here ends itself */
    this.stack = [];
    /** @type {Item | null} */
    this.within = null;
  }

  /** @param {Element} root */
  run(root) {
    this.root = root;
    this.noteOwned(root);
    this.stack.push(root);
    for (let next = this.stack.pop(); next; next = this.stack.pop()) {
      if (next instanceof Item) this.leave(next);
      else if (next.nodeType === 1) this.enter(/** @type {Element} */ (next));
      else if (this.within?.visible && this.within.told) this.within.children.push(/** @type {Text} */ (next));
    }
  }

  /** @param {Element | ShadowRoot} root */
  noteOwned(root) {
    if (this.notesOwned) this.owned.note(root);
  }

  /** @param {Item} item */
  leave(item) {
    item.end = this.items.length;
    this.within = item.parent;
  }

  /** @param {Element} element */
  enter(element) {
    const name = element.localName;
    if (SKIPPED.has(name)) return;
    const isRoot = element === this.root;
    const visible = this.hidden || isRoot || isShown(drawnAs(element));
    if (visible === null) return;
    const parent = this.within;
    const item = new Item(element, name, parent, this.items.length);
    if (item.attributed && !this.hidden && !isRoot && this.isLeftOut(element)) return;
    item.visible = visible;
    item.drawn = !this.hidden;
    item.role = roleOf(item);
    if (item.attributed) this.note(item);
    if (parent?.told) parent.children.push(item);
    item.told ||= this.told || NAMED_BY_CONTENT.has(item.role) || name === "label";
    if (item.told) item.children = [];
    this.items.push(item);
    if (name === "dialog" && this.isModal(element)) this.modals.push(item);
    this.within = item;
    this.stack.push(item);
    this.pushChildren(item);
  }

  /** @param {Element} element with attributes */
  isLeftOut(element) {
    if (isWithheld(element)) return true;
    if (this.countsPanels || !isPanel(element)) return false;
    this.panels.push(element);
    return true;
  }

  /** What attributes and listeners say of it. @param {Item} item */
  note(item) {
    const barred = ariaOf(item.element, "aria-disabled");
    if (barred !== null) item.barred = barred === "true";
    // As Chromium has it: a link without an address, which a script follows.
    if (item.name === "a" && item.role === "generic" && this.hears(item.element)) item.role = "link";
  }

  /** @param {Element} element */
  isModal(element) {
    const { root } = this;
    return root !== element && root?.ownerDocument === element.ownerDocument && element.matches(":modal");
  }

  /** @param {Item} item */
  pushChildren(item) {
    const { element, name, role } = item;
    if (name === "img") this.stack.push(...areasOf(element).reverse());
    if (CLOSED.has(name)) return;
    // The text of closed details isn't shown; of their elements each is asked.
    const told = item.told && (name !== "details" || /** @type {HTMLDetailsElement} */ (element).open);
    if (isFrame(element)) {
      const inner = told ? null : frameDocument(element)?.documentElement;
      if (!inner) return;
      const root = shownRoot(inner);
      this.noteOwned(root);
      this.stack.push(root);
      return;
    }
    // A closed drop-down shows none of its options.
    if (name === "select" && role !== "listbox") return;
    const shadow = shadowOf(element);
    if (shadow) this.noteOwned(shadow);
    for (const part of this.owned.partsOf(element).toReversed()) this.stack.push(part);
    const given = assigned(element, name);
    for (let index = given.length - 1; index >= 0; index--) this.pushNode(given[index], told);
    if (given.length) return;
    for (let node = (shadow ?? element).lastChild; node; node = node.previousSibling) this.pushNode(node, told);
  }

  /** A child, unless another element owns it. @param {Node} node @param {boolean} told */
  pushNode(node, told) {
    const type = node.nodeType;
    if (type === 1 && (this.owned.has(node) || /** @type {Element} */ (node).localName === "area")) return;
    if (type === 1 || (told && type === 3)) this.stack.push(node);
  }
}

/** The documents and shadow roots that items are in. @param {Item[]} items @returns {Set<Document | ShadowRoot>} */
export function rootsOf(items) {
  /** @type {Set<Document | ShadowRoot>} */
  const roots = new Set();
  for (const { element, parent } of items) {
    const shadow = shadowOf(element);
    if (shadow) roots.add(shadow);
    if (parent === null || parent.element.ownerDocument !== element.ownerDocument) roots.add(element.ownerDocument);
  }
  return roots;
}

/** What a slot was given. @param {Element} element @param {string} name @returns {Node[]} */
function assigned(element, name) {
  return name === "slot" ? /** @type {HTMLSlotElement} */ (element).assignedNodes() : [];
}

/** The children of an item as they are drawn. @param {Item} item @returns {Node[]} */
export function flatChildren({ element, name }) {
  const given = assigned(element, name);
  return given.length ? given : [...(shadowOf(element) ?? element).childNodes];
}

/**
 * Whether it can be seen; null where nothing below it can, either.
 * @param {Element} element
 * @returns {boolean | null}
 */
function isShown(element) {
  if (element.checkVisibility(VISIBLE)) return true;
  const { display, visibility } = getComputedStyle(element);
  if (display === "none" || display === "") return null;
  if (visibility !== "visible") return false;
  return display === "contents" ? true : null;
}

/**
 * Whether the page withholds it and all below from those who read it otherwise than by eye.
 * @param {Element} element
 */
function isWithheld(element) {
  if (element.hasAttribute("inert")) return true;
  return element.getAttribute("aria-hidden") === "true" && !element.matches(":focus-within, html, body");
}

/** The root of a document, or of what isn't inert in it: the modal dialog on top. @param {Element} root */
function shownRoot(root) {
  const modals = [...root.querySelectorAll("dialog:modal")];
  if (modals.length < 2) return modals[0] ?? root;
  const onTop = modals.find((dialog) => {
    const { left, top, width, height } = dialog.getBoundingClientRect();
    const hit = root.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
    return hit?.closest("dialog:modal") === dialog;
  });
  return onTop ?? modals[modals.length - 1];
}
