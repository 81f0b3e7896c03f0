/**
 * The palette's commands that create and upload files.
 *
 * @import { Create } from "./toolbar.js"
 */

import { commands } from "../commands.js";

/**
 * @param {Create} create
 * @param {() => boolean} available
 * @param {() => void} show opens the panel first
 */
export function addFileCommands(create, available, show) {
  const inPanel = (/** @type {() => void} */ act) => () => {
    show();
    act();
  };
  commands.add(
    {
      id: "upload-folder", title: "Upload a folder…", keywords: "add open import project directory", starter: 2, available,
      run: inPanel(create.uploadFolder),
    },
    { id: "upload", title: "Upload files…", keywords: "add open import", available, run: inPanel(create.upload) },
    { id: "new-file", title: "New file…", keywords: "create", available, run: inPanel(() => create.create("file")) },
    {
      id: "new-folder", title: "New folder…", keywords: "create directory", available,
      run: inPanel(() => create.create("directory")),
    },
  );
}
