// The properties and methods of elements and documents as their prototypes define them. A form's fields and a document's
// images, forms and frames hide the properties of their names: with `<input name="children">`, `form.children` is the field
// (https://webidl.spec.whatwg.org/#LegacyOverrideBuiltIns). So the page script reads no property of a node that may be a
// form or a document, but calls these. They work on nodes of every realm of the origin.

import type { EditContext } from "./surfaces.ts";

const XHTML = "http://www.w3.org/1999/xhtml";
const { call } = Function.prototype;

/** Return a method, or the function that reads a property. */
function functionOf(prototype: object, key: PropertyKey): Function {
  const { get, value } = Object.getOwnPropertyDescriptor(prototype, key) ?? {};
  const found = get ?? value;
  if (typeof found !== "function") throw new TypeError(`The browser's nodes have no ${String(key)}.`);
  return found;
}

/** Return the function that reads a property. */
function getter<T extends object, K extends keyof T>(prototype: T, key: K): (node: T) => T[K] {
  return call.bind(functionOf(prototype, key));
}

/**
 * Return the function that calls a method.
 * @param _prototype - which types the nodes
 */
function method<T extends object, M extends (...args: never[]) => unknown>(
  _prototype: T,
  own: M,
): (node: T, ...args: Parameters<M>) => ReturnType<M> {
  return call.bind(own);
}

const node = Node.prototype;
export const nodeType = getter(node, "nodeType");
export const nodeValue = getter(node, "nodeValue");
export const parentNode = getter(node, "parentNode");
export const parentElement = getter(node, "parentElement");
export const childNodes = getter(node, "childNodes");
export const lastChild = getter(node, "lastChild");
export const previousSibling = getter(node, "previousSibling");
export const isConnected = getter(node, "isConnected");
export const textContent = getter(node, "textContent");
export const baseURI = getter(node, "baseURI");
/** Return the document or shadow root around a node that is in one. */
export const getRootNode: (node: Node) => Root = call.bind(node.getRootNode);
export const contains = method(node, node.contains);
export const cloneNode = method(node, node.cloneNode);
export const compareDocumentPosition = method(node, node.compareDocumentPosition);

/** Return the document of a node, or null of a document. */
export const ownerDocument: (node: Node) => Document = call.bind(functionOf(node, "ownerDocument"));

export const isElementNode = (node: Node): node is Element => nodeType(node) === Node.ELEMENT_NODE;
export const isText = (node: Node): node is Text => nodeType(node) === Node.TEXT_NODE;
export const isDocument = (node: Node): node is Document => nodeType(node) === Node.DOCUMENT_NODE;
/** Return whether a node that has a host is one: of fragments, only shadow roots do. */
export const isShadowRoot = (node: Node): node is ShadowRoot => nodeType(node) === Node.DOCUMENT_FRAGMENT_NODE;

