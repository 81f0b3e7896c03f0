/** The Page console panel. */

import { LazyView } from "../../lib/lazy_bundles.ts";
import type { Store } from "../../state/store.ts";
import type { Frames } from "../browser/frames.ts";

/** @param openFile - opens a file at a line */
export function showPageConsole(store: Store, frames: Frames, openFile: (path: string, line: number) => unknown) {
  return new LazyView({
    id: "page-console",
    create: (part: typeof import("./main.ts")) => part.showMessages(store, frames, openFile),
  });
}
