/** Keeps the newest step of a run in view while it works, unless the user has scrolled up. */

import type { RunRow } from "../../../generated/types.ts";
import { isOver } from "./labels.ts";

const AT_END = 40;

export class FollowingScroll {
  #place: HTMLElement;
  /** The id of the run shown. */
  #run = "";
  #follows = true;
  #works = false;
  /** True from the end of a run that was followed until the user scrolls. */
  #ends = false;
  #last = 0;

  /** @param place - what scrolls */
  constructor(place: HTMLElement) {
    this.#place = place;
    place.addEventListener("scroll", () => this.#onScroll());
    // Pictures and the plan grow after they were drawn.
    const sizes = new ResizeObserver(() => this.#toEnd());
    for (const kind of ["wheel", "pointerdown", "keydown"])
      place.addEventListener(kind, () => (this.#ends = false), { passive: true });
    sizes.observe(place);
    new MutationObserver(() => {
      for (const child of place.children) sizes.observe(child);
    }).observe(place, { childList: true });
  }

  /**
   * Call it after each drawing.
   * @param run - that is shown; null for none
   */
  follow(run: RunRow | null) {
    if (run === null || run.id !== this.#run) {
      this.#follows = true;
      this.#works = this.#ends = false;
    }
    this.#run = run?.id ?? "";
    const works = run?.status === "running" || run?.status === "waiting";
    if (works) this.#works = true;
    const ended = run !== null && isOver(run);
    if (this.#works && ended) {
      this.#ends = this.#follows;
      this.#works = false;
    }
    this.#toEnd();
  }

  #toEnd() {
    const place = this.#place;
    if (this.#works && this.#follows) place.scrollTop = place.scrollHeight;
    // The outcome, and below it the user's next steps.
    if (this.#ends)
      (place.querySelector(".agent-own") ?? place.querySelector(".agent-outcome"))?.scrollIntoView({ block: "end" });
  }

  #onScroll() {
    const { scrollTop, scrollHeight, clientHeight } = this.#place;
    if (scrollHeight - scrollTop - clientHeight < AT_END) this.#follows = true;
    else if (scrollTop < this.#last) this.#follows = false;
    this.#last = scrollTop;
  }
}
