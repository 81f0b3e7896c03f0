// Events that the browser makes of our doing and a person's doing wouldn't make. They are stopped before the page hears
// them, for which the script has to listen before it.

const TYPES = ["input", "blur", "focusout", "focus", "focusin"];

/** @typedef {(event: Event) => boolean} Judge whether the page shall not hear of the event */

/** @type {Judge | null} */
let judge = null;
/** @type {WeakSet<Window>} */
const known = new WeakSet();

/** @param {Window} view */
function listen(view) {
  if (known.has(view)) return;
  known.add(view);
  for (const type of TYPES) {
    view.addEventListener(type, (event) => void (judge?.(event) && event.stopImmediatePropagation()), true);
  }
}
listen(window);

/** Do `work` while `stops` judges the events of the window. @param {Window} view @param {Judge} stops @param {() => void} work */
export function intercepting(view, stops, work) {
  listen(view);
  const outer = judge;
  judge = stops;
  try {
    work();
  } finally {
    judge = outer;
  }
}
