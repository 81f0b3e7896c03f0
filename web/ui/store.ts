/**
 * The page's store. Draws the state at most once per animation frame, and for a small share of the time only, since agents'
 * calls wait for the thread meanwhile. While the page is hidden it has no frames, so it draws twice a second:
 * notifications of the system and the companion's clock follow the state, too.
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
// The pause after a frame, as a multiple of the time that it took with its layout and painting.
const PAUSE = 3;
// A person sees a longer pause.
const LONGEST_PAUSE_MS = 100;

/** @returns {Store} */
export function createStore() {
  /** @type {State} */
  let state = initialState;
  let scheduled = false;
  let pauseEnd = 0;
  /** @type {((state: State) => void)[]} */
  const renderers = [];
  const draw = () => {
    if (!scheduled) return;
    scheduled = false;
    const start = performance.now();
    for (const render of renderers) render(state);
    afterFrame(() => {
      const end = performance.now();
      pauseEnd = end + Math.min((end - start) * PAUSE, LONGEST_PAUSE_MS);
    });
  };
  const drawSoon = () => {
    if (document.visibilityState === "hidden") setTimeout(draw, HIDDEN_MS);
    else if (performance.now() >= pauseEnd) requestAnimationFrame(draw);
    else setTimeout(() => requestAnimationFrame(draw), pauseEnd - performance.now());
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

/** Call a function in the task after this one, so from an animation frame when it is painted. @param {() => void} act */
function afterFrame(act) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    act();
  };
  port2.postMessage(null);
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
