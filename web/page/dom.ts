// The properties and methods of elements and documents as their prototypes define them. A form's fields and a document's
// images, forms and frames hide the properties of their names: with `<input name="children">`, `form.children` is the field
// (https://webidl.spec.whatwg.org/#LegacyOverrideBuiltIns). So the page script reads no property of a node that may be a
// form or a document, but calls these. They work on nodes of every realm of the origin.

const XHTML = "http://www.w3.org/1999/xhtml";
const { call } = Function.prototype;

/** Return the function that reads a property. */
function getter<T extends object, K extends keyof T>(prototype: T, key: K): (node: T) => T[K] {
  const { get } = Object.getOwnPropertyDescriptor(prototype, key) as PropertyDescriptor;
  return call.bind(get as any);
}

/**
 * Return the function that calls a method.
 * @param _prototype - which types the nodes
 */
function method<T extends object, M extends (...args: any[]) => any>(
  _prototype: T,
  own: M,
): (node: T, ...args: Parameters<M>) => ReturnType<M> {
  return call.bind(own) as any;
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
export const getRootNode = method(node, node.getRootNode);
export const contains = method(node, node.contains);
export const cloneNode = method(node, node.cloneNode);
export const compareDocumentPosition = method(node, node.compareDocumentPosition);

/** Return the document of a node, or null of a document. */
export const ownerDocument: (node: Node) => Document = getter(node, "ownerDocument") as any;

/** Return whether a value is an element of any realm. */
export function isElement(value: unknown): value is Element {
  try {
    return nodeType(value as Node) === Node.ELEMENT_NODE;
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
export const closest = method(element, element.closest);
export const getBoundingClientRect = method(element, element.getBoundingClientRect);
export const getClientRects = method(element, element.getClientRects);
export const checkVisibility = method(element, element.checkVisibility);
export const scrollIntoView = method(element, element.scrollIntoView);
export const after = method(element, element.after);
export const animate = method(element, element.animate);
export const scrollBy: (element: Element, options: ScrollToOptions) => void = method(element, element.scrollBy) as any;

const html = HTMLElement.prototype;

/** Return whether an element is one of HTML. The others are never forms. */
const isHtml = (node: Element) => namespaceURI(node) === XHTML;

/** Return the function that reads a property of HTML elements, which other elements may have, too. */
function htmlGetter<K extends keyof HTMLElement>(key: K): (node: HTMLElement) => HTMLElement[K] {
  const own = getter(html, key);
  return (node) => (isHtml(node) ? own(node) : (node as any)[key]);
}

export const isContentEditable = htmlGetter("isContentEditable");
export const innerText = htmlGetter("innerText");
export const offsetHeight = htmlGetter("offsetHeight");
export const popover = htmlGetter("popover");
export const draggable = htmlGetter("draggable");
export const contentEditable = htmlGetter("contentEditable");
export const tabIndex = htmlGetter("tabIndex");
export const style = htmlGetter("style");
export const hidePopover = method(html, html.hidePopover);

export const click = (node: HTMLElement) => (isHtml(node) ? html.click.call(node) : node.click());
export const blur = (node: HTMLElement) => (isHtml(node) ? html.blur.call(node) : node.blur());
export const focus = (node: HTMLElement, options: FocusOptions) =>
  isHtml(node) ? html.focus.call(node, options) : node.focus(options);

const form = HTMLFormElement.prototype;
const OWN = { get: (node: HTMLFormElement, key: string) => Reflect.get(form, key, node) };

/** Return an object with the properties of an element, for reads of what only some kinds of elements have. */
export function propertiesOf(node: Element): any {
  return localName(node) === "form" && isHtml(node) ? new Proxy(node, OWN) : node;
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
) => HTMLElementTagNameMap[K] = method(page, page.createElement) as any;

// Elements, documents and shadow roots have own versions of what they share.

/** by the types of nodes */
type Versions = { [nodeType: number]: any };

const KINDS = {
  [Node.ELEMENT_NODE]: element,
  [Node.DOCUMENT_NODE]: page,
  [Node.DOCUMENT_FRAGMENT_NODE]: DocumentFragment.prototype,
};
const ROOTS = { [Node.DOCUMENT_NODE]: page, [Node.DOCUMENT_FRAGMENT_NODE]: ShadowRoot.prototype };

/** Return the function that reads a property, or calls a method, of the node's kind. */
function shared(prototypes: Versions, key: string): any {
  const versions: Versions = {};
  for (const [kind, prototype] of Object.entries(prototypes)) {
    const { get, value } = Object.getOwnPropertyDescriptor(prototype, key) as PropertyDescriptor;
    versions[Number(kind)] = call.bind(get ?? value);
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
  (root: Root | Element, selector: string): Element | null;
} = shared(KINDS, "querySelector");
export const querySelectorAll: {
  <K extends keyof HTMLElementTagNameMap>(root: Root | Element, selector: K): NodeListOf<HTMLElementTagNameMap[K]>;
  (root: Root | Element, selector: string): NodeListOf<Element>;
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
