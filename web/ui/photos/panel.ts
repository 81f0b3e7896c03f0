/** The Photos panel. */

import type { Actions } from "../actions.ts";
import { changesOfFiles, showListPanel } from "../list_panel.ts";
import type { Store } from "../store.ts";
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
