/**
 * Keeps keys out of a terminal of the user's computer until they press there. Python decides when terminals close and which
 * is in front, so wherever the focus comes from, only a press on the terminal or on its button opens it, half a second after
 * it came into view, moved or got the focus. It closes when the focus or the window leaves it.
 */

import { GUARD_MS } from "../../consent/guard.ts";

// Keys that go to another place, so they don't say that the user types blindly.
const MOVING = new Set(["Tab", "Shift", "Control", "Alt", "Meta", "F6"]);

export class TypingGuard {
  #panel: HTMLElement;
  #button: HTMLElement;
  #onChange: () => void;
  /** The time of the press that opened it, or null. */
  #opened: number | null = null;
  /** True after a key on the button that types: the user means another place, and Enter ends their line. */
  #typed = false;
  /** True while the press that opens it moves the focus. */
  #entering = false;
  /** The time from which a press opens it, on the clock of events. */
  #from = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ending = new AbortController();
  #seen = new IntersectionObserver((entries) => this.#onSeen(entries.at(-1)?.isIntersecting === true));
  #sized = new ResizeObserver(() => this.wait());

  /**
   * @param button - in the panel; Enter and Space open it
   * @param onChange - called when it opens or closes, or a press starts to count
   */
  constructor(panel: HTMLElement, button: HTMLElement, onChange: () => void) {
    this.#panel = panel;
    this.#button = button;
    this.#onChange = onChange;
    const options = { capture: true, signal: this.#ending.signal };
    panel.addEventListener("pointerdown", (event) => this.#onPointer(event), options);
    panel.addEventListener("focusin", (event) => this.#onFocusIn(event), options);
    panel.addEventListener("focusout", (event) => this.#onFocusOut(event), options);
    button.addEventListener("keydown", (event) => this.#onKey(event), options);
    button.addEventListener("keyup", (event) => event.key === " " && event.preventDefault(), options);
    button.addEventListener("click", (event) => this.#onClick(event), options);
    addEventListener("blur", (event) => event.target === window && this.#onWindowBlur(), options);
    addEventListener("focus", (event) => event.target === window && this.wait(), options);
    this.#seen.observe(panel);
    this.#sized.observe(panel);
  }

  dispose() {
    this.#ending.abort();
    this.#seen.disconnect();
    this.#sized.disconnect();
    clearTimeout(this.#timer);
  }

  /** True if the terminal takes keys. */
  get open() {
    return this.#opened !== null;
  }

  /** True if a press would open it now. */
  get armed() {
    return performance.now() >= this.#from;
  }

  /** Return whether an event may send keys: one of the user's in the panel, after the press that opened it. */
  accepts({ isTrusted, target, timeStamp }: Event) {
    return (
      isTrusted &&
      this.#opened !== null &&
      timeStamp > this.#opened &&
      target instanceof Node &&
      this.#panel.contains(target)
    );
  }

  /** Let presses count only after half a second. */
  wait() {
    if (this.open || this.#from === Infinity) return;
    this.#from = performance.now() + GUARD_MS;
    clearTimeout(this.#timer);
    // Only updates the button's look; the time of the press decides.
    this.#timer = setTimeout(this.#onChange, GUARD_MS);
    this.#onChange();
  }

  close() {
    if (!this.open) return;
    this.#opened = null;
    this.wait();
  }

  /** Open it; `onChange` moves the focus to the screen. */
  #open({ timeStamp }: Event) {
    this.#opened = timeStamp;
    this.#entering = true;
    this.#onChange();
    this.#entering = false;
    if (!this.#isInside(document.activeElement)) this.close();
  }

  #onPointer(event: PointerEvent) {
    // Other buttons paste, or open a menu that does.
    if (!event.isTrusted || !event.isPrimary || event.button !== 0 || this.open || event.timeStamp < this.#from) return;
    this.#open(event);
  }

  #onKey(event: KeyboardEvent) {
    if (!event.isTrusted || MOVING.has(event.key)) return;
    const isPress = (event.key === "Enter" || event.key === " ") && !event.repeat;
    event.preventDefault();
    if (isPress && !this.#typed && event.timeStamp >= this.#from) return this.#open(event);
    this.#typed = !isPress;
    this.wait();
  }

  /** A screen reader's press has no key and no pointer. */
  #onClick(event: MouseEvent) {
    if (event.isTrusted && event.detail === 0 && !this.open && event.timeStamp >= this.#from) this.#open(event);
  }

  #onFocusIn({ relatedTarget }: FocusEvent) {
    if (this.#entering || this.#isInside(relatedTarget)) return;
    this.#typed = false;
    this.close();
    this.wait();
  }

  #onFocusOut({ relatedTarget }: FocusEvent) {
    if (!this.#entering && !this.#isInside(relatedTarget)) this.close();
  }

  /** Leave the window's focus on the button, for the user's return, unless it went into a frame. */
  #onWindowBlur() {
    const had = this.#isInside(document.activeElement);
    this.close();
    setTimeout(() => had && !(document.activeElement instanceof HTMLIFrameElement) && this.#button.focus());
  }

  #onSeen(seen: boolean) {
    if (!seen) {
      this.close();
      this.#from = Infinity;
    } else if (this.#from === Infinity) {
      this.#from = 0;
      this.wait();
    }
  }

  #isInside(target: EventTarget | null) {
    return target instanceof Node && this.#panel.contains(target);
  }
}
