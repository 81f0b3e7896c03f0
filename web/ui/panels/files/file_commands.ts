/** The palette's commands that create and upload files. */

import { commands } from "../../lib/commands.ts";
import type { Create } from "./toolbar.ts";

/** @param show - opens the panel first */
export function addFileCommands(create: Create, available: () => boolean, show: () => void) {
  const inPanel = (act: () => void) => () => {
    show();
    act();
  };
  commands.add(
    {
      id: "upload-folder",
      title: "Upload a folder…",
      keywords: "add open import project directory",
      starter: 2,
      available,
      run: inPanel(create.uploadFolder),
    },
    { id: "upload", title: "Upload files…", keywords: "add open import", available, run: inPanel(create.upload) },
    { id: "new-file", title: "New file…", keywords: "create", available, run: inPanel(() => create.create("file")) },
    {
      id: "new-folder",
      title: "New folder…",
      keywords: "create directory",
      available,
      run: inPanel(() => create.create("directory")),
    },
  );
}
