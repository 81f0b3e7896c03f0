/** The common part of panels that show what one action lists, and change it by others: Team, Memory, Skills, … */

import { isFailure } from "../state/kernel_calls.ts";
import { byId, showProblem, focusIn } from "../lib/elements.ts";
import { LazyView } from "../lib/lazy_bundles.ts";
import { stillWaits } from "../lib/presses.ts";
import type { Parts, Store } from "../state/store.ts";
import type { Failure, State } from "../state/types.ts";

/**
 * A panel that shows a list. Its section in index.html has the elements `<name>-body`, `-problem` and `-announcement`.
 */
export abstract class ListPanel<Shown> {
  /** True while an action runs. */
  #busy = false;
  #ready = false;
  /** False until the list is first known: the note of index.html says that it is loading. */
  #drawn = false;
  #loading: Promise<void> | null = null;
  /** True if the list has changed while it was loaded. */
  #stale = false;
  /** The error of the last action. */
  #failed: Failure["error"] | null = null;
  /** The selector of the element that gets the focus if the focused one was removed. */
  returnTo = "[data-focus-next], [data-focus-first]";
  body: HTMLElement;
  problem: HTMLElement;
  announcer: HTMLElement;
  shown: Shown;
  list: () => Promise<Shown | Failure>;

  /**
   * @param name - the id of the panel
   * @param empty - shown until the list is loaded
   */
  constructor(name: string, empty: Shown, list: () => Promise<Shown | Failure>) {
    this.body = byId(`${name}-body`, HTMLElement);
    this.problem = byId(`${name}-problem`, HTMLElement);
    this.announcer = byId(`${name}-announcement`, HTMLElement);
    this.shown = empty;
    this.list = list;
  }

  /** Draw `shown` into `body`. */
  draw() {
    throw new TypeError("A panel draws its list.");
  }

  /** True if no action can run now. */
  get isBlocked() {
    return this.#busy || !this.#ready;
  }

  render({ kernel }: State) {
    this.#ready = kernel === "ready";
    if (this.#ready) void this.load();
    else this.redraw();
  }

  /** Load the list and draw it. Changes that come while it loads are loaded, too. */
  load() {
    this.#stale = true;
    this.#loading ??= this.#loadAll();
    return this.#loading;
  }

  async #loadAll() {
    while (this.#stale) {
      this.#stale = false;
      const found = await this.list();
      showProblem(this.problem, isFailure(found) ? found.error : this.#failed);
      if (!isFailure(found)) this.shown = found;
    }
    this.#loading = null;
    this.redraw();
  }

  /** Run an action, and show its error or announce its success. Returns null while another action runs. */
  async act<Result>(action: () => Promise<Result | Failure>, success: string) {
    if (this.#busy) return null;
    const had = this.body.contains(document.activeElement);
    const waits = stillWaits();
    this.#busy = true;
    const done = await action();
    this.#busy = false;
    this.#failed = isFailure(done) ? done.error : null;
    await this.load();
    if (!isFailure(done)) this.announcer.textContent = success;
    if (had && waits()) this.#returnFocus();
    return done;
  }

  /** Show the last action's error no longer. The next load hides it. */
  forgetError() {
    this.#failed = null;
  }

  /** Draw the list again, unless it isn't known yet. */
  redraw() {
    if (!this.#drawn) {
      // Nothing to show yet.
      if (this.#loading !== null || !this.#ready) return;
      this.#drawn = true;
      this.body.replaceChildren();
    }
    this.draw();
  }

  /** If the user's action removed or disabled the focused button, keep the focus in the panel. */
  #returnFocus() {
    if (document.activeElement !== document.body) return;
    focusIn(this.body, this.returnTo);
  }
}

/**
 * Show a panel whose bundle, `ui-<name>.js`, loads when the panel is first visible.
 *
 * @param name - the id of the panel
 * @param parts - of the state, whose change draws the panel again
 * @param again - called when the panel is visible again
 */
export function showListPanel<View extends { render: (state: State) => void }, Part>(
  store: Store,
  name: string,
  parts: Parts,
  create: (part: Part) => View,
  again?: (view: View) => void,
): LazyView<View, Part> {
  return new LazyView({
    id: name,
    create(part: Part) {
      const view = create(part);
      store.follow(parts, (state) => view.render(state));
      return view;
    },
    again,
  });
}

/** Return what differs after something that may have changed files, for panels that show what files say. */
export function changesOfFiles({ kernel, calls, console, files, terminals }: State) {
  return [
    kernel,
    calls.findLast(({ effect, ok }) => effect !== "read" && ok !== null)?.id,
    console.entries.findLast(({ running }) => !running)?.id,
    terminals.filter(({ busy }) => busy).length,
    files,
  ];
}
