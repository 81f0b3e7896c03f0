/** Counts the user's presses, so that a late answer of Python's moves the focus only of a user who waits for it. */

let presses = 0;

for (const type of ["keydown", "pointerdown", "blur"]) {
  // A blur of the window: further presses go elsewhere, such as into a page.
  addEventListener(
    type,
    ({ isTrusted, target }) => {
      if (isTrusted && (type !== "blur" || target === window)) presses += 1;
    },
    { capture: true },
  );
}

/** Return a function that says whether the user has pressed nothing since. */
export function stillWaits(): () => boolean {
  const before = presses;
  return () => presses === before;
}

/** a terminal of the page, never of the user's computer */
export interface LineSource {
  id: string;
  focus: () => void;
}

let waits: () => boolean = () => false;
let source: LineSource | null = null;

/** Note that the user has ended a line in a terminal of the page. */
export function noteLine(from: LineSource) {
  waits = stillWaits();
  source = from;
}

/** Return the terminal of the last line. */
export const lineSource = (): LineSource | null => source;

/** Return whether the user has pressed nothing since they typed a command. */
export const waitsForCommand = (): boolean => waits();
