/** How a text differs from the one in the file, with a choice for each place. */

import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { languageOf } from "./languages.js";
import { theme } from "./theme.js";

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

/**
 * Shows how a text differs from what it was before, to be read only.
 *
 * @param {HTMLElement} parent
 * @param {string} before
 * @param {string} now
 * @param {string} path
 */
export function showDifferences(parent, before, now, path) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const extensions = [
    lineNumbers(), theme, languageOf(name), EditorState.readOnly.of(true), EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": `What changed in ${name}` }),
    unifiedMergeView({ original: before, gutter: true, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 8 } }),
  ];
  return new EditorView({ parent, doc: now, extensions });
}
