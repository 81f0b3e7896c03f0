/** The Page console panel. */

import { byId } from "../../lib/elements.ts";
import { LazyView } from "../../lib/lazy_bundles.ts";
import type { Store } from "../../state/store.ts";
import type { Frames } from "../browser/frames.ts";

const ID = "page-console";

/** @param openFile - opens a file at a line */
export function showPageConsole(store: Store, frames: Frames, openFile: (path: string, line: number) => unknown) {
  return new LazyView({
    part: "ui-page-console.js",
    place: byId(ID, HTMLElement),
    problem: byId(`${ID}-problem`, HTMLElement),
    create: (part: typeof import("./main.ts")) => part.showMessages(store, frames, openFile),
  });
}
