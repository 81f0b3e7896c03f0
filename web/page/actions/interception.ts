// Stops events that simulated input causes and real input wouldn't. This script must add its listeners before the page.

const TYPES = ["input", "blur", "focusout", "focus", "focusin"];

/** returns whether to stop the event */
type Filter = (event: Event) => boolean;

let filter: Filter | null = null;
const known = new WeakSet<Window>();

function listen(view: Window) {
  if (known.has(view)) return;
  known.add(view);
  for (const type of TYPES) {
    view.addEventListener(type, (event) => void (filter?.(event) && event.stopImmediatePropagation()), true);
  }
}
listen(window);

/** Run `work` while `stops` filters the events of the window. */
export function intercepting(view: Window, stops: Filter, work: () => void) {
  listen(view);
  const outer = filter;
  filter = stops;
  try {
    work();
  } finally {
    filter = outer;
  }
}
