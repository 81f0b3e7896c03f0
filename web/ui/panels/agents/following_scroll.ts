/** Keeps the newest step of a run in view while it works, unless the user has scrolled up. */

import type { RunRow } from "../../../generated/types.ts";
import { FollowingEnd } from "../../lib/following_end.ts";
import { isOver } from "./labels.ts";

export class FollowingScroll {
  #place: HTMLElement;
  /** The id of the run shown. */
  #run = "";
  #end: FollowingEnd;
  #works = false;
  /** True from the end of a run that was followed until the user scrolls. */
  #ends = false;

  /** @param place - what scrolls */
  constructor(place: HTMLElement) {
    this.#place = place;
    this.#end = new FollowingEnd(place, () => this.#toEnd());
    for (const kind of ["wheel", "pointerdown", "keydown"])
      place.addEventListener(kind, () => (this.#ends = false), { passive: true });
  }

  /**
   * Call it after each drawing.
   * @param run - that is shown; null for none
   */
  follow(run: RunRow | null) {
    if (run === null || run.id !== this.#run) {
      this.#end.follows = true;
      this.#works = this.#ends = false;
    }
    this.#run = run?.id ?? "";
    const works = run?.status === "running" || run?.status === "waiting";
    if (works) this.#works = true;
    const ended = run !== null && isOver(run);
    if (this.#works && ended) {
      this.#ends = this.#end.follows;
      this.#works = false;
    }
    this.#toEnd();
  }

  #toEnd() {
    if (this.#works) this.#end.toEnd();
    if (this.#ends) this.#toOutcome();
  }

  /** Show the outcome, and below it the user's next steps, or what can be taken back if both have room. */
  #toOutcome() {
    const [own, outcome, changes] = [".agent-own", ".agent-outcome", ".changes[open]"].map((each) =>
      this.#place.querySelector(each),
    );
    (own ?? changes ?? outcome)?.scrollIntoView({ block: "end" });
    const top = outcome?.getBoundingClientRect().top ?? Infinity;
    if (!own && top < this.#place.getBoundingClientRect().top) outcome?.scrollIntoView({ block: "start" });
  }
}
