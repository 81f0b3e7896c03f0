/**
 * Files dropped on a panel from the device.
 *
 * @import { Load } from "./transfers.js"
 */

import { dropped } from "./transfers.js";

/**
 * @param {HTMLElement} panel
 * @param {(load: Promise<Load>) => void} onDrop
 */
export function acceptDrops(panel, onDrop) {
  panel.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    panel.classList.add("dropping");
  });
  panel.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && panel.contains(relatedTarget))) panel.classList.remove("dropping");
  });
  panel.addEventListener("drop", (event) => {
    panel.classList.remove("dropping");
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    onDrop(dropped(event.dataTransfer));
  });
}
