/**
 * The page's store. Draws the state at most once per animation frame, and for a small share of the time only, since agents'
 * calls wait for the thread meanwhile. While the page is hidden it has no frames, so it draws twice a second:
 * notifications of the system and the companion's clock follow the state, too.
 */

import { initialState, reduce } from "./state.ts";
import type { PageEvent, State } from "./types.ts";

export interface Store {
  state: State;
  dispatch: (event: PageEvent) => void;
  /** draws at once, then after every change */
  subscribe: (render: (state: State) => void) => void;
  /** draws at once, then when one of the parts has changed */
  follow: (parts: Parts, render: (state: State) => void) => void;
}

/** the names of parts of the state, or what returns the values to compare */
export type Parts = readonly (keyof State)[] | ((state: State) => unknown[]);

const HIDDEN_MS = 500;
// The pause after a frame, as a multiple of the time that it took with its layout and painting.
const PAUSE = 3;
// A user sees a longer pause.
const LONGEST_PAUSE_MS = 100;

export function createStore(): Store {
  let state: State = initialState;
  let scheduled = false;
  let pauseEnd = 0;
  const renderers: ((state: State) => void)[] = [];
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
  const subscribe = (render: (state: State) => void) => {
    renderers.push(render);
    render(state);
  };
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
    subscribe,
    follow: (parts, render) => subscribe(whenChanged(parts, render)),
  };
}

/** Call a function in the task after this one, so from an animation frame when it is painted. */
function afterFrame(act: () => void) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    act();
  };
  port2.postMessage(null);
}

/** Return a renderer that runs only when one of the parts has changed. */
function whenChanged(parts: Parts, render: (state: State) => void): (state: State) => void {
  let last: unknown[] | null = null;
  return (state) => {
    const shown = typeof parts === "function" ? parts(state) : parts.map((part) => state[part]);
    if (last?.every((value, index) => Object.is(value, shown[index]))) return;
    last = shown;
    render(state);
  };
}
