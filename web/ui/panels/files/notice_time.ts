/** The time for which the notice of an operation is shown. */

// Long enough to read it and to reach its buttons.
const SHOWN_MS = 60_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Call `end` after a minute, and not while the user points at the notice or has the focus in it. A further call
 * replaces the one before.
 *
 * @param end - null: the notice stays
 */
export function endLater(end: (() => void) | null) {
  clearTimeout(timer);
  if (end === null) return;
  timer = setTimeout(() => {
    if (document.querySelector("#file-notice:is(:hover, :focus-within)") === null) end();
    else endLater(end);
  }, SHOWN_MS);
}
