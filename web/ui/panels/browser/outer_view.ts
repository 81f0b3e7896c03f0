/**
 * The pictures of a tab outside of this page, and the user's own keys and presses on them. Scripts can't send input
 * this way, because only events of the user are passed on.
 */

import { h } from "../../lib/elements.ts";

// https://chromedevtools.github.io/devtools-protocol/tot/Input/
const BUTTONS = ["left", "middle", "right"] as const;
const ALT = 1,
  CONTROL = 2,
  META = 4,
  SHIFT = 8;
const PRESSES = { pointerdown: "mousePressed", pointerup: "mouseReleased", pointermove: "mouseMoved" };
const FITS_AGAIN_MS = 100;

export class OuterView {
  #image = h("img", { alt: "", draggable: "false" });
  #front = false;
  #asked: { width: number; height: number } | null = null;
  #soon: ReturnType<typeof setTimeout> | undefined;
  tell: (method: "show" | "input", params: object) => void;
  takesInput: boolean;
  element: HTMLDivElement;

  /** @param takesInput - false if the user uses the tab only in its own window */
  constructor(place: HTMLElement, tell: (method: "show" | "input", params: object) => void, takesInput: boolean) {
    this.tell = tell;
    this.takesInput = takesInput;
    this.element = h("div", { class: "tab-frame outer-tab", role: "application" }, this.#image);
    place.append(this.element);
    this.#watch = new ResizeObserver(() => this.#fitSoon());
    this.#watch.observe(this.element);
    if (takesInput) this.#passInput();
    else this.#offerTab();
  }

  #offerTab() {
    this.element.setAttribute("role", "group");
    const show = h(
      "button",
      { type: "button", class: "primary", onclick: () => this.tell("show", { activate: true }) },
      "Show the tab",
    );
    this.element.append(h("p", { class: "outer-show" }, show));
  }

  #passInput() {
    for (const type of ["pointerdown", "pointerup", "pointermove"] as const) {
      this.element.addEventListener(type, (event) => this.#onPointer(event, PRESSES[type]));
    }
    this.element.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false });
    this.element.addEventListener("keydown", (event) => this.#onKey(event, "rawKeyDown"));
    this.element.addEventListener("keyup", (event) => this.#onKey(event, "keyUp"));
    this.element.addEventListener("paste", (event) => this.#onPaste(event));
    this.element.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  #watch: ResizeObserver;

  /** Set the name for screen readers. */
  name(name: string) {
    this.element.setAttribute(
      "aria-label",
      this.takesInput ? `Pictures of ${name}; keys and presses go to the page` : `Picture of ${name}`,
    );
  }

  /** @param data - a JPEG in base64 */
  draw(data: string) {
    this.#image.src = `data:image/jpeg;base64,${data}`;
  }

  show(front: boolean) {
    if (front === this.#front) return;
    this.#front = front;
    this.#asked = null;
    if (front) this.#fit();
    else this.tell("show", { tab: null });
  }

  remove() {
    clearTimeout(this.#soon);
    this.#watch.disconnect();
    this.element.remove();
  }

  #fitSoon() {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#fit(), FITS_AGAIN_MS);
  }

  /** Ask for pictures in the size of the view. */
  #fit() {
    const { offsetWidth: width, offsetHeight: height } = this.element;
    if (!this.#front || width < 100 || height < 100) return;
    if (this.#asked?.width === width && this.#asked.height === height) return;
    this.#asked = { width, height };
    this.tell("show", { width, height });
  }

  /** @returns in pixels of the page */
  #pointOf(event: MouseEvent): { x: number; y: number } {
    const box = this.element.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.element;
    return {
      x: ((event.clientX - box.left) * offsetWidth) / box.width,
      y: ((event.clientY - box.top) * offsetHeight) / box.height,
    };
  }

  #onPointer(event: PointerEvent, type: string) {
    if (!event.isTrusted) return;
    if (event.type === "pointerdown") {
      this.element.setPointerCapture(event.pointerId);
      this.element.focus();
    }
    const button = event.button < 0 ? "none" : (BUTTONS[event.button] ?? "none");
    const clickCount = event.type === "pointermove" ? 0 : Math.max(1, event.detail);
    this.#input("dispatchMouseEvent", {
      type,
      ...this.#pointOf(event),
      button,
      buttons: event.buttons,
      clickCount,
      modifiers: modifiersOf(event),
    });
  }

  #onWheel(event: WheelEvent) {
    if (!event.isTrusted) return;
    event.preventDefault();
    const { deltaX, deltaY } = event;
    this.#input("dispatchMouseEvent", {
      type: "mouseWheel",
      ...this.#pointOf(event),
      deltaX,
      deltaY,
      modifiers: modifiersOf(event),
    });
  }

  #onKey(event: KeyboardEvent, type: "rawKeyDown" | "keyUp") {
    // F6 and Control+V stay this page's: the first leads out of the view, the second pastes into it.
    if (!event.isTrusted || event.key === "F6" || (isPaste(event) && type === "rawKeyDown")) return;
    event.preventDefault();
    event.stopPropagation();
    const { key, code, keyCode, location } = event;
    const writes = type === "rawKeyDown" && !event.ctrlKey && !event.metaKey;
    const text = !writes ? undefined : key === "Enter" ? "\r" : [...key].length === 1 ? key : undefined;
    this.#input("dispatchKeyEvent", {
      type: text === undefined ? type : "keyDown",
      key,
      code,
      windowsVirtualKeyCode: keyCode,
      location,
      modifiers: modifiersOf(event),
      ...(text === undefined ? {} : { text }),
    });
  }

  #onPaste(event: ClipboardEvent) {
    const text = event.clipboardData?.getData("text/plain");
    if (!event.isTrusted || !text) return;
    event.preventDefault();
    this.#input("insertText", { text });
  }

  #input(kind: string, event: object) {
    this.tell("input", { kind, event });
  }
}

function modifiersOf({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent | KeyboardEvent) {
  return (altKey ? ALT : 0) | (ctrlKey ? CONTROL : 0) | (metaKey ? META : 0) | (shiftKey ? SHIFT : 0);
}

function isPaste({ key, ctrlKey, metaKey }: KeyboardEvent) {
  return (ctrlKey || metaKey) && key.toLowerCase() === "v";
}
