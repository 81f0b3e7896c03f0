/**
 * The page's store. Draws the state at most once per animation frame, or twice a second while the page is hidden: then it has
 * no frames, but notifications of the system and the companion's clock follow the state, too.
 *
 * @import { PageEvent, State } from "./types.js"
 */

import { initialState, reduce } from "./state.js";

/**
 * @typedef {object} Store
 * @property {State} state
 * @property {(event: PageEvent) => void} dispatch
 * @property {(render: (state: State) => void) => void} subscribe draws at once, then after every change
 */

const HIDDEN_MS = 500;

/** @returns {Store} */
export function createStore() {
  /** @type {State} */
  let state = initialState;
  let scheduled = false;
  /** @type {((state: State) => void)[]} */
  const renderers = [];
  const draw = () => {
    if (!scheduled) return;
    scheduled = false;
    for (const render of renderers) render(state);
  };
  const drawSoon = () => {
    if (document.visibilityState === "hidden") setTimeout(draw, HIDDEN_MS);
    else requestAnimationFrame(draw);
  };
  // A frame may never come now, or come earlier.
  document.addEventListener("visibilitychange", () => {
    if (scheduled) drawSoon();
  });
  return {
    get state() {
      return state;
    },
    dispatch(event) {
      const next = reduce(state, event);
      if (next === state) return;
      state = next;
      if (scheduled) return;
      scheduled = true;
      drawSoon();
    },
    subscribe(render) {
      renderers.push(render);
      render(state);
    },
  };
}

/**
 * Return a renderer that runs only when the selected values have changed.
 *
 * @param {(state: State) => unknown[]} select
 * @param {(state: State) => void} render
 * @returns {(state: State) => void}
 */
export function whenChanged(select, render) {
  /** @type {unknown[] | null} */
  let last = null;
  return (state) => {
    const shown = select(state);
    if (last?.every((value, index) => Object.is(value, shown[index]))) return;
    last = shown;
    render(state);
  };
}
