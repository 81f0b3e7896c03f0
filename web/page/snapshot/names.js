// Names and descriptions by Accessible Name and Description Computation 1.2 (https://www.w3.org/TR/accname-1.2/) and
// HTML-AAM; how pieces of text are spaced and what ARIA leaves open is as in Chromium.

import { APART, NAMED_BY_CONTENT } from "./roles.js";
import { Generated } from "./generated.js";
import { Item, walkReferenced } from "./tree.js";
import { shownValue } from "./values.js";

// No name that a person gave is longer; one made of a whole page helps nobody.
const LONGEST = 1_000;
const BUTTONS = new Set(["button", "submit", "reset", "image", "file"]);
// Their values are parts and swatches rather than text.
const UNSPOKEN = new Set(["date", "datetime-local", "month", "week", "time", "color"]);
/** @type {Record<string, string>} */
const FALLBACKS = { submit: "Submit", reset: "Reset", image: "Submit", file: "Choose File" };
const PLACEHOLDERS = new Set(["text", "search", "tel", "url", "email", "password", "number"]);
const INITIAL = /(?<![\p{L}\p{N}\p{M}'’])\p{Ll}/gu;
const IN_WORD = /[\p{L}\p{N}\p{M}'’]$/u;
const LABELABLE = new Set(["input", "select", "textarea", "button", "meter", "output", "progress"]);

export class Names {
  /** @param {Item[]} items of the page, whose texts are put together here */
  constructor(items) {
    /** @type {Map<Element, Item>} */
    this.shown = new Map();
    /** @type {Map<Element, Item[]>} the labels of controls, found in one pass: `element.labels` scans the tree each time */
    this.labels = new Map();
    /** @type {Map<Element, string>} */
    this.referenced = new Map();
    /** Within a reference no other one is followed (accname 2B). */
    this.referring = false;
    this.generated = new Generated(items);
    for (const item of items) {
      if (item.told) this.shown.set(item.element, item);
      if (item.name === "label") this.noteLabel(item);
    }
    this.fold(items);
  }

  /** @param {Item} item */
  noteLabel(item) {
    const { control } = /** @type {HTMLLabelElement} */ (item.element);
    if (!control) return;
    const known = this.labels.get(control);
    if (known) known.push(item);
    else this.labels.set(control, [item]);
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
    const label = item.attributed ? element.getAttribute("aria-label") : null;
    if (label?.trim()) return ` ${label} `;
    if (name === "br" || name === "wbr") return " ";
    const value = embeddedValue(item);
    if (value !== null) return ` ${value} `;
    const native = nativeText(element, role);
    if (native !== null) return native || name === "input" ? ` ${native} ` : "";
    const text = isApart(element, role) ? this.partName(item) : this.contentOf(item);
    return isBlock(item) || (text && isInlineBox(item)) ? spaced(text) : text;
  }

  /** The text in the element, with what its style adds. @param {Item} item */
  contentOf(item) {
    let text = this.generated.text(item, "::before");
    for (const child of item.children) {
      text += child instanceof Item ? this.added(child) : drawn(child, item, text);
      if (text.length > LONGEST) return text.slice(0, LONGEST);
    }
    return text + this.generated.text(item, "::after");
  }

  /** @param {Item} child */
  added(child) {
    const ids = this.referring || !child.attributed ? null : child.element.getAttribute("aria-labelledby");
    const text = ids && this.referred(child.element, ids);
    return text ? ` ${text} ` : child.piece;
  }

  /** The element's accessible name. @param {Item} item */
  nameOf(item) {
    const { element, role } = item;
    const ids = element.getAttribute("aria-labelledby");
    const referred = ids && this.referred(element, ids);
    if (referred) return referred;
    const label = element.getAttribute("aria-label");
    if (label?.trim()) return tidy(label);
    const native = this.nativeName(item);
    if (native) return tidy(native);
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
    const ids = element.getAttribute("aria-describedby");
    const text = ids ? this.referred(element, ids) : tidy(element.getAttribute("aria-description") ?? "");
    if (text) return text;
    const title = tidy(element.getAttribute("title") ?? "");
    return title === name ? "" : title;
  }

  /** What the elements with these ids say, shown or not. @param {Element} from @param {string} ids */
  referred(from, ids) {
    const root = /** @type {Document | ShadowRoot} */ (from.getRootNode());
    const texts = ids.split(/\s+/).map((id) => {
      const element = id ? root.getElementById?.(id) : null;
      if (!element) return "";
      const around = element !== from && element.contains(from) && this.shown.get(element);
      return around ? this.inReference(() => this.contentWithout(around, from)) : this.textFor(element);
    });
    return tidy(texts.join(" "));
  }

  /** What an element says where a name refers to it. @param {Element} element @returns {string} */
  textFor(element) {
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
    const label = element.getAttribute("aria-label");
    if (label?.trim()) return tidy(label);
    const item = this.shown.get(element) ?? this.visit(element);
    // What is never drawn, as the title of an image, is plain text.
    if (!item) return tidy(element.textContent ?? "");
    const native = embeddedValue(item) ?? this.nativeName(item);
    return tidy(native || this.contentOf(item)) || tidy(element.getAttribute("title") ?? "");
  }

  /** An item for what the page's pass has left out. @param {Element} element @returns {Item | undefined} */
  visit(element) {
    const items = walkReferenced(element);
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
    const labels = LABELABLE.has(element.localName) && this.labels.get(element);
    if (labels) {
      const elements = new Set(labels.map((label) => label.element));
      // What is in another one of them has been said there.
      const outer = labels.filter(({ element: label }) => !elements.has(label.parentElement?.closest("label") ?? element));
      const text = outer.map((label) => this.contentWithout(label, element)).join(" ");
      if (text.trim()) return text;
    }
    return element.localName in PARTS ? this.partName(item) : nativeText(element, item.role);
  }

  /** The text of the part that names it, if it has one. @param {Item} item */
  partName({ element, name }) {
    const part = PARTS[name] ? childNamed(element, PARTS[name]) : null;
    return part ? this.textFor(part) : "";
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

/** Elements that a part of their content names. @type {Record<string, string>} */
const PARTS = { fieldset: "legend", table: "caption", figure: "figcaption" };

/** @param {Element} element @param {string} name */
function childNamed(element, name) {
  for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
    if (child.localName === name) return child;
  }
  return null;
}

/**
 * A name that the element's attributes give; null where they say nothing.
 * @param {Element} element
 * @param {string} role
 * @returns {string | null}
 */
function nativeText(element, role) {
  switch (element.localName) {
    case "img":
    case "area":
      return element.getAttribute("alt") ?? (element.getAttribute("title") || "");
    case "input":
      return buttonText(/** @type {HTMLInputElement} */ (element));
    case "optgroup":
      return element.getAttribute("label");
    case "option":
      return element.getAttribute("label") || null;
    case "svg":
    case "g":
      return svgTitle(element);
    case "iframe":
      return element.getAttribute("title") ?? "";
    default:
      return role === "image" ? "" : null;
  }
}

/** @param {HTMLInputElement} input */
function buttonText(input) {
  if (!BUTTONS.has(input.type)) return "";
  if (input.type === "image") {
    return input.getAttribute("alt") || input.getAttribute("value") || input.getAttribute("title") || FALLBACKS.image;
  }
  if (input.type === "file") return FALLBACKS.file;
  return input.getAttribute("value") ?? FALLBACKS[input.type] ?? input.getAttribute("title") ?? "";
}

/** @param {Element} svg */
function svgTitle(svg) {
  const title = childNamed(svg, "title");
  return title ? (title.textContent ?? "") : null;
}

/** @param {Element} element */
function placeholderOf(element) {
  const name = element.localName;
  if (name === "textarea" || (name === "input" && PLACEHOLDERS.has(/** @type {HTMLInputElement} */ (element).type))) {
    const given = element.getAttribute("placeholder");
    if (given) return given;
  }
  return element.getAttribute("aria-placeholder");
}

/**
 * What a control adds to a label that it is in (accname 2C); null for what is no such control.
 * @param {Item} item
 */
function embeddedValue({ element, role }) {
  if (element.localName === "input" && UNSPOKEN.has(/** @type {HTMLInputElement} */ (element).type)) return null;
  switch (role) {
    case "textbox":
    case "searchbox":
    case "combobox":
    case "listbox":
    case "slider":
    case "spinbutton":
    case "progressbar":
    case "meter":
    case "scrollbar":
      return shownValue(element, role);
    default:
      return element.localName === "input" && PLACEHOLDERS.has(/** @type {HTMLInputElement} */ (element).type)
        ? shownValue(element, role)
        : null;
  }
}

/** Whether what it contains stands for itself. @param {Element} element @param {string} role */
function isApart(element, role) {
  if (!APART.has(role) || element.localName === "svg" || element.localName === "details") return false;
  // A table without headers or caption is there for the layout.
  return element.localName !== "table" || hasHeaders(/** @type {HTMLTableElement} */ (element));
}

/** @param {HTMLTableElement} table */
function hasHeaders(table) {
  if (childNamed(table, "caption") || childNamed(table, "thead")) return true;
  const first = table.rows.item(0);
  return first !== null && childNamed(first, "th") !== null;
}

/**
 * Whether a space keeps it from the text beside it, even if there is nothing in it. What floats or is positioned has the
 * display of a block.
 * @param {Item} item
 */
function isBlock({ style: { display } }) {
  return display !== "inline" && !display.startsWith("inline-") && !display.startsWith("ruby");
}

/** A text with one space on either side, however deep the boxes around it nest. @param {string} text */
function spaced(text) {
  if (!text) return " ";
  return `${text.startsWith(" ") ? "" : " "}${text}${text.endsWith(" ") ? "" : " "}`;
}

/** @param {Item} item */
function isInlineBox({ style }) {
  return style.display.startsWith("inline-");
}

/**
 * A text as it is drawn after what stands before it.
 * @param {Text} text
 * @param {Item} within
 * @param {string} before
 */
export function drawn({ data }, within, before) {
  switch (within.style.textTransform) {
    case "uppercase":
      return data.toLocaleUpperCase();
    case "lowercase":
      return data.toLocaleLowerCase();
    case "capitalize": {
      const first = IN_WORD.test(before) ? data.search(/[^\p{L}\p{N}\p{M}'’]|$/u) : 0;
      return data.slice(0, first) + data.slice(first).replace(INITIAL, (letter) => letter.toLocaleUpperCase());
    }
    default:
      return data;
  }
}

/** One space for each stretch of HTML's white space, none at the ends. @param {string} text */
export function tidy(text) {
  if (!/^\s|\s$|\s\s|[\t\n\f\r]/.test(text)) return text;
  return text.replace(/[ \t\n\f\r]+/g, " ").replace(/^ | $/g, "");
}
