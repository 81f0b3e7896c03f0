// The properties and methods of elements and documents as their prototypes define them. A form's fields and a document's
// images, forms and frames hide the properties of their names: with `<input name="children">`, `form.children` is the field
// (https://webidl.spec.whatwg.org/#LegacyOverrideBuiltIns). So the page script reads no property of a node that may be a
// form or a document, but calls these. They work on nodes of every realm of the origin.

const XHTML = "http://www.w3.org/1999/xhtml";
const { call } = Function.prototype;

/**
 * Return the function that reads a property.
 * @template {object} T
 * @template {keyof T} K
 * @param {T} prototype
 * @param {K} key
 * @returns {(node: T) => T[K]}
 */
function getter(prototype, key) {
  const { get } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, key));
  return call.bind(/** @type {any} */ (get));
}

/**
 * Return the function that calls a method.
 * @template {object} T
 * @template {(...args: any[]) => any} M
 * @param {T} _prototype which types the nodes
 * @param {M} own
 * @returns {(node: T, ...args: Parameters<M>) => ReturnType<M>}
 */
function method(_prototype, own) {
  return /** @type {any} */ (call.bind(own));
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

/** Return the document of a node, or null of a document. @type {(node: Node) => Document} */
export const ownerDocument = /** @type {any} */ (getter(node, "ownerDocument"));

/** Return whether a value is an element of any realm. @param {unknown} value @returns {value is Element} */
export function isElement(value) {
  try {
    return nodeType(/** @type {Node} */ (value)) === Node.ELEMENT_NODE;
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
/** @type {(element: Element, options: ScrollToOptions) => void} */
export const scrollBy = /** @type {any} */ (method(element, element.scrollBy));

const html = HTMLElement.prototype;

/** Return whether an element is one of HTML. The others are never forms. @param {Element} node */
const isHtml = (node) => namespaceURI(node) === XHTML;

/**
 * Return the function that reads a property of HTML elements, which other elements may have, too.
 * @template {keyof HTMLElement} K
 * @param {K} key
 * @returns {(node: HTMLElement) => HTMLElement[K]}
 */
function htmlGetter(key) {
  const own = getter(html, key);
  return (node) => (isHtml(node) ? own(node) : /** @type {any} */ (node)[key]);
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

/** @param {HTMLElement} node */
export const click = (node) => (isHtml(node) ? html.click.call(node) : node.click());
/** @param {HTMLElement} node */
export const blur = (node) => (isHtml(node) ? html.blur.call(node) : node.blur());
/** @param {HTMLElement} node @param {FocusOptions} options */
export const focus = (node, options) => (isHtml(node) ? html.focus.call(node, options) : node.focus(options));

const form = HTMLFormElement.prototype;
const OWN = { get: (/** @type {HTMLFormElement} */ node, /** @type {string} */ key) => Reflect.get(form, key, node) };

/**
 * Return an object with the properties of an element, for reads of what only some kinds of elements have.
 * @param {Element} node
 * @returns {any}
 */
export function propertiesOf(node) {
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
/** @type {<K extends keyof HTMLElementTagNameMap>(document: Document, name: K) => HTMLElementTagNameMap[K]} */
export const createElement = /** @type {any} */ (method(page, page.createElement));

// Elements, documents and shadow roots have own versions of what they share.

/** @typedef {{ [nodeType: number]: any }} Versions by the types of nodes */

const KINDS = { [Node.ELEMENT_NODE]: element, [Node.DOCUMENT_NODE]: page, [Node.DOCUMENT_FRAGMENT_NODE]: DocumentFragment.prototype };
const ROOTS = { [Node.DOCUMENT_NODE]: page, [Node.DOCUMENT_FRAGMENT_NODE]: ShadowRoot.prototype };

/**
 * Return the function that reads a property, or calls a method, of the node's kind.
 * @param {Versions} prototypes
 * @param {string} key
 * @returns {any}
 */
function shared(prototypes, key) {
  /** @type {Versions} */
  const versions = {};
  for (const [kind, prototype] of Object.entries(prototypes)) {
    const { get, value } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, key));
    versions[Number(kind)] = call.bind(get ?? value);
  }
  return (/** @type {Node} */ node, /** @type {unknown[]} */ ...args) => versions[nodeType(node)](node, ...args);
}

/** @typedef {Document | ShadowRoot} Root */

/** @type {(root: Root | Element) => HTMLCollection} */
export const children = shared(KINDS, "children");
/** @type {(root: Root | Element) => Element | null} */
export const firstElementChild = shared(KINDS, "firstElementChild");
/** @type {(root: Root | Element) => Element | null} */
export const lastElementChild = shared(KINDS, "lastElementChild");
/** @type {(root: Root | Element, ...nodes: (Node | string)[]) => void} */
export const append = shared(KINDS, "append");
/**
 * @type {{
 *   <K extends keyof HTMLElementTagNameMap>(root: Root | Element, selector: K): HTMLElementTagNameMap[K] | null,
 *   (root: Root | Element, selector: string): Element | null,
 * }}
 */
export const querySelector = shared(KINDS, "querySelector");
/**
 * @type {{
 *   <K extends keyof HTMLElementTagNameMap>(root: Root | Element, selector: K): NodeListOf<HTMLElementTagNameMap[K]>,
 *   (root: Root | Element, selector: string): NodeListOf<Element>,
 * }}
 */
export const querySelectorAll = shared(KINDS, "querySelectorAll");

/** @type {(root: Root) => Element | null} */
export const activeElement = shared(ROOTS, "activeElement");
/** @type {(root: Root) => StyleSheetList} */
export const styleSheets = shared(ROOTS, "styleSheets");
/** @type {(root: Root) => CSSStyleSheet[]} */
export const adoptedStyleSheets = shared(ROOTS, "adoptedStyleSheets");
/** @param {Root} root @param {CSSStyleSheet[]} sheets */
export function setAdoptedStyleSheets(root, sheets) {
  Reflect.set(nodeType(root) === Node.DOCUMENT_NODE ? page : ShadowRoot.prototype, "adoptedStyleSheets", sheets, root);
}
/** @type {(root: Root, x: number, y: number) => Element | null} */
export const elementFromPoint = shared(ROOTS, "elementFromPoint");
/** @type {(root: Root) => Animation[]} */
export const getAnimations = shared(ROOTS, "getAnimations");

/**
 * Return the element with an id in a document or shadow root, or null, also in an element that has left the page.
 * @param {Node} root
 * @param {string} key
 * @returns {Element | null}
 */
export function getElementById(root, key) {
  return nodeType(root) === Node.ELEMENT_NODE ? null : elementById(root, key);
}
const elementById = shared({ [Node.DOCUMENT_NODE]: page, [Node.DOCUMENT_FRAGMENT_NODE]: DocumentFragment.prototype }, "getElementById");
