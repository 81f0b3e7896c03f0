// Keeps a page made of files from opening drops on it: the browser opens an address in a new window, which no policy
// of a document covers, and the page itself can have put the address into the dragged item.

/** Return whether the browser opens the dragged item, wherever it is dropped. */
export function isOpened(dragged: DataTransfer | null): boolean {
  return ["Files", "text/uri-list"].some((type) => dragged?.types.includes(type));
}

/** Take all drops that the browser would open. The page's own listeners still get them. */
export function keepDrops() {
  for (const type of ["dragover", "drop"] as const) {
    addEventListener(
      type,
      (event) => {
        if (isOpened(event.dataTransfer)) event.preventDefault();
      },
      { capture: true },
    );
  }
}
