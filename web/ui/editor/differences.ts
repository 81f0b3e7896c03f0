/** Differences between texts: with a choice at each place, or read-only. */

import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { languageOf } from "./languages.js";
import { theme } from "./theme.js";

/** @import { Text } from "@codemirror/state" */

/** Compare the editor's text with the file's. @param {Text} theirs */
export function differences(theirs) {
  return unifiedMergeView({
    original: theirs,
    gutter: true,
    mergeControls: (type, choose) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = `choice-${type}`;
      button.textContent = type === "accept" ? "Mine" : "Theirs";
      button.title = type === "accept" ? "Keep your change" : "Use the file's text";
      button.addEventListener("click", choose);
      return button;
    },
  });
}

/**
 * Show the differences of a text from its previous version, read-only.
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
    EditorView.contentAttributes.of({ "aria-label": `Changes in ${name}` }),
    unifiedMergeView({ original: before, gutter: true, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 8 } }),
  ];
  return new EditorView({ parent, doc: now, extensions });
}
