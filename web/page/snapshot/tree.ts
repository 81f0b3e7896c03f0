// Walks the visible page in reading order: documents, shadow roots, slots and same-origin frames. It doesn't recurse,
// so that deep pages can't overflow the stack.

import { areasOf, shownAs } from "../areas.ts";
import { frameDocument, isFrame } from "../composed.ts";
import * as dom from "../dom.ts";
import { isPanel } from "../panels.ts";
import { labelFor, widgetOf, widgetOfFiles } from "../native_controls.ts";
import { ariaOf, hasInternals, shadowOf } from "../internals.ts";
import { Owned } from "./owned.ts";
import { GRIDS, NAMED_BY_CONTENT, roleOf } from "./roles.ts";

const SKIPPED = new Set(
  "script style template noscript head meta link title base datalist param source track rp rt colgroup col".split(" "),
);
const CLOSED = new Set("canvas object embed video audio img input textarea br wbr hr progress meter".split(" "));
/** returns whether the element has a press listener */
type HasListener = (element: Element) => boolean;

const VISIBLE = { visibilityProperty: true };

const NONE: (Item | Text)[] = [];
const NOTHING: Node[] = [];
/** Default styles for elements that aren't drawn, because computing theirs is slow. */
const UNDRAWN = {
  inline: { display: "inline", textTransform: "none", cursor: "auto" },
  block: { display: "block", textTransform: "none", cursor: "auto" },
};
const INLINE = new Set(
  "a abbr b bdi bdo cite code em font i kbd label mark q s samp small span strong sub sup time u var".split(" "),
);

/** An element of the visible page. */
export class Item {
  element: Element;
  name: string;
  parent: Item | null;
  index: number;
  /** The index of the first item after its descendants. */
  end: number;
  role = "generic";
  /** True if a name may need its text. */
  collectsText: boolean;
  /** False if only its descendants are visible. */
  visible = true;
  /** False if it has neither attributes nor internals, so that look-ups can be skipped. */
  attributed: boolean;
  /** Children in order, if `collectsText`. */
  children = NONE;
  /** The text that it adds to its parent's name, if the parent `collectsText`. */
  piece = "";
  /** The spaces that inline boxes add to its text: at its start (1), at its end (2), or both (3). */
  edges = 0;
  /** True if it or an ancestor has `aria-disabled`. */
  barred: boolean;
  /** The grid around it. */
  grid: Item | null;
  /** False in a hidden part of the page that a name refers to. */
  drawn = true;
  computed: Pick<CSSStyleDeclaration, "display" | "textTransform" | "cursor"> | null = null;

  /** @param name - its local name */
  constructor(element: Element, name: string, parent: Item | null, index: number) {
    this.element = element;
    this.name = name;
    this.parent = parent;
    this.index = index;
    this.end = index + 1;
    this.collectsText = Boolean(parent?.collectsText);
    this.attributed = dom.hasAttributes(element) || hasInternals(element);
    this.barred = Boolean(parent?.barred);
    this.grid = gridAround(parent);
  }

  get style() {
    if (!this.drawn) return INLINE.has(this.name) ? UNDRAWN.inline : UNDRAWN.block;
    return (this.computed ??= getComputedStyle(this.element));
  }
}

function gridAround(parent: Item | null): Item | null {
  return parent && (GRIDS.has(parent.role) ? parent : parent.grid);
}

/** what a walk over a page has found; `panels` are those that it left out */
export type Walked = Pick<Pass, "items" | "owned" | "roots" | "panels" | "unrendered">;

/**
 * Return the items of a page in reading order. If a modal dialog is open, the rest is inert and omitted.
 * @param panels - whether to include the surface's own panels
 */
export function walkPage(document: Document, hasListener: HasListener, panels: boolean): Walked {
  const pass = new Pass({ hasListener, countsPanels: panels });
  pass.run(shownRoot(dom.documentElement(document)));
  const [inner] = pass.modals;
  if (!inner) return pass;
  // The dialog is in a shadow root, where selectors didn't find it.
  const again = new Pass({ hasListener, countsPanels: panels });
  again.run(inner.element);
  return again;
}

/**
 * Return `root`, its descendants and their text, for a name that refers to `root`.
 * @param owned - of the page
 */
