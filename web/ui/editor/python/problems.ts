/** The problems of a Python file, underlined in its text, with ruff's fixes. */

import { linter, lintKeymap } from "@codemirror/lint";
import { EditorView, keymap } from "@codemirror/view";
import { checks } from "./checks.js";

/**
 * @import { Diagnostic } from "@codemirror/lint"
 * @import { Extension, Text } from "@codemirror/state"
 * @import { Position, Problem } from "./checks.js"
 */

const AFTER_TYPING_MS = 400;

/** @type {Extension} */
export const problems = [
  linter(async ({ state: { doc } }) => (await checks.check(doc.toString()) ?? []).map((problem) => diagnostic(doc, problem)), {
    delay: AFTER_TYPING_MS,
  }),
  keymap.of(lintKeymap),
  EditorView.theme({
    ".cm-diagnostic": { padding: "0.3rem 0.6rem", borderLeft: "3px solid var(--warn)", fontFamily: "var(--sans)", whiteSpace: "pre-wrap" },
    ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
    ".cm-diagnosticAction": { color: "var(--on-accent)", backgroundColor: "var(--accent)", borderRadius: "4px", padding: "0.1rem 0.5rem",
      marginLeft: "0.6rem" },
    ".cm-lintRange-warning, .cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--warn) 1px" },
    ".cm-lintRange-error": { textDecorationColor: "var(--bad)" },
    ".cm-panel.cm-panel-lint ul": { maxHeight: "8rem" },
    ".cm-panel.cm-panel-lint ul [aria-selected]": { color: "var(--text)", backgroundColor: "var(--accent-soft)" },
  }),
];

/** @param {Text} doc @param {Problem} problem @returns {Diagnostic} */
function diagnostic(doc, { code, message, start_location: start, end_location: end, fix }) {
  const isSyntax = code === null || code === "invalid-syntax";
  /** @type {Diagnostic} */
  const shown = {
    from: offset(doc, start), to: offset(doc, end), severity: isSyntax ? "error" : "warning",
    message: isSyntax ? message : `${message} (${code})`,
  };
  if (!fix) return shown;
  const changes = fix.edits.map((edit) => (
    { from: offset(doc, edit.location), to: offset(doc, edit.end_location), insert: edit.content ?? "" }));
  const apply = (/** @type {EditorView} */ view) => {
    // The edits are for the text that was checked.
    if (view.state.doc.eq(doc)) view.dispatch({ changes, userEvent: "input.fix" });
  };
  return { ...shown, actions: [{ name: "Fix", apply }] };
}

/** @param {Text} doc @param {Position} position */
function offset(doc, { row, column }) {
  const line = doc.line(Math.min(row, doc.lines));
  return Math.min(line.from + column - 1, row > doc.lines ? doc.length : line.to);
}
