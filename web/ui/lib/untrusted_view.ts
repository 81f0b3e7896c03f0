/**
 * Shows markup of untrusted authors in a shadow root, so that it has no ids, labels or names in common with the surface and
 * can't draw outside of its place. Its links have no address that the browser could open: a press asks the page.
 */

import { h } from "./elements.ts";
import type { Markup } from "./untrusted_html.ts";

/** The event of a pressed link, whose `detail` is the address. */
const FOLLOW = "surface-follow";

interface Place {
  /** the class of the element that contains the markup */
  style: string;
  /** makes the place a group that the keyboard can scroll */
  label?: string;
}

/** what a link of the text leads to */
type Target = { title: string; act: () => void };

/** The page's style sheets, shared by all views of a bundle. */
let style: CSSStyleSheet | undefined;

export class UntrustedView {
  element = h("div", { class: "untrusted" });
  #place: HTMLDivElement;

  constructor({ style: name, label }: Place) {
    this.#place = h("div", { class: name, ...(label ? { role: "group", tabindex: 0, "aria-label": label } : {}) });
    const root = this.element.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [(style ??= copyOfStyle())];
    root.append(this.#place);
  }

  /** Add prepared markup, or elements of the surface. */
  append(...nodes: Node[]) {
    this.#place.append(...nodes);
  }

  clear() {
    this.#place.replaceChildren();
  }
}

/**
 * Prepare sanitized markup for a view: images load only from data, and links ask.
 *
 * @param targetOf - returns the target of an address that is none of the web
 */
export function prepared({ fragment, anchors }: Markup, targetOf: (address: string) => Target | null = () => null) {
  for (const image of fragment.querySelectorAll("img[src]")) {
    if (!/^data:image\//i.test(image.getAttribute("src") ?? "")) image.removeAttribute("src");
  }
  for (const link of fragment.querySelectorAll("a")) {
    const address = link.getAttribute("href") ?? "";
    link.removeAttribute("href");
    const anchor = address.startsWith("#") ? anchors.get(decoded(address.slice(1))) : undefined;
    const target = anchor
      ? { title: link.title, act: () => showAnchor(anchor) }
      : (ofWeb(link, address) ?? targetOf(address));
    if (target) connect(link, target);
  }
  return fragment;
}

/** Call `follow` with the address of each link of untrusted markup that is pressed. */
export function followLinks(follow: (url: string) => void) {
  document.addEventListener(FOLLOW, (event) => event instanceof CustomEvent && follow(String(event.detail)));
}

function ofWeb(link: Element, address: string): Target | null {
  const url = URL.parse(address);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return null;
  const { href } = url;
  return {
    title: href,
    act: () => link.dispatchEvent(new CustomEvent(FOLLOW, { bubbles: true, composed: true, detail: href })),
  };
}

/**
 * Make an element a link that acts only here. Without an address, the browser can't open, drag, fetch or preview it.
 */
function connect(link: HTMLElement, { title, act }: Target) {
  link.role = "link";
  link.tabIndex = 0;
  link.title = title;
  link.addEventListener("click", (event) => event.isTrusted && act());
  link.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.repeat || !event.isTrusted) return;
    event.preventDefault();
    act();
  });
}

function showAnchor(anchor: Element) {
  anchor.scrollIntoView();
  if (!(anchor instanceof HTMLElement)) return;
  anchor.tabIndex = -1;
  anchor.focus({ preventScroll: true });
}

function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

function copyOfStyle() {
  const sheets = Array.from(document.styleSheets).filter(({ href }) => href !== null);
  const copy = new CSSStyleSheet();
  copy.replaceSync(sheets.flatMap(({ cssRules }) => Array.from(cssRules, ({ cssText }) => cssText)).join("\n"));
  return copy;
}
