/** The problems of a Python file, underlined in its text, with ruff's fixes. */

import { linter, lintKeymap, type Diagnostic } from "@codemirror/lint";
import type { Extension, Text } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { checks, type Position, type Problem } from "./checks.ts";

const AFTER_TYPING_MS = 400;

export const problems: Extension = [
  linter(
    async ({ state: { doc } }) =>
      ((await checks.check(doc.toString())) ?? []).map((problem) => diagnostic(doc, problem)),
    {
      delay: AFTER_TYPING_MS,
    },
  ),
  keymap.of(lintKeymap),
  EditorView.theme({
    ".cm-diagnostic": {
      padding: "0.3rem 0.6rem",
      borderLeft: "3px solid var(--warn)",
      fontFamily: "var(--sans)",
      whiteSpace: "pre-wrap",
    },
    ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
    ".cm-diagnosticAction": {
      color: "var(--on-accent)",
      backgroundColor: "var(--accent)",
      borderRadius: "4px",
      padding: "0.1rem 0.5rem",
      marginLeft: "0.6rem",
    },
    ".cm-lintRange-warning, .cm-lintRange-error": {
      backgroundImage: "none",
      textDecoration: "underline wavy var(--warn) 1px",
    },
    ".cm-lintRange-error": { textDecorationColor: "var(--bad)" },
    ".cm-panel.cm-panel-lint ul": { maxHeight: "8rem" },
    ".cm-panel.cm-panel-lint ul [aria-selected]": { color: "var(--text)", backgroundColor: "var(--accent-soft)" },
  }),
];

function diagnostic(doc: Text, { code, message, start_location: start, end_location: end, fix }: Problem): Diagnostic {
  const isSyntax = code === null || code === "invalid-syntax";
  const shown: Diagnostic = {
    from: offset(doc, start),
    to: offset(doc, end),
    severity: isSyntax ? "error" : "warning",
    message: isSyntax ? message : `${message} (${code})`,
  };
  if (!fix) return shown;
  const changes = fix.edits.map((edit) => ({
    from: offset(doc, edit.location),
    to: offset(doc, edit.end_location),
    insert: edit.content ?? "",
  }));
  const apply = (view: EditorView) => {
    // The edits are for the text that was checked.
    if (view.state.doc.eq(doc)) view.dispatch({ changes, userEvent: "input.fix" });
  };
  return { ...shown, actions: [{ name: "Fix", apply }] };
}

function offset(doc: Text, { row, column }: Position) {
  const line = doc.line(Math.min(row, doc.lines));
  return Math.min(line.from + column - 1, row > doc.lines ? doc.length : line.to);
}