export function walkReferenced(root: Element, owned?: Owned): Pick<Walked, "items" | "roots"> {
  // A reference to a hidden element includes all of it (accname 2A).
  const pass = new Pass({ collectsText: true, hidden: !dom.checkVisibility(root, VISIBLE) }, owned);
  pass.run(root);
  return pass;
}

/** One walk over a tree. */
class Pass {
  owned = new Owned();
  /** True if owned elements must be recorded during the walk. */
  notesOwned = true;
  hasListener: HasListener = () => false;
  /** True if the surface's own panels are included. */
  countsPanels = true;
  panels: Element[] = [];
  /** True if hidden elements are included. */
  hidden = false;
  /** True if names may need the text. */
  collectsText = false;
  /** The documents and shadow roots that contain the items. */
  roots = new Set<Document | ShadowRoot>();
  /** Elements whose content isn't rendered (`content-visibility: hidden`). */
  unrendered = new Set<Element>();
  root: Element | null = null;
  items: Item[] = [];
  modals: Item[] = [];
  /** Nodes to enter, and items to leave. */
  stack: (Node | Item)[] = [];
  within: Item | null = null;

  /** @param owned - if it was recorded before */
  constructor(options: Partial<Pick<Pass, "hasListener" | "countsPanels" | "hidden" | "collectsText">>, owned?: Owned) {
    Object.assign(this, options);
    this.notesOwned = owned === undefined;
    if (owned) this.owned = owned;
  }

  run(root: Element) {
    this.root = root;
    this.noteRoot(root);
    this.stack.push(root);
    for (let next = this.stack.pop(); next; next = this.stack.pop()) {
      if (next instanceof Item) this.leave(next);
      else if (dom.isElementNode(next)) this.enter(next);
      else if (this.within?.visible && this.within.collectsText && dom.isText(next)) this.within.children.push(next);
    }
  }

  /** @param root - of a document, or a shadow root */
  noteRoot(root: Element | ShadowRoot) {
    this.roots.add(dom.isShadowRoot(root) ? root : dom.ownerDocument(root));
    if (this.notesOwned) this.owned.note(root);
  }

  leave(item: Item) {
    item.end = this.items.length;
    this.within = item.parent;
  }

  enter(element: Element) {
    const name = dom.localName(element);
    if (SKIPPED.has(name)) return;
    const isRoot = element === this.root;
    const visible = this.hidden || isRoot || isShown(shownAs(element));
    const parent = this.within;
    const tied = !visible && !this.hidden && this.isTied(element);
    if (visible === null && !tied) {
      if (parent && getComputedStyle(parent.element).contentVisibility === "hidden")
        this.unrendered.add(parent.element);
      return;
    }
    const item = new Item(element, name, parent, this.items.length);
    if (item.attributed && !this.hidden && !isRoot && this.isLeftOut(element)) return;
    item.visible = visible || tied;
    item.drawn = !this.hidden;
    item.role = roleOf(item);
    if (item.attributed) this.note(item);
    // As in Chromium, a link without a URL that has a listener is a link.
    if (name === "a" && item.role === "generic" && this.hasListener(element)) item.role = "link";
    if (parent?.collectsText && !tied) parent.children.push(item);
    item.collectsText ||= this.collectsText || isNamedByContent(item) || name === "label";
    if (item.collectsText) item.children = [];
    this.items.push(item);
    if (name === "dialog" && this.isModal(element)) this.modals.push(item);
    this.within = item;
    this.stack.push(item);
    this.pushChildren(item);
    const { control } = dom.propertiesOf(element);
    if (visible && name === "label" && control && labelFor(control) === element && !isShown(control))
      this.enterBehind(control, item);
  }

  /** Return whether something else is shown for a hidden element. A label lists its control itself. */
  isTied(element: Element) {
    return widgetOfFiles(element) !== null || Boolean(labelFor(element)?.matches(":not(label)"));
  }

  /** Add the hidden control of a label. */
  enterBehind(control: Element, label: Item) {
    const item = new Item(control, dom.localName(control), label, this.items.length);
    item.role = roleOf(item);
    this.note(item);
    this.items.push(item);
  }

  /** @param element - with attributes */
  isLeftOut(element: Element) {
    if (isWithheld(element)) return true;
    if (this.countsPanels || !isPanel(element)) return false;
    this.panels.push(element);
    return true;
  }

