/** The Photos panel. */

import type { Actions } from "../../state/actions.ts";
import { changesOfFiles, showListPanel } from "../list_panel.ts";
import type { Store } from "../../state/store.ts";

/** @param preview - shows a file */
export function showPhotos(store: Store, actions: Actions, preview: (path: string) => unknown) {
  return showListPanel(
    store,
    "photos",
    changesOfFiles,
    (part: typeof import("./main.ts")) => new part.PhotosPanel(actions, preview),
    (view) => view.render(store.state),
  );
}
