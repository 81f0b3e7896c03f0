/**
 * The common part of panels that show what one action lists, and change it by others: Team, Memory, Skills, …
 *
 * @import { Store } from "./store.js"
 * @import { Failure, State } from "./types.js"
 */

import { isFailure } from "./call.js";
import { byId, showProblem } from "./elements.js";
import { LazyView } from "./parts.js";
import { stillWaits } from "./presses.js";
import { whenChanged } from "./store.js";

/**
 * A panel that shows a list. Its section in index.html has the elements `<name>-body`, `-problem` and `-announcement`.
 *
 * @template Shown
 * @abstract
 */
export class ListPanel {
  /** True while an action runs. */
  #busy = false;
  #ready = false;
  /** False until the list is first known: the note of index.html says that it is loading. */
  #drawn = false;
  /** @type {Promise<void> | null} */
  #loading = null;
  /** True if the list has changed while it was loaded. */
  #stale = false;
  /** The error of the last action. @type {Failure["error"] | null} */
  #failed = null;
  /** The selector of the element that gets the focus if the focused one was removed. */
  returnTo = "[data-focus-next], [data-focus-first]";

  /**
   * @param {string} name the id of the panel
   * @param {Shown} empty shown until the list is loaded
   * @param {() => Promise<Shown | Failure>} list
   */
  constructor(name, empty, list) {
    this.body = byId(`${name}-body`, HTMLElement);
    this.problem = byId(`${name}-problem`, HTMLElement);
    this.announcer = byId(`${name}-announcement`, HTMLElement);
    this.shown = empty;
    this.list = list;
  }

  /** Draw `shown` into `body`. @abstract */
  draw() {
    throw new TypeError("A panel draws its list.");
  }

  /** True if no action can run now. */
  get isBlocked() {
    return this.#busy || !this.#ready;
  }

  /** @param {State} state */
  render({ kernel }) {
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

  /**
   * Run an action, and show its error or announce its success. Returns null while another action runs.
   *
   * @template Result
   * @param {() => Promise<Result | Failure>} action
   * @param {string} success
   */
  async act(action, success) {
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

  /** If the person's action removed or disabled the focused button, keep the focus in the panel. */
  #returnFocus() {
    if (document.activeElement !== document.body) return;
    const next = this.body.querySelector(this.returnTo);
    if (next instanceof HTMLElement) next.focus();
  }
}

/**
 * Show a panel whose bundle, `ui-<name>.js`, loads when the panel is first visible.
 *
 * @template {{render: (state: State) => void}} View
 * @param {Store} store
 * @param {string} name the id of the panel
 * @param {(state: State) => unknown[]} select what the panel is drawn again for
 * @param {(part: any) => View} create
 * @param {(view: View) => void} [again] called when the panel is visible again
 * @returns {LazyView<View>}
 */
export function showListPanel(store, name, select, create, again) {
  return new LazyView({
    part: `ui-${name}.js`,
    place: byId(name, HTMLElement),
    problem: byId(`${name}-problem`, HTMLElement),
    create(part) {
      const view = create(part);
      store.subscribe(whenChanged((state) => [state.kernel, ...select(state)], (state) => view.render(state)));
      return view;
    },
    again,
  });
}

/** Return a listener of `submit` that stays on the page. @param {(form: HTMLFormElement) => void} act */
export function submitting(act) {
  return (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    act(event.currentTarget);
  };
}

/** Return the text of a form's field. @param {HTMLFormElement} form @param {string} name */
export function valueOf(form, name) {
  return String(new FormData(form).get(name) ?? "");
}
