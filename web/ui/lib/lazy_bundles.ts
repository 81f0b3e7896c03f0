/** Parts of the page that load on first use, as separate bundles (UI_PARTS in builder/bundles.py). */

import { byId, showProblem } from "./elements.ts";

const loaded = new Map<string, Promise<unknown>>();

/**
 * Load a part. Rejects if it can't be loaded; the next call tries again.
 *
 * @param name - as in UI_PARTS
 * @returns its exports
 */
export function loadPart<Part>(name: string): Promise<Part> {
  // A bundle is known by its name only, and its caller knows its exports.
  const loading = (loaded.get(name) as Promise<Part>) ?? import(new URL(name, document.baseURI).href);
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name));
  return loading;
}

interface Options<View, Part> {
  /** of the view's place */
  id: string;
  /** as in UI_PARTS */
  part?: string;
  /** the id of the element that shows failures */
  problem?: string;
  create: (part: Part) => View;
  /** whether it can be created now; `retry` checks again */
  when?: () => boolean;
  /** called when its place is visible again */
  again?: (view: View) => void;
}

/** A view of a part, created when its place first becomes visible or is requested. */
export class LazyView<View, Part = unknown> {
  #view: Promise<View> | null = null;
  #isVisible = false;
  part: string;
  problem: HTMLElement;
  create: (part: Part) => View;
  when: () => boolean;

  constructor({
    id,
    part = `ui-${id}.js`,
    problem = `${id}-problem`,
    create,
    when = () => true,
    again = () => {},
  }: Options<View, Part>) {
    this.part = part;
    this.problem = byId(problem, HTMLElement);
    this.create = create;
    this.when = when;
    new IntersectionObserver((entries) => {
      const wasVisible = this.#isVisible;
      this.#isVisible = entries.at(-1)?.isIntersecting ?? false;
      if (this.#view !== null && this.#isVisible && !wasVisible) void this.#view.then(again, () => {});
      this.retry();
    }).observe(byId(id, HTMLElement));
  }

  /** The view, or null if it isn't needed yet. */
  get created(): Promise<View> | null {
    return this.#view;
  }

  /** Create the view if its place is visible. */
  retry() {
    if (this.#isVisible && this.when()) void this.get();
  }

  /** @returns null if it can't be loaded; the error is shown */
  async get(): Promise<View | null> {
    this.#view ??= loadPart<Part>(this.part).then(this.create);
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
