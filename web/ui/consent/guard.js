/**
 * Whether a press on an answer is one that the person meant: not in the first moment after the question came
 * or the window had the focus again, and not while anything is drawn over the question.
 */

export const GUARD_MS = 500;

/**
 * An observer that also tells whether something is drawn over what it observes, with `pointer-events: none` too.
 * https://w3c.github.io/IntersectionObserver/v2/; not in every browser.
 *
 * @typedef {IntersectionObserverEntry & {isVisible?: boolean}} VisibilityEntry
 * @typedef {IntersectionObserverInit & {trackVisibility: boolean, delay: number}} VisibilityInit
 */

export class Guard {
  #dialog;
  #onChange;
  /** The moment from which presses count, on the clock of events. */
  #from = Infinity;
  /** When the press began whose click is to come. @type {number | null} */
  #pressed = null;
  #covered = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {HTMLDialogElement} dialog
   * @param {{onChange: () => void, onCovered: () => void}} listener told when answers begin or cease to count, and
   *   when something came over the dialog
   */
  constructor(dialog, { onChange, onCovered }) {
    this.#dialog = dialog;
    this.#onChange = onChange;
    dialog.addEventListener("pointerdown", (event) => this.#onPress(event), { capture: true });
    dialog.addEventListener("keydown", (event) => this.#onPress(event), { capture: true });
    window.addEventListener("focus", () => this.#onFocus());
    document.addEventListener("visibilitychange", () => this.#onFocus());
    // A popover or dialog that a script opens later lies above this one.
    document.addEventListener("toggle", ({ target }) => {
      if (target instanceof Element && !dialog.contains(target) && target.matches(":popover-open, :modal")) onCovered();
    }, { capture: true });
    /** @type {VisibilityInit} */
    const init = { trackVisibility: true, delay: 100 };
    const observer = new IntersectionObserver((entries) => this.#onSeen(entries.at(-1), onCovered), init);
    observer.observe(dialog);
  }

  /** The question is another, or in front again. */
  arm() {
    this.#from = performance.now() + GUARD_MS;
    clearTimeout(this.#timer);
    // This is for the looks alone: what counts is the time of the press.
    this.#timer = setTimeout(this.#onChange, GUARD_MS);
    this.#onChange();
  }

  /** Whether answers count by now. */
  get open() {
    return !this.#covered && performance.now() >= this.#from;
  }

  /**
   * Why a press doesn't count, or null where it does.
   *
   * @param {Event} event a click, or the Escape key's `cancel`
   * @param {HTMLElement | null} button what was pressed
   */
  refusal(event, button) {
    const began = this.#pressed ?? event.timeStamp;
    this.#pressed = null;
    if (began < this.#from) return "Not taken: the question had only just come to the front. Read it, then answer.";
    if (this.#covered || (button !== null && !isHit(event, button))) {
      return "Not taken: something is drawn over this question.";
    }
    return null;
  }

  /** @param {PointerEvent | KeyboardEvent} event */
  #onPress(event) {
    if (!event.isTrusted) return;
    if (event instanceof KeyboardEvent && event.repeat) {
      // A key that is held would press the button of the next question, too.
      if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
      return;
    }
    this.#pressed = event.timeStamp;
  }

  #onFocus() {
    if (this.#dialog.open && !document.hidden) this.arm();
  }

  /** @param {VisibilityEntry | undefined} entry @param {() => void} onCovered */
  #onSeen(entry, onCovered) {
    const covered = entry?.isVisible === false && this.#dialog.open;
    if (covered === this.#covered) return;
    this.#covered = covered;
    if (covered) onCovered();
    this.#onChange();
  }
}

/** @param {Event} event @param {HTMLElement} button */
function isHit(event, button) {
  const { left, top, width, height } = button.getBoundingClientRect();
  // A key presses no point; the middle stands for it.
  const pointed = event instanceof MouseEvent && event.detail > 0;
  const [x, y] = pointed ? [event.clientX, event.clientY] : [left + width / 2, top + height / 2];
  const hit = document.elementFromPoint(x, y);
  return hit !== null && button.contains(hit);
}
