/**
 * What the surface's window hears of people only. A script can make events that look like a key or a press; in a surface
 * whose panels run commands, answer and switch, none of them counts there. One listener, before all others, stops them.
 */

const TYPES = [
  "keydown", "keypress", "keyup", "beforeinput", "input", "change", "submit",
  "compositionstart", "compositionupdate", "compositionend",
  "click", "dblclick", "auxclick", "contextmenu", "pointerdown", "pointerup", "mousedown", "mouseup",
  "touchstart", "touchend", "paste", "cut", "copy", "drop", "dragstart", "dragenter", "dragover", "dragend",
];
// The editor's own keys on some keyboards of screens, which it makes itself.
const EDITOR = ".cm-content";
const PANEL = "[data-gemini-panel]";

let pressing = false;

/** Let only events of people reach anybody in this window. To be called before other listeners are added. */
export function hearPeopleOnly() {
  for (const type of TYPES) addEventListener(type, stopUntrusted, { capture: true });
}

/**
 * Press an element for the page itself, as for a command that stands for a button.
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
 * Call `listener` with the keys that a person presses anywhere in this window.
 *
 * @param {(event: KeyboardEvent) => void} listener
 * @param {AddEventListenerOptions} [options]
 */
export function onPersonsKey(listener, options) {
  // What a script sends to elements beside the panels bubbles up to here, too.
  document.addEventListener("keydown", (event) => event.isTrusted && listener(event), options);
}

/** @param {Event} event */
function stopUntrusted(event) {
  if (event.isTrusted || pressing) return;
  if (event.target instanceof Element && (event.target.closest(EDITOR) || isBeside(event.target))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Whether an element is neither in a panel nor the page as a whole. @param {Element} element */
function isBeside(element) {
  return element !== document.body && element !== document.documentElement && element.closest(PANEL) === null;
}