  /** Apply `aria-disabled`. */
  note(item: Item) {
    const barred = ariaOf(item.element, "aria-disabled");
    if (barred !== null) item.barred = barred === "true";
  }

  isModal(element: Element) {
    const { root } = this;
    return (
      root !== null &&
      root !== element &&
      dom.ownerDocument(root) === dom.ownerDocument(element) &&
      dom.matches(element, ":modal")
    );
  }

  pushChildren(item: Item) {
    const { element, name, role } = item;
    if (name === "img") this.stack.push(...areasOf(element).reverse());
    if (CLOSED.has(name)) return;
    // The text of closed details isn't visible; their elements are checked one by one.
    const collectsText = item.collectsText && (!dom.isNamed(element, "details") || element.open);
    if (isFrame(element)) {
      const inner = collectsText ? null : frameDocument(element);
      const outermost = inner && dom.documentElement(inner);
      if (!outermost) return;
      const root = shownRoot(outermost);
      this.noteRoot(root);
      this.stack.push(root);
      return;
    }
    // A closed drop-down shows none of its options.
    if (name === "select" && (role !== "listbox" || widgetOf(element))) return;
    const shadow = shadowOf(element);
    if (shadow) this.noteRoot(shadow);
    const owned = this.owned.partsOf(element);
    for (let index = owned.length - 1; index >= 0; index--) this.stack.push(owned[index]);
    const given = name === "slot" ? assigned(element, name) : NOTHING;
    for (let index = given.length - 1; index >= 0; index--) this.pushNode(given[index], collectsText);
    if (given.length) return;
    const parent = shadow ?? element;
    if (collectsText)
      for (let node = dom.lastChild(parent); node; node = dom.previousSibling(node)) this.pushNode(node, true);
    else
      for (let node = dom.lastElementChild(parent); node; node = dom.previousElementSibling(node))
        this.pushNode(node, false);
  }

  /** Push a child, unless another element owns it. */
  pushNode(node: Node, collectsText: boolean) {
    if (dom.isElementNode(node)) {
      if (!this.owned.has(node) && dom.localName(node) !== "area") this.stack.push(node);
    } else if (collectsText && dom.isText(node)) this.stack.push(node);
  }
}

/** Return the nodes assigned to a slot. */
function assigned(element: Element, name: string): Node[] {
  return name === "slot" && dom.isNamed(element, "slot") ? element.assignedNodes() : [];
}

/** Return the children of an item in the flat tree. */
export function flatChildren({ element, name }: Item): Node[] {
  const given = assigned(element, name);
  return given.length ? given : [...dom.childNodes(shadowOf(element) ?? element)];
}

/** Return whether the item's content is its name. As in Chromium, a row has a name only if it can be focused. */
function isNamedByContent({ role, element }: Item) {
  return NAMED_BY_CONTENT.has(role) && (role !== "row" || dom.hasAttribute(element, "tabindex"));
}

/** Return whether an element is visible, or null if nothing below it is visible, either. */
function isShown(element: Element): boolean | null {
  if (dom.checkVisibility(element, VISIBLE)) return true;
  const { display, visibility } = getComputedStyle(element);
  if (display === "none" || display === "") return null;
  if (visibility !== "visible") return false;
  return display === "contents" ? true : null;
}

/** Return whether the element is hidden from assistive technology. */
function isWithheld(element: Element) {
  if (dom.hasAttribute(element, "inert")) return true;
  return dom.getAttribute(element, "aria-hidden") === "true" && !dom.matches(element, ":focus-within, html, body");
}

/** Return the topmost modal dialog, which makes the rest inert, or else the root. */
function shownRoot(root: Element) {
  const modals = [...dom.querySelectorAll(root, "dialog:modal")];
  if (modals.length < 2) return modals[0] ?? root;
  const onTop = modals.find((dialog) => {
    const { left, top, width, height } = dom.getBoundingClientRect(dialog);
    const hit = dom.elementFromPoint(dom.ownerDocument(root), left + width / 2, top + height / 2);
    return hit !== null && dom.closest(hit, "dialog:modal") === dialog;
  });
  return onTop ?? modals[modals.length - 1];
}
