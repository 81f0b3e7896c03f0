// Keeps a page made of files from opening what is dropped on it: the browser opens an address in a new window, which no policy
// of a document covers, and the page itself can have put the address into what the person drags.

const OPENED = ["Files", "text/uri-list"];

/** Take all drops that the browser would open. The page's own listeners still get them. */
export function keepDrops() {
  for (const type of ["dragover", "drop"] as const) {
    addEventListener(
      type,
      (event) => {
        if (OPENED.some((each) => event.dataTransfer?.types.includes(each))) event.preventDefault();
      },
      { capture: true },
    );
  }
}
