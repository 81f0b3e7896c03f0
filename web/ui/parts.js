/** Parts of the page that load on first use: bundles of their own (UI_PARTS in builder/bundles.py). */

import { showProblem } from "./elements.js";

/** @type {Map<string, Promise<any>>} */
const loaded = new Map();

/**
 * Rejects where a part can't be loaded; the next call tries again.
 *
 * @param {string} name as in UI_PARTS
 * @returns {Promise<any>} what it exports
 */
export function loadPart(name) {
  const loading = loaded.get(name) ?? import(new URL(name, document.baseURI).href);
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name));
  return loading;
}

/**
 * What a part draws in a place of the page: made when the place is first seen, or asked for.
 *
 * @template Drawn
 */
export class LazyView {
  /** @type {Promise<Drawn> | null} */
  #drawn = null;
  #isSeen = false;

  /**
   * @param {object} options
   * @param {string} options.part as in UI_PARTS
   * @param {HTMLElement} options.place
   * @param {HTMLElement} options.problem where a failure is told
   * @param {(part: any) => Drawn} options.make
   * @param {() => boolean} [options.when] whether it can be made now; `retry` looks again
   */
  constructor({ part, place, problem, make, when = () => true }) {
    this.part = part;
    this.problem = problem;
    this.make = make;
    this.when = when;
    new IntersectionObserver((entries) => {
      this.#isSeen = entries.at(-1)?.isIntersecting ?? false;
      this.retry();
    }).observe(place);
  }

  /** Makes it, if it is seen and wasn't made. */
  retry() {
    if (this.#isSeen && this.when()) void this.get();
  }

  /** @returns {Promise<Drawn | null>} null where it can't be loaded, which is told then */
  async get() {
    this.#drawn ??= loadPart(this.part).then(this.make);
    try {
      const drawn = await this.#drawn;
      showProblem(this.problem, null);
      return drawn;
    } catch (error) {
      this.#drawn = null;
      const message = `This part of the page could not be loaded: ${error instanceof Error ? error.message : error}`;
      showProblem(this.problem, { message, hint: "Open it again when this computer is online." });
      return null;
    }
  }
}