/** Return whether a value is an element of any realm. */
export function isElement(value: unknown): value is Element {
  try {
    return Reflect.apply(nodeType, null, [value]) === Node.ELEMENT_NODE;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
}

const target = EventTarget.prototype;
export const addEventListener = method(target, target.addEventListener);
export const removeEventListener = method(target, target.removeEventListener);
export const dispatchEvent = method(target, target.dispatchEvent);

const element = Element.prototype;
export const localName = getter(element, "localName");
export const namespaceURI = getter(element, "namespaceURI");
export const id = getter(element, "id");
export const classList = getter(element, "classList");
export const shadowRoot = getter(element, "shadowRoot");
export const assignedSlot = getter(element, "assignedSlot");
export const nextElementSibling = getter(element, "nextElementSibling");
export const previousElementSibling = getter(element, "previousElementSibling");
export const scrollTop = getter(element, "scrollTop");
export const scrollLeft = getter(element, "scrollLeft");
export const scrollWidth = getter(element, "scrollWidth");
export const scrollHeight = getter(element, "scrollHeight");
export const clientTop = getter(element, "clientTop");
export const clientLeft = getter(element, "clientLeft");
export const clientWidth = getter(element, "clientWidth");
export const clientHeight = getter(element, "clientHeight");
export const getAttribute = method(element, element.getAttribute);
export const getAttributeNames = method(element, element.getAttributeNames);
export const hasAttribute = method(element, element.hasAttribute);
export const hasAttributes = method(element, element.hasAttributes);
export const setAttribute = method(element, element.setAttribute);
export const removeAttribute = method(element, element.removeAttribute);
export const matches = method(element, element.matches);
export const closest: {
  <K extends keyof HTMLElementTagNameMap>(node: Element, selector: K): HTMLElementTagNameMap[K] | null;
  (node: Element, selector: string): Element | null;
} = call.bind(element.closest);
export const getBoundingClientRect = method(element, element.getBoundingClientRect);
export const getClientRects = method(element, element.getClientRects);
export const checkVisibility = method(element, element.checkVisibility);
export const scrollIntoView = method(element, element.scrollIntoView);
export const after = method(element, element.after);
export const animate = method(element, element.animate);
export const scrollBy: (element: Element, options: ScrollToOptions) => void = call.bind(element.scrollBy);

/** Return whether an element has a name of HTML's, and so its properties. */
export function isNamed<K extends keyof HTMLElementTagNameMap>(
  element: Element,
  name: K,
): element is HTMLElementTagNameMap[K] {
  return localName(element) === name;
}

const html = HTMLElement.prototype;

/** Return whether an element is one of HTML. The others are never forms. */
const isHtml = (node: Element): node is HTMLElement => namespaceURI(node) === XHTML;

/** Return the function that reads a property of HTML elements, which other elements may have, too. */
function htmlGetter<K extends keyof HTMLElement>(key: K): (node: Element) => HTMLElement[K] {
  const own = getter(html, key);
  return (node) => (isHtml(node) ? own(node) : Reflect.get(node, key));
}

/** Return the function that calls a method of HTML elements, which other elements may have, too. */
function htmlMethod<K extends "click" | "blur" | "focus">(
  key: K,
): (node: Element, ...args: Parameters<HTMLElement[K]>) => void {
  return (node, ...args) => Reflect.apply(isHtml(node) ? html[key] : Reflect.get(node, key), node, args);
}

export const isContentEditable = htmlGetter("isContentEditable");
export const innerText = htmlGetter("innerText");
export const offsetWidth = htmlGetter("offsetWidth");
export const offsetHeight = htmlGetter("offsetHeight");
export const popover = htmlGetter("popover");
export const draggable = htmlGetter("draggable");
export const contentEditable = htmlGetter("contentEditable");
export const tabIndex = htmlGetter("tabIndex");
export const style = htmlGetter("style");
export const hidePopover: (node: Element) => void = call.bind(html.hidePopover);

export const click = htmlMethod("click");
export const blur = htmlMethod("blur");
export const focus = htmlMethod("focus");

const form = HTMLFormElement.prototype;
const OWN = { get: (node: HTMLFormElement, key: string) => Reflect.get(form, key, node) };

/** what only some kinds of elements have */
export type Properties = Partial<
  Pick<
    HTMLInputElement,
    | "checked"
    | "form"
    | "labels"
    | "list"
    | "maxLength"
    | "popoverTargetElement"
    | "readOnly"
    | "src"
    | "type"
    | "minLength"
    | "validationMessage"
    | "validity"
    | "value"
  > &
    Pick<HTMLLabelElement, "control"> &
    Pick<HTMLAnchorElement, "href"> & { editContext: EditContext | null } & Pick<
      HTMLElement,
      "localName" | "onclick" | "onmousedown" | "onmouseup" | "onpointerdown" | "onpointerup"
    >
>;

/** Return an object with the properties of an element, for reads of what only some kinds of elements have. */
export function propertiesOf(node: Element): Properties {
  return isNamed(node, "form") && isHtml(node) ? new Proxy(node, OWN) : node;
}

export const formMethod = getter(form, "method");
export const elements = getter(form, "elements");
export const requestSubmit = method(form, form.requestSubmit);

const page = Document.prototype;
export const documentElement = getter(page, "documentElement");
export const body = getter(page, "body");
export const defaultView = getter(page, "defaultView");
export const scrollingElement = getter(page, "scrollingElement");
export const readyState = getter(page, "readyState");
export const visibilityState = getter(page, "visibilityState");
export const title = getter(page, "title");
export const contentType = getter(page, "contentType");
export const scripts = getter(page, "scripts");
export const currentScript = getter(page, "currentScript");
export const implementation = getter(page, "implementation");
export const createRange = method(page, page.createRange);
export const createTreeWalker = method(page, page.createTreeWalker);
export const getSelection = method(page, page.getSelection);
export const execCommand = method(page, page.execCommand);
export const caretPositionFromPoint = method(page, page.caretPositionFromPoint);
export const createElement: <K extends keyof HTMLElementTagNameMap>(
  document: Document,
  name: K,
) => HTMLElementTagNameMap[K] = call.bind(page.createElement);

// Elements, documents and shadow roots have own versions of what they share.

/** by the types of nodes */
type Versions<T> = { [nodeType: number]: T };

const KINDS = {
  [Node.ELEMENT_NODE]: element,
  [Node.DOCUMENT_NODE]: page,
  [Node.DOCUMENT_FRAGMENT_NODE]: DocumentFragment.prototype,
};
const ROOTS = { [Node.DOCUMENT_NODE]: page, [Node.DOCUMENT_FRAGMENT_NODE]: ShadowRoot.prototype };

/** Return the function that reads a property, or calls a method, of the node's kind. */
// biome-ignore lint/suspicious/noExplicitAny: the constants below say what it is, which no prototype's type can.
function shared(prototypes: Versions<object>, key: string): any {
  const versions: Versions<(node: Node, ...args: unknown[]) => unknown> = {};
  for (const [kind, prototype] of Object.entries(prototypes)) {
    versions[Number(kind)] = call.bind(functionOf(prototype, key));
  }
  return (node: Node, ...args: unknown[]) => versions[nodeType(node)](node, ...args);
}

type Root = Document | ShadowRoot;

export const children: (root: Root | Element) => HTMLCollection = shared(KINDS, "children");
export const firstElementChild: (root: Root | Element) => Element | null = shared(KINDS, "firstElementChild");
export const lastElementChild: (root: Root | Element) => Element | null = shared(KINDS, "lastElementChild");
export const append: (root: Root | Element, ...nodes: (Node | string)[]) => void = shared(KINDS, "append");
export const querySelector: {
  <K extends keyof HTMLElementTagNameMap>(root: Root | Element, selector: K): HTMLElementTagNameMap[K] | null;
  <E extends Element = Element>(root: Root | Element, selector: string): E | null;
} = shared(KINDS, "querySelector");
export const querySelectorAll: {
  <K extends keyof HTMLElementTagNameMap>(root: Root | Element, selector: K): NodeListOf<HTMLElementTagNameMap[K]>;
  <E extends Element = Element>(root: Root | Element, selector: string): NodeListOf<E>;
} = shared(KINDS, "querySelectorAll");

export const activeElement: (root: Root) => Element | null = shared(ROOTS, "activeElement");
export const styleSheets: (root: Root) => StyleSheetList = shared(ROOTS, "styleSheets");
export const adoptedStyleSheets: (root: Root) => CSSStyleSheet[] = shared(ROOTS, "adoptedStyleSheets");
export function setAdoptedStyleSheets(root: Root, sheets: CSSStyleSheet[]) {
  Reflect.set(nodeType(root) === Node.DOCUMENT_NODE ? page : ShadowRoot.prototype, "adoptedStyleSheets", sheets, root);
}
export const elementFromPoint: (root: Root, x: number, y: number) => Element | null = shared(ROOTS, "elementFromPoint");
export const getAnimations: (root: Root) => Animation[] = shared(ROOTS, "getAnimations");

/** Return the element with an id in a document or shadow root, or null, also in an element that has left the page. */
export function getElementById(root: Node, key: string): Element | null {
  return nodeType(root) === Node.ELEMENT_NODE ? null : elementById(root, key);
}
const elementById = shared(
  { [Node.DOCUMENT_NODE]: page, [Node.DOCUMENT_FRAGMENT_NODE]: DocumentFragment.prototype },
  "getElementById",
);
