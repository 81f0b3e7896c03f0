// Stops events that simulated input causes and real input wouldn't. This script must add its listeners before the page.

const TYPES = ["input", "blur", "focusout", "focus", "focusin"];

/** @typedef {(event: Event) => boolean} Filter returns whether to stop the event */

/** @type {Filter | null} */
let filter = null;
/** @type {WeakSet<Window>} */
const known = new WeakSet();

/** @param {Window} view */
function listen(view) {
  if (known.has(view)) return;
  known.add(view);
  for (const type of TYPES) {
    view.addEventListener(type, (event) => void (filter?.(event) && event.stopImmediatePropagation()), true);
  }
}
listen(window);

/** Run `work` while `stops` filters the events of the window. @param {Window} view @param {Filter} stops @param {() => void} work */
export function intercepting(view, stops, work) {
  listen(view);
  const outer = filter;
  filter = stops;
  try {
    work();
  } finally {
    filter = outer;
  }
}
