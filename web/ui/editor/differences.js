/** How a text differs from the one in the file, with a choice for each place. */

import { unifiedMergeView } from "@codemirror/merge";

/** @import { Text } from "@codemirror/state" */

/** @param {Text} theirs */
export function differences(theirs) {
  return unifiedMergeView({
    original: theirs,
    gutter: true,
    mergeControls: (type, choose) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = `choice-${type}`;
      button.textContent = type === "accept" ? "Mine" : "Theirs";
      button.title = type === "accept" ? "Keep what you wrote here" : "Take what is in the file here";
      button.addEventListener("click", choose);
      return button;
    },
  });
}
