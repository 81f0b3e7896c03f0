/**
 * Watches for the end of a question to be in view. An answer that allows counts only after that: a question may not end
 * out of sight.
 */

export class Reading {
  #dialog: HTMLDialogElement;
  #onChange: () => void;
  /** The regions whose end must be seen, by selector, and whether it was. */
  #seen = new Map<string, boolean>();
  #last = "";
  observer: IntersectionObserver;

  /** @param onChange - called when more or less is out of sight */
  constructor(dialog: HTMLDialogElement, onChange: () => void) {
    this.#dialog = dialog;
    this.#onChange = onChange;
    const look = () => this.look();
    dialog.addEventListener("scroll", look, { capture: true, passive: true });
    // Opened parts of a text move its end.
    dialog.addEventListener("toggle", look, { capture: true });
    new ResizeObserver(look).observe(dialog);
    this.observer = new IntersectionObserver(look, { threshold: [0, 1] });
  }

  /**
   * Begin with another question.
   * @param regions - selectors of the parts that must be read
   */
  start(regions: readonly string[]) {
    this.#seen = new Map(regions.map((region) => [region, false]));
    this.observer.disconnect();
    for (const region of regions) {
      const end = this.#find(region)?.querySelector("[data-end]");
      if (end) this.observer.observe(end);
    }
    this.look();
  }

  /** True if the end of each part was in view. */
  get done() {
    return this.#unread().length === 0;
  }

  /** The lines below those in view, of the parts that must be read; 0 if the ends were in view. */
  get more() {
    return this.#unread().reduce((sum, region) => sum + this.below(region), 0);
  }

  /** Return the lines of a part that are below those in view. */
  below(selector: string) {
    const region = this.#find(selector);
    if (region === null || endIsInView(region)) return 0;
    const style = getComputedStyle(region);
    const line = parseFloat(style.lineHeight) || parseFloat(style.fontSize) * 1.2;
    return Math.max(1, Math.ceil((region.scrollHeight - region.scrollTop - region.clientHeight) / line));
  }

  /** Show what comes next of the first part that must be read. */
  readOn() {
    const [selector] = this.#unread();
    const region = selector === undefined ? null : this.#find(selector);
    if (region === null) return;
    // In a low window, the dialog scrolls as well.
    region.scrollIntoView({ block: "nearest" });
    region.scrollTop += region.clientHeight * 0.85;
    if (region.scrollTop + region.clientHeight >= region.scrollHeight - 1)
      region.querySelector("[data-end]")?.scrollIntoView({ block: "nearest" });
    this.look();
  }

  /** Note which ends are in view now. */
  look() {
    if (!this.#dialog.open) return;
    for (const selector of this.#unread()) {
      const region = this.#find(selector);
      if (region === null || endIsInView(region)) this.#seen.set(selector, true);
    }
    const now = JSON.stringify([this.#unread(), this.more]);
    if (now === this.#last) return;
    this.#last = now;
    this.#onChange();
  }

  #unread() {
    return Array.from(this.#seen)
      .filter(([, seen]) => !seen)
      .map(([region]) => region);
  }

  #find(selector: string): HTMLElement | null {
    return this.#dialog.querySelector(selector);
  }
}

/** Return whether a part's end is drawn: neither scrolled away nor below something else. */
function endIsInView(region: HTMLElement) {
  const end = region.querySelector("[data-end]");
  if (end === null) return true;
  const { left, top, width, height } = end.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return hit !== null && region.contains(hit);
}
