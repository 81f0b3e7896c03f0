/**
 * Proves what a user did in the surface's window. Scripts can imitate keys and clicks, and panels run commands and
 * answer questions, so one listener before all others stops what no person did. `isTrusted` doesn't prove a press of a
 * control: the browser also trusts the clicks that it forwards for a label, an access key or a form.
 */

import { isHit } from "./hit.ts";

const TYPES = [
  "keydown",
  "keypress",
  "keyup",
  "beforeinput",
  "input",
  "change",
  "submit",
  "compositionstart",
  "compositionupdate",
  "compositionend",
  "click",
  "dblclick",
  "auxclick",
  "contextmenu",
  "pointerdown",
  "pointerup",
  "mousedown",
  "mouseup",
  "touchstart",
  "touchend",
  "paste",
  "cut",
  "copy",
  "drop",
  "dragstart",
  "dragenter",
  "dragover",
  "dragend",
];
// The editor creates its own key events for some on-screen keyboards.
const EDITOR = ".cm-content";
const PANEL = "[data-gemini-panel]";
/** The keys that press a control. */
const PRESSING = ["Enter", " "];
/** The elements that a click activates. */
const CONTROLS =
  "button, summary, a[href], area, input:is([type=button], [type=submit], [type=reset], [type=image]," +
  "[type=checkbox], [type=radio], [type=file], [type=color])";

/** The beginning of a user's latest press. */
interface Beginning {
  /** mouse: without a pointer, as some assistive technology presses */
  by: "pointer" | "mouse" | "key";
  /** from the target to the window */
  path: EventTarget[];
  /** the name of the key, or "" */
  key: string;
  /** whether the pointer's own mouse event has come */
  hasMouse: boolean;
}

/** One state for all bundles, each of which has this module. */
const PRESSES = Symbol.for("gemini.presses");
const state: { beginning: Beginning | null; pressed: HTMLElement | null } = Reflect.get(globalThis, PRESSES) ?? {
  beginning: null,
  pressed: null,
};
Reflect.set(globalThis, PRESSES, state);

/** Stop untrusted events and forwarded clicks in this window. Call this before other listeners are added. */
export function blockUntrustedEvents() {
  for (const type of ["pointerdown", "mousedown", "keydown"] as const) {
    addEventListener(type, (event) => event.isTrusted && begin(event), { capture: true });
  }
  for (const type of TYPES) addEventListener(type, stopUntrusted, { capture: true });
  addEventListener("click", stopForwarded, { capture: true });
}

/**
 * Click an element on the page's own behalf, such as for a command that stands for a button. Only an action of the user
 * a moment ago may lead here.
 */
export function press(element: HTMLElement) {
  if (!navigator.userActivation.isActive) return;
  state.pressed = element;
  try {
    element.click();
  } finally {
    state.pressed = null;
  }
}

/**
 * Return whether a user pressed a control itself. For a pointer, the press began on it and the click hits it, so nothing
 * covers it. A key was pressed while the control had the focus. Clicks and submissions that the browser forwards from
 * elsewhere don't count, nor do scripts' own, except by `press`.
 *
 * @param event - a click, a change, a submission or a pressed key
 * @param control - the button, field or form
 */
export function isPressOf(event: Event, control: EventTarget | null = event.currentTarget) {
  if (!(control instanceof Element)) return false;
  if (state.pressed !== null) return control === state.pressed;
  if (!event.isTrusted) return false;
  if (event instanceof KeyboardEvent) return !event.repeat && event.composedPath().includes(control);
  if (event instanceof SubmitEvent) return isSubmission(event, control);
  const beginning = state.beginning;
  const place = beginning && placesOf(control).find((each) => beginning.path.includes(each));
  if (!beginning || !place) return isByKeyElsewhere(event, control);
  if (!(event instanceof MouseEvent)) return true;
  if (beginning.by === "key") return event.detail === 0 && PRESSING.includes(beginning.key);
  // Assistive technology also presses what has no position, or one outside of the window. Nothing forwards how it begins.
  return (
    beginning.by === "mouse" || document.elementFromPoint(event.clientX, event.clientY) === null || isHit(event, place)
  );
}

/** Call `listener` for every key that a user presses in this window. */
export function onTrustedKey(listener: (event: KeyboardEvent) => void, options?: AddEventListenerOptions) {
  // Synthetic events on elements outside the panels bubble up to here.
  document.addEventListener("keydown", (event) => event.isTrusted && listener(event), options);
}

function begin(event: PointerEvent | MouseEvent | KeyboardEvent) {
  const { beginning } = state;
  const path = event.composedPath();
  if (event instanceof KeyboardEvent) {
    if (!event.repeat) state.beginning = { by: "key", path, key: event.key, hasMouse: true };
    // A held Enter would press again and again. A held space bar presses when it is released.
    else if (event.key === "Enter") state.beginning = null;
  } else if (event.type === "pointerdown") {
    state.beginning = { by: "pointer", path, key: "", hasMouse: false };
  } else if (beginning?.by === "pointer" && !beginning.hasMouse) {
    beginning.hasMouse = true;
  } else {
    state.beginning = { by: "mouse", path, key: "", hasMouse: true };
  }
}

/** Return what a user may press for a control: itself, or the label around a box. */
function placesOf(control: Element) {
  const label = control instanceof HTMLInputElement ? control.closest("label") : null;
  return label ? [control, label] : [control];
}

/** Return whether a key in another field of the same form or group acted on a control. */
function isByKeyElsewhere(event: Event, control: Element) {
  const { beginning } = state;
  const [field] = beginning?.path ?? [];
  if (beginning?.by !== "key" || !(field instanceof HTMLInputElement)) return false;
  if (event instanceof MouseEvent && event.detail > 0) return false;
  // Arrow keys select the next radio button; Enter in a field presses the form's button.
  if (control instanceof HTMLInputElement && control.type === "radio")
    return field.type === "radio" && field.name === control.name && field.form === control.form;
  const { form = null, type = "" } = control instanceof HTMLButtonElement ? control : {};
  return (
    beginning.key === "Enter" && type === "submit" && form !== null && form.contains(field) && form.contains(control)
  );
}

function isSubmission({ submitter }: SubmitEvent, form: Element) {
  const { beginning } = state;
  if (!beginning?.path.includes(form)) return false;
  // The click on the button was checked before, so its place needn't be.
  const pressed = submitter !== null && form.contains(submitter) && beginning.path.includes(submitter);
  return pressed || (beginning.by === "key" && beginning.key === "Enter");
}

/** Stop a click on a control that a user pressed elsewhere. */
function stopForwarded(event: MouseEvent) {
  const control = event.composedPath().find((each) => each instanceof Element && each.matches(CONTROLS));
  if (!event.isTrusted || control === undefined || isPressOf(event, control)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function stopUntrusted(event: Event) {
  if (event.isTrusted || (state.pressed !== null && event.target === state.pressed)) return;
  if (event.target instanceof Element && (event.target.closest(EDITOR) || isOutside(event.target))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Return whether an element is outside every panel and isn't the page itself. */
function isOutside(element: Element) {
  return element !== document.body && element !== document.documentElement && element.closest(PANEL) === null;
}
