/**
 * Keeps the keyboard where the user is: a page that they don't see takes no keys, neither while an agent acts in it
 * nor on its own.
 */

/** No event tells that the focus moves from a frame to another one. */
const LOOK_MS = 100;

export class FocusGuard {
  /** The element that the user used last. */
  #last: Element | null = null;
  /** The frames in which agents act now, which need the focus. */
  #acting = new Map<Element, number>();
  #next: ReturnType<typeof setTimeout> | undefined;
  /** Called when the user puts the focus into a frame that they see. */
  onUse: (frame: Element) => void = () => {};
  /** Puts the focus back into a frame's document. */
  regain: (frame: Element) => void = () => {};

  constructor() {
    addEventListener("focusin", ({ target }) => {
      if (target instanceof Element && !isBehind(target)) this.#last = target;
      else this.#check();
    });
    // The focus leaves this window when it enters a frame, which is `document.activeElement` only afterwards.
    addEventListener("blur", () => setTimeout(() => this.#check()));
  }

  #check() {
    const { activeElement } = document;
    if (!isFrame(activeElement)) return;
    clearTimeout(this.#next);
    this.#next = setTimeout(() => this.#check(), LOOK_MS);
    if (this.#acting.has(activeElement)) return;
    if (isBehind(activeElement)) this.#giveBack(activeElement, this.#last);
    else if (activeElement !== this.#last) {
      this.#last = activeElement;
      this.onUse(activeElement);
    }
  }

  /** Act in a frame, and give back the focus that this took. */
  async around<Value>(frame: Element | null, act: () => Promise<Value>): Promise<Value> {
    if (!frame) return act();
    const { activeElement: before } = document;
    this.#acting.set(frame, (this.#acting.get(frame) ?? 0) + 1);
    try {
      return await act();
    } finally {
      const others = (this.#acting.get(frame) ?? 1) - 1;
      if (others > 0) this.#acting.set(frame, others);
      else this.#acting.delete(frame);
      // A user who looks on and types nowhere finds the focus where the agent has put it.
      if (document.activeElement === frame && before !== frame && (isBehind(frame) || takesText(before))) {
        this.#giveBack(frame, before);
      }
    }
  }

  /** @param frame - that took the focus */
  #giveBack(frame: Element, to: Element | null) {
    if (!(to instanceof HTMLElement) || !to.isConnected || to === document.body || isBehind(to)) {
      if (frame instanceof HTMLElement) frame.blur();
    } else if (isFrame(to)) this.regain(to);
    else to.focus({ preventScroll: true });
  }
}

function isFrame(element: Element | null): element is HTMLIFrameElement {
  return element !== null && element.matches(".tab-frame");
}

/** Return whether an element is a frame that the user doesn't see. */
function isBehind(element: Element) {
  return isFrame(element) && !element.matches("[data-shown=true] .front");
}

function takesText(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && (element.isContentEditable || element.matches("input, textarea"));
}
