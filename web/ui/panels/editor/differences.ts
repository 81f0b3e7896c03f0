/** Differences between texts: with a choice at each place, or read-only. */

import { unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { languageOf } from "./languages.ts";
import { theme } from "./theme.ts";

/** Compare the editor's text with the file's. */
export function differences(theirs: Text) {
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

/** Show the differences of a text from its previous version, read-only. */
export function showDifferences(parent: HTMLElement, before: string, now: string, path: string) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const extensions = [
    lineNumbers(),
    theme,
    languageOf(name),
    EditorState.readOnly.of(true),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": `Changes in ${name}` }),
    unifiedMergeView({
      original: before,
      gutter: true,
      mergeControls: false,
      collapseUnchanged: { margin: 3, minSize: 8 },
    }),
  ];
  return new EditorView({ parent, doc: now, extensions });
}
