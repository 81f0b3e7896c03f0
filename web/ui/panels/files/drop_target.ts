/** Files dropped on a panel from the device. */

import { dropped, type Load } from "./transfers.ts";

export function acceptDrops(panel: HTMLElement, onDrop: (load: Promise<Load>) => void) {
  panel.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    panel.classList.add("dropping");
  });
  panel.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && panel.contains(relatedTarget))) panel.classList.remove("dropping");
  });
  // Before the editor, which would insert the text of files.
  panel.addEventListener(
    "drop",
    (event) => {
      panel.classList.remove("dropping");
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      onDrop(dropped(event.dataTransfer));
    },
    { capture: true },
  );
}
