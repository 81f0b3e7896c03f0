// Lets a document keep its focus while users type elsewhere, as CDP's Emulation.setFocusEmulationEnabled does.
// Otherwise a list would close whenever its field loses the focus between two actions of an agent. Browsers also forget
// which element had the focus when it moves to another document, so that is remembered here.

import * as dom from "./dom.ts";
import { replaceCall } from "./hooks.ts";

// The request for the focus may arrive before the news that it has gone.
const ARRIVES_MS = 2_000;

let keeps = false;
/** The time until which the focus goes back to its element when the window gets it. */
let wantedUntil = 0;
/** The number of running calls of `blur()`. */
let blurring = 0;
/** True while a user presses something. */
let pressing = false;
/** The element that lost the focus last, and nothing else in the document got it. */
let left: EventTarget | null = null;
/** `left`, once its window has lost the focus, too. */
let lost: EventTarget | null = null;

/** Watch the focus of a realm; call it before the page adds its own listeners. */
export function watchFocus(realm: typeof globalThis) {
  for (const type of ["blur", "focusout", "focus", "focusin"]) {
    realm.addEventListener(
      type,
      (event) => {
        if (event.isTrusted && isOfWindow(event, realm) && keeps) event.stopImmediatePropagation();
      },
      { capture: true },
    );
  }
  for (const type of ["pointerdown", "pointerup", "pointercancel"]) {
    realm.addEventListener(
      type,
      ({ isTrusted }) => {
        if (isTrusted) [pressing, wantedUntil] = [type === "pointerdown", 0];
      },
      { capture: true },
    );
  }
  replaceCall(realm.HTMLElement.prototype, "blur", (target, self, args) => {
    blurring += 1;
    try {
      return Reflect.apply(target, self, args);
    } finally {
      blurring -= 1;
    }
  });
  replaceCall(realm.Document.prototype, "hasFocus", (target, self, args) => keeps || Reflect.apply(target, self, args));
}

/** Begin or end to keep the focus. */
export function keepFocus(now: boolean) {
  keeps = now;
}

/** Focus the element again that lost the focus to another document, now or when the window has the focus. */
export function regainFocus() {
  wantedUntil = performance.now() + ARRIVES_MS;
  regain();
}

function regain() {
  const element = lost ?? (keeps ? left : null);
  if (dom.isElement(element) && dom.isConnected(element) && dom.activeElement(document) === dom.body(document))
    dom.focus(element, { preventScroll: true });
}

/** Return whether a document has lost or got the focus, and not one of its elements. */
function isOfWindow(event: Event & Partial<FocusEvent>, realm: typeof globalThis) {
  const { type, target, relatedTarget } = event;
  if (target === realm || target === realm.document) {
    if (type === "blur") [lost, pressing] = [left, false];
    else if (type === "focus" && performance.now() < wantedUntil) queueMicrotask(regain);
    return true;
  }
  const [element] = event.composedPath();
  if (type === "blur" || type === "focusout") {
    const isOwn = relatedTarget !== null || blurring > 0 || pressing;
    left = isOwn ? null : element;
    return !isOwn;
  }
  const isBack = element === lost || element === left;
  if (type === "focusin") left = lost = null;
  return isBack;
}
