/**
 * Rejects presses that the user may not have meant: right after the question appeared or the window got the focus,
 * and while anything covers the question.
 */

import { isHit } from "../lib/hit.ts";

export const GUARD_MS = 500;
// What replaces a question takes its place on the screen, and may differ in little.
export const REPLACED_MS = 1000;

/**
 * An observer that also reports covering elements, including those with `pointer-events: none`.
 * https://w3c.github.io/IntersectionObserver/v2/; not in every browser.
 */
interface VisibilityEntry extends IntersectionObserverEntry {
  isVisible?: boolean;
}

interface VisibilityInit extends IntersectionObserverInit {
  trackVisibility: boolean;
  delay: number;
}

export class Guard {
  #dialog: HTMLDialogElement;
  #onChange: () => void;
  /** The time from which presses count, on the clock of events. */
  #from = Infinity;
  #waits = GUARD_MS;
  /** The start of the press whose click is pending. */
  #pressed: number | null = null;
  #covered = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param callbacks - called when answers start or stop counting, and when something covers the dialog */
  constructor(dialog: HTMLDialogElement, { onChange, onCovered }: { onChange: () => void; onCovered: () => void }) {
    this.#dialog = dialog;
    this.#onChange = onChange;
    dialog.addEventListener("pointerdown", (event) => this.#onPress(event), { capture: true });
    dialog.addEventListener("keydown", (event) => this.#onPress(event), { capture: true });
    window.addEventListener("focus", () => this.#onFocus());
    document.addEventListener("visibilitychange", () => this.#onFocus());
    // A popover or dialog that a script opens later is above this one.
    document.addEventListener(
      "toggle",
      ({ target }) => {
        if (target instanceof Element && !dialog.contains(target) && target.matches(":popover-open, :modal"))
          onCovered();
      },
      { capture: true },
    );
    const init: VisibilityInit = { trackVisibility: true, delay: 100 };
    const observer = new IntersectionObserver((entries) => this.#onSeen(entries.at(-1), onCovered), init);
    observer.observe(dialog);
  }

  /**
   * Start the waiting time: the question changed or came to the front.
   * @param waits - milliseconds, also for this question's later starts
   */
  arm(waits: number = this.#waits) {
    this.#waits = waits;
    this.#wait(performance.now() + waits);
    this.#onChange();
  }

  /** True if answers count now. */
  get open() {
    return !this.#covered && performance.now() >= this.#from;
  }

  /**
   * Return the reason that a press doesn't count, or null if it does.
   *
   * @param event - a click, or the Escape key's `cancel`
   * @param button - that was pressed
   * @param from - the time from which presses count, if the button doesn't belong to the question
   */
  refusal(event: Event, button: HTMLElement | null, from: number = this.#from) {
    const began = this.#pressed ?? event.timeStamp;
    this.#pressed = null;
    if (began < from) return "Ignored: the question had just appeared. Read it, then answer.";
    if (this.#covered || (button !== null && !isHit(event, button))) {
      return "Ignored: something covers this question.";
    }
    return null;
  }

  /** @param from - the time from which presses count */
  #wait(from: number) {
    this.#from = from;
    clearTimeout(this.#timer);
    // Only updates the buttons' look; the time of the press decides. Timers drop fractions.
    this.#timer = setTimeout(this.#onChange, Math.ceil(from - performance.now()) + 1);
  }

  #onPress(event: PointerEvent | KeyboardEvent) {
    if (!event.isTrusted) return;
    if (event instanceof KeyboardEvent && event.repeat) {
      // A held key would also press the button of the next question.
      if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
      return;
    }
    this.#pressed = event.timeStamp;
    // A user who continues typing or clicking hasn't read: the time starts again.
    if (event.timeStamp < this.#from) this.#wait(Math.max(this.#from, event.timeStamp + GUARD_MS));
  }

  #onFocus() {
    if (this.#dialog.open && !document.hidden) this.arm();
  }

  #onSeen(entry: VisibilityEntry | undefined, onCovered: () => void) {
    const covered = entry?.isVisible === false && this.#dialog.open;
    if (covered === this.#covered) return;
    this.#covered = covered;
    if (covered) onCovered();
    this.#onChange();
  }
}
