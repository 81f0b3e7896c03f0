/**
 * Keeps the keyboard where the person is: a page that they don't see takes no keys, neither while an agent acts in it
 * nor by itself.
 */

/** No event tells that the focus moves from a frame to another one. */
const LOOK_MS = 100;

export class FocusGuard {
  /** The element that the person used last. @type {Element | null} */
  #last = null;
  /** The frames in which agents act now, which need the focus. @type {Map<Element, number>} */
  #acting = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #next;
  /** Called when the person puts the focus into a frame that they see. @type {(frame: Element) => void} */
  onUse = () => {};
  /** Puts the focus back into a frame's document. @type {(frame: Element) => void} */
  regain = () => {};

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

  /**
   * Act in a frame, and give back the focus that this took.
   *
   * @template Value
   * @param {Element | null} frame
   * @param {() => Promise<Value>} act
   * @returns {Promise<Value>}
   */
  async around(frame, act) {
    if (!frame) return act();
    const { activeElement: before } = document;
    this.#acting.set(frame, (this.#acting.get(frame) ?? 0) + 1);
    try {
      return await act();
    } finally {
      const others = (this.#acting.get(frame) ?? 1) - 1;
      if (others > 0) this.#acting.set(frame, others);
      else this.#acting.delete(frame);
      // A person who looks on and types nowhere finds the focus where the agent has put it.
      if (document.activeElement === frame && before !== frame && (isBehind(frame) || takesText(before))) {
        this.#giveBack(frame, before);
      }
    }
  }

  /** @param {Element} frame that took the focus @param {Element | null} to */
  #giveBack(frame, to) {
    if (!(to instanceof HTMLElement) || !to.isConnected || to === document.body || isBehind(to)) {
      if (frame instanceof HTMLElement) frame.blur();
    } else if (isFrame(to)) this.regain(to);
    else to.focus({ preventScroll: true });
  }
}

/** @param {Element | null} element @returns {element is HTMLIFrameElement} */
function isFrame(element) {
  return element !== null && element.matches(".tab-frame");
}

/** Return whether an element is a frame that the person doesn't see. @param {Element} element */
function isBehind(element) {
  return isFrame(element) && !element.matches("[data-shown=true] .front");
}

/** @param {Element | null} element @returns {element is HTMLElement} */
function takesText(element) {
  return element instanceof HTMLElement && (element.isContentEditable || element.matches("input, textarea"));
}
