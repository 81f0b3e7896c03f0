/**
 * The editor, based on CodeMirror. The bundle loads when the first file is opened.
 *
 * A `Buffer` is one text being edited, with its undo history; the `View` shows one buffer at a time.
 */

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, redo, undo } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Text, Transaction, type Extension, type TransactionSpec } from "@codemirror/state";
import { forEachDiagnostic, setDiagnostics } from "@codemirror/lint";
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { committedGutter, setCommitted } from "./committed.ts";
import { differences } from "./differences.ts";
import { languageOf } from "./languages.ts";
import { checks } from "./python/checks.ts";
import { pythonTools } from "./python/main.ts";
import { type Fixable, findProblems } from "./python/problems.ts";
import { filePath, helper, type Helper } from "./python/questions.ts";
import { phrases } from "./phrases.ts";
import { runTest, testAtCaret, testGutter } from "./tests.ts";
import { theme } from "./theme.ts";

// A CR left in a text is a character, never a line end.
const LINE_END = "\n";

const COMMON: Extension = [
  EditorState.lineSeparator.of(LINE_END),
  EditorView.clipboardInputFilter.of((text) => text.replaceAll(/\r\n?/g, LINE_END)),
  EditorState.allowMultipleSelections.of(true),
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  foldGutter(),
  drawSelection(),
  dropCursor(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  // As in VS Code; Ctrl+click goes to the definition.
  EditorView.clickAddsSelectionRange.of(({ altKey }) => altKey),
  rectangularSelection({ eventFilter: ({ altKey, shiftKey }) => altKey && shiftKey }),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  phrases,
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
    indentWithTab,
  ]),
  theme,
];

/**
 * Format Python code.
 * @returns null if it can't be formatted
 */
export const format = (text: string): Promise<string | null> => checks.format(text);

export { CodeField } from "./code_field.ts";
export { showDifferences } from "./differences.ts";
export { highlight } from "./highlight.ts";

export class Buffer {
  #compared = new Compartment();
  #named = new Compartment();
  view: View | null = null;
  #saved: Text;
  #path: string;
  state: EditorState;

  /** @param content - of the file */
  constructor(path: string, content: string) {
    this.#path = path;
    this.#saved = textOf(content);
    this.state = EditorState.create({
      doc: this.#saved,
      extensions: [
        committedGutter,
        COMMON,
        this.#named.of(named(path)),
        this.#compared.of([]),
        runTest.of((test) => this.view?.onRun(test)),
        helper.of(() => this.view?.helper ?? null),
      ],
    });
  }

  get text() {
    return this.state.doc.sliceString(0, undefined, LINE_END);
  }

