/** Parts of the page that load on first use, as separate bundles (UI_PARTS in builder/bundles.py). */

import { showProblem } from "./elements.js";

/** @type {Map<string, Promise<any>>} */
const loaded = new Map();

/**
 * Load a part. Rejects if it can't be loaded; the next call tries again.
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
 * A view of a part, created when its place first becomes visible or is requested.
 *
 * @template View
 */
export class LazyView {
  /** @type {Promise<View> | null} */
  #view = null;
  #isVisible = false;

  /**
   * @param {object} options
   * @param {string} options.part as in UI_PARTS
   * @param {HTMLElement} options.place
   * @param {HTMLElement} options.problem where failures are shown
   * @param {(part: any) => View} options.create
   * @param {() => boolean} [options.when] whether it can be created now; `retry` checks again
   * @param {(view: View) => void} [options.again] called when its place is visible again
   */
  constructor({ part, place, problem, create, when = () => true, again = () => {} }) {
    this.part = part;
    this.problem = problem;
    this.create = create;
    this.when = when;
    new IntersectionObserver((entries) => {
      const wasVisible = this.#isVisible;
      this.#isVisible = entries.at(-1)?.isIntersecting ?? false;
      if (this.#view !== null && this.#isVisible && !wasVisible) void this.#view.then(again, () => {});
      this.retry();
    }).observe(place);
  }

  /** Create the view if its place is visible. */
  retry() {
    if (this.#isVisible && this.when()) void this.get();
  }

  /** @returns {Promise<View | null>} null if it can't be loaded; the error is shown */
  async get() {
    this.#view ??= loadPart(this.part).then(this.create);
    try {
      const view = await this.#view;
      showProblem(this.problem, null);
      return view;
    } catch (error) {
      this.#view = null;
      const message = `This part of the page could not be loaded: ${error instanceof Error ? error.message : error}`;
      showProblem(this.problem, { message, hint: "Check the connection and open it again." });
      return null;
    }
  }
}
