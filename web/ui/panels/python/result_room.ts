/**
 * Room for results: the console follows its end, also while pictures load, and grows once for a result that is higher
 * than the panel. Figures are never higher than the panel (style.css), so they are wholly seen.
 */

/** Within this distance of its end, the list scrolls with new entries. */
const NEAR_END_PX = 60;
/** The share of the workbench that the panel grows to at most. */
const MOST = 0.6;
/** Below a result. */
const SPACE_PX = 16;
const RESULTS = "img, .untrusted, .console-table, .chart";

/** the panel's size in the workbench */
export interface Size {
  height: () => number;
  /** of the workbench */
  whole: () => number;
  set: (height: number) => void;
}

export class ResultRoom {
  /** True while the user reads the end of the list. */
  #follows = true;
  /** The results that the panel has grown for; a user may make it small again. */
  #seen = new WeakSet<Element>();
  #scroller: HTMLElement;
  #log: HTMLElement;
  #size: Size;

  /** @param scroller - contains `log` */
  constructor(scroller: HTMLElement, log: HTMLElement, size: Size) {
    this.#scroller = scroller;
    this.#log = log;
    this.#size = size;
    let before = 0;
    scroller.addEventListener("scroll", () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      if (scrollHeight - scrollTop - clientHeight < NEAR_END_PX) this.#follows = true;
      // The event comes late: the list may have grown since the panel has scrolled down.
      else if (scrollTop < before) this.#follows = false;
      before = scrollTop;
    });
    // A picture has its size later than the entry.
    const sizes = new ResizeObserver(() => this.#fit());
    sizes.observe(scroller);
    sizes.observe(log);
    log.addEventListener("resize", () => this.#fit());
  }

  /** Follow the end again. */
  follow() {
    this.#follows = true;
    this.#fit();
  }

  #fit() {
    if (this.#scroller.clientHeight === 0) return;
    if (this.#follows) this.#grow();
    if (this.#follows) this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  #grow() {
    const result = [...this.#log.querySelectorAll(`.console-entry[data-caller=person]:last-child :is(${RESULTS})`)].at(
      -1,
    );
    const wanted = result && heightOf(result, this.#log.clientWidth);
    if (!result || !wanted || this.#seen.has(result)) return;
    this.#seen.add(result);
    const missing = wanted + SPACE_PX - this.#scroller.clientHeight;
    const height = this.#size.height();
    const grown = Math.min(height + missing, this.#size.whole() * MOST);
    if (grown > height) this.#size.set(grown);
  }
}

/** Return the height that a result has where there is room; 0 while it loads. */
function heightOf(result: Element, width: number) {
  if (result instanceof HTMLElement && result.dataset.height) return Number(result.dataset.height);
  if (!(result instanceof HTMLImageElement)) return result.classList.contains("chart") ? 0 : result.scrollHeight;
  const { naturalWidth, naturalHeight } = result;
  return naturalHeight * Math.min(1, width / Math.max(1, naturalWidth));
}
