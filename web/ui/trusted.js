/**
 * Blocks synthetic events in the surface's window. Scripts can imitate keys and clicks, and panels run commands and
 * answer questions, so one listener before all others stops what no person did.
 */

const TYPES = [
  "keydown", "keypress", "keyup", "beforeinput", "input", "change", "submit",
  "compositionstart", "compositionupdate", "compositionend",
  "click", "dblclick", "auxclick", "contextmenu", "pointerdown", "pointerup", "mousedown", "mouseup",
  "touchstart", "touchend", "paste", "cut", "copy", "drop", "dragstart", "dragenter", "dragover", "dragend",
];
// The editor creates its own key events for some on-screen keyboards.
const EDITOR = ".cm-content";
const PANEL = "[data-gemini-panel]";

let pressing = false;

/** Stop untrusted events in this window. Call this before other listeners are added. */
export function blockUntrustedEvents() {
  for (const type of TYPES) addEventListener(type, stopUntrusted, { capture: true });
}

/**
 * Click an element on the page's own behalf, such as for a command that stands for a button.
 *
 * @param {HTMLElement} element
 */
export function press(element) {
  pressing = true;
  try {
    element.click();
  } finally {
    pressing = false;
  }
}

/**
 * Return whether a person caused an event, by input or by a command that stands for a button.
 *
 * @param {Event} event
 */
export function isOfPerson({ isTrusted }) {
  return isTrusted || pressing;
}

/**
 * Call `listener` for every key that a person presses in this window.
 *
 * @param {(event: KeyboardEvent) => void} listener
 * @param {AddEventListenerOptions} [options]
 */
export function onTrustedKey(listener, options) {
  // Synthetic events on elements outside the panels bubble up to here.
  document.addEventListener("keydown", (event) => event.isTrusted && listener(event), options);
}

/** @param {Event} event */
function stopUntrusted(event) {
  if (isOfPerson(event)) return;
  if (event.target instanceof Element && (event.target.closest(EDITOR) || isOutside(event.target))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Return whether an element is outside every panel and isn't the page itself. @param {Element} element */
function isOutside(element) {
  return element !== document.body && element !== document.documentElement && element.closest(PANEL) === null;
}
