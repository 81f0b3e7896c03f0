/** Stays at the end of what grows in a scrolling element, unless the user has scrolled up. */

/** Within this distance of its end, the user reads the end. */
const NEAR_END_PX = 60;

export class FollowingEnd {
  #place: HTMLElement;
  #before = 0;
  /** True while the user reads the end. */
  follows = true;

  /**
   * @param place - what scrolls
   * @param onSize - called when it, or something in it, has another size: pictures grow after they were drawn
   */
  constructor(place: HTMLElement, onSize: () => void) {
    this.#place = place;
    place.addEventListener("scroll", () => this.#onScroll());
    const sizes = new ResizeObserver(onSize);
    const watch = () => {
      for (const child of place.children) sizes.observe(child);
    };
    sizes.observe(place);
    watch();
    new MutationObserver(watch).observe(place, { childList: true });
  }

  toEnd() {
    if (this.follows) this.#place.scrollTop = this.#place.scrollHeight;
  }

  #onScroll() {
    const { scrollTop, scrollHeight, clientHeight } = this.#place;
    if (scrollHeight - scrollTop - clientHeight < NEAR_END_PX) this.follows = true;
    // The event comes late: the place may have grown since it was scrolled to its end.
    else if (scrollTop < this.#before) this.follows = false;
    this.#before = scrollTop;
  }
}