  get dirty() {
    return !this.state.doc.eq(this.#saved);
  }

  /** The name of the test around the caret, as pytest has it. */
  get test(): string | null {
    return testAtCaret(this.state)?.name ?? null;
  }

  /** The problems found in it, in order of their places. */
  get problems(): Found[] {
    const found: Found[] = [];
    if (!isPython(this.#path)) return found;
    forEachDiagnostic(this.state, ({ severity, message, fix }: Fixable, from) => {
      const place = placeIn(this.state, from);
      found.push({ ...place, isError: severity === "error", message, fix: fix ?? null });
    });
    return found;
  }

  /** Find the problems of a text that no view shows. */
  async check() {
    const { doc } = this.state;
    if (this.view || !isPython(this.#path)) return;
    const found = await findProblems(doc);
    if (!this.view && this.state.doc.eq(doc)) this.#change(setDiagnostics(this.state, found));
  }

  /** Fix a problem, unless the text has changed since it was found. */
  fix({ fix }: Found) {
    const change = fix?.(this.state);
    if (change) this.#change(change);
  }

  /** The position of the caret: line and column, from 1. */
  get place() {
    return placeIn(this.state, this.state.selection.main.head);
  }

  /** @param path - the new one */
  rename(path: string) {
    this.#path = path;
    this.#change({ effects: this.#named.reconfigure(named(path)) });
  }

  /** @param content - the file's current content */
  markSaved(content: string) {
    this.#saved = textOf(content);
  }

  /**
   * Replace the text, in one step that can be undone. Common parts stay, and with them the caret.
   *
   * @param options - whether it can be undone
   */
  replace(content: string, { undo = true }: { undo?: boolean } = {}) {
    const before = this.text;
    const shorter = Math.min(before.length, content.length);
    let from = 0;
    while (from < shorter && before[from] === content[from]) from += 1;
    let after = 0;
    while (after < shorter - from && before.at(-1 - after) === content.at(-1 - after)) after += 1;
    if (before === content) return;
    this.#change({
      changes: { from, to: before.length - after, insert: textOf(content.slice(from, content.length - after)) },
      // Keeps it a separate step from recent typing.
      annotations: [Transaction.addToHistory.of(undo), isolateHistory.of("full")],
    });
  }

  /**
   * Mark the lines that differ from the last commit.
   * @param text - of the file there; null if it has none
   */
  markCommitted(text: string | null) {
    this.#change({ effects: setCommitted.of(text) });
  }

  /** @param theirs - shows its differences, with a choice at each place; null ends that */
  compare(theirs: string | null) {
    this.#change({ effects: this.#compared.reconfigure(theirs === null ? [] : differences(textOf(theirs))) });
  }

  /** Undo the last change of a text that no view shows, such as a notebook's. @returns false if there is none */
  undo(): boolean {
    return undo({ state: this.state, dispatch: (transaction) => (this.state = transaction.state) });
  }

  /** Repeat the change that was undone last. @returns false if there is none */
  redo(): boolean {
    return redo({ state: this.state, dispatch: (transaction) => (this.state = transaction.state) });
  }

  /** Go to a place. Line and column are from 1. */
  goTo(number: number, column = 1) {
    const line = this.state.doc.line(Math.min(number, this.state.doc.lines));
    const anchor = Math.min(line.from + column - 1, line.to);
    this.#change({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  }

  /** Insert a text in the place of the selection, as a paste does. */
  insert(text: string) {
    this.#change({ ...this.state.replaceSelection(text), userEvent: "input.paste", scrollIntoView: true });
  }

  #change(spec: TransactionSpec) {
    if (this.view) this.view.change(spec);
    else this.state = this.state.update(spec).state;
  }
}

/** a problem of a text; line and column are from 1 */
export interface Found {
  line: number;
  column: number;
  isError: boolean;
  message: string;
  fix: NonNullable<Fixable["fix"]> | null;
}

/** whether the text has changed, and whether the user changed it */
export type TextChange = { changed: boolean; byPerson: boolean };

export class View {
  #buffer: Buffer | null = null;
  #view: EditorView;
  #onChange: (change: TextChange) => void;
  onRun: (test: string) => void;
  helper: Helper;

  /**
   * @param onChange - called when the text or the selection changed
   * @param onRun - called when the user presses the button of a test
   */
  constructor(
    place: HTMLElement,
    onChange: (change: TextChange) => void,
    onRun: (test: string) => void,
    helper: Helper,
  ) {
    this.#onChange = onChange;
    this.onRun = onRun;
    this.helper = helper;
    this.#view = new EditorView({
      parent: place,
      dispatchTransactions: (transactions, view) => {
        view.update(transactions);
        if (!this.#buffer) return;
        this.#buffer.state = view.state;
        const changes = transactions.filter(({ docChanged }) => docChanged);
        // Only the user's changes have a kind, such as "input.type"; a file that changed on disk has none.
        const byPerson = changes.some((change) => change.annotation(Transaction.userEvent) !== undefined);
        onChange({ changed: changes.length > 0, byPerson });
      },
    });
  }

  show(buffer: Buffer) {
    if (this.#buffer === buffer) return;
    const before = this.#buffer;
    if (before) before.view = null;
    // The view may not have checked its last change.
    void before?.check().then(() => this.#onChange({ changed: false, byPerson: false }));
    this.#buffer = buffer;
    buffer.view = this;
    this.#view.setState(buffer.state);
  }

  focus() {
    this.#view.focus();
  }

  change(spec: TransactionSpec) {
    this.#view.dispatch(spec);
  }
}

function named(path: string) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return [
    // axe doesn't know that such an element takes the focus without it.
    EditorView.contentAttributes.of({
      tabindex: "0",
      "aria-label": `Text of ${name}. Press Escape, then Tab to leave.`,
    }),
    languageOf(name),
    filePath.of(path),
    name.endsWith(".py") ? testGutter : [],
    isPython(name) ? pythonTools : autocompletion(),
  ];
}

function isPython(path: string) {
  return /\.pyi?$/.test(path);
}

/** Return the place of an offset: line and column, from 1. */
function placeIn({ doc }: EditorState, offset: number) {
  const line = doc.lineAt(offset);
  return { line: line.number, column: offset - line.from + 1 };
}

function textOf(content: string) {
  return Text.of(content.split(LINE_END));
}
