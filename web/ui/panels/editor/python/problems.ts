/** The problems of a Python file, underlined in its text, with ruff's fixes. */

import { linter, nextDiagnostic, previousDiagnostic, type Diagnostic } from "@codemirror/lint";
import type { EditorState, Extension, Text, TransactionSpec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { checks, type Position, type Problem } from "./checks.ts";
import { helper } from "./questions.ts";

const AFTER_TYPING_MS = 400;

export const problems: Extension = [
  linter(({ state: { doc } }) => findProblems(doc), { delay: AFTER_TYPING_MS }),
  keymap.of([
    { key: "F8", run: nextDiagnostic, shift: previousDiagnostic },
    {
      key: "Mod-Shift-m",
      run: ({ state }) => (state.facet(helper)()?.listProblems(), true),
      preventDefault: true,
    },
  ]),
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
  }),
];

/** a problem with the change that fixes it, for the text that was checked; it is null for another text */
export interface Fixable extends Diagnostic {
  fix?: (state: EditorState) => TransactionSpec | null;
}

/** Return the problems of a text of Python, none if it can't be checked. */
export async function findProblems(doc: Text): Promise<Fixable[]> {
  return ((await checks.check(doc.toString())) ?? []).map((problem) => diagnostic(doc, problem));
}

function diagnostic(doc: Text, { code, message, start_location: start, end_location: end, fix }: Problem): Fixable {
  const isSyntax = code === null || code === "invalid-syntax";
  const shown: Fixable = {
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
  const fixed = (state: EditorState) => (state.doc.eq(doc) ? { changes, userEvent: "input.fix" } : null);
  const apply = (view: EditorView) => {
    const change = fixed(view.state);
    if (change) view.dispatch(change);
  };
  return { ...shown, fix: fixed, actions: [{ name: "Fix", apply }] };
}

function offset(doc: Text, { row, column }: Position) {
  const line = doc.line(Math.min(row, doc.lines));
  return Math.min(line.from + column - 1, row > doc.lines ? doc.length : line.to);
}
