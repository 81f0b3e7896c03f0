/** The Photos panel. */

import type { Actions } from "../actions.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../store.ts";
import type { State } from "../types.ts";
import type { PhotosPanel } from "./main.ts";

/** @param preview - shows a file */
export function showPhotos(store: Store, actions: Actions, preview: (path: string) => unknown) {
  return showListPanel(
    store,
    "photos",
    changesOfFiles,
    (part) => new part.PhotosPanel(actions, preview) as PhotosPanel,
    (view) => view.render(store.state),
  );
}

/** Return what differs after something that may have changed files. */
function changesOfFiles({ calls, console, files, terminals }: State) {
  return [
    calls.findLast(({ effect, ok }) => effect !== "read" && ok !== null)?.id,
    console.entries.findLast(({ running }) => !running)?.id,
    terminals.filter(({ busy }) => busy).length,
    files,
  ];
}
