/** A field for code: the console's input once the editor has loaded, and a cell of a notebook. */

import { completionStatus } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, insertNewlineAndIndent } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { EditorState, Prec, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, placeholder } from "@codemirror/view";
import { CodeCompletion, type Ask } from "./completion.ts";
import { languageOf } from "./languages.ts";
import { theme } from "./theme.ts";

const LINE_END = "\n";
const BY_PERSON = Transaction.userEvent;
const APPEARANCE = EditorView.theme({
  "&": { height: "auto" },
  ".cm-scroller": { overflow: "auto" },
  ".cm-content": { padding: "0.25rem 0" },
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-tooltip.cm-tooltip-autocomplete": { borderRadius: "8px", overflow: "hidden", boxShadow: "var(--shadow)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    minWidth: "14rem",
    maxWidth: "min(40rem, 90vw)",
    maxHeight: "14rem",
    // A scroll container would take the focus.
    overflow: "hidden",
  },
});

/** Of a field that shares its panel with what matters more. */
const LIMITED = EditorView.theme({ ".cm-scroller": { maxHeight: "calc(12lh + 0.5rem)" } });

export interface Options {
  text: string;
  /** the suffix of files in its language, by default "py" */
  language?: string;
  /** whether it grows with its text without limit */
  grows?: boolean;
  caret: number;
  /** shown while the field is empty */
  hint: string;
  /** of the element that has the focus */
  attributes: Record<string, string>;
  /** returns whether it handled a key that no list takes */
  onKey: (event: KeyboardEvent) => boolean;
  /** called for Enter of an on-screen keyboard, which sends no key */
  onEnter?: () => void;
  onInput: () => void;
  /** called after each change by the user, also one that is undone */
  onChange?: () => void;
  ask: Ask;
  onCall: (call: string | null) => void;
}

export class CodeField {
  #view: EditorView;
  #completion: CodeCompletion;

  /** @param replaced - the element whose place it takes */
  constructor(replaced: HTMLElement, options: Options) {
    this.#completion = new CodeCompletion(options.ask, options.onCall);
    const state = EditorState.create({
      doc: options.text,
      selection: { anchor: options.caret },
      extensions: this.#extensions(options),
    });
    this.#view = new EditorView({ state });
    this.#view.dom.addEventListener("wheel", scrollList, { passive: false });
    replaced.replaceWith(this.#view.dom);
  }

  #extensions({ hint, attributes, onKey, onEnter, onInput, ...options }: Options) {
    const { onChange = () => {}, language = "py", grows = false } = options;
    return [
      Prec.highest(
        EditorView.domEventHandlers({
          keydown: (event) => this.#onKey(event, onKey),
          beforeinput: (event) => {
            if (!onEnter || !event.isTrusted || event.inputType !== "insertParagraph") return false;
            onEnter();
            return true;
          },
          // Chromium restores the focus after a dialog, but leaves the selection there.
          focus: (_, view) => view.focus(),
        }),
      ),
      this.#completion.extension,
      EditorState.lineSeparator.of(LINE_END),
      EditorView.clipboardInputFilter.of((text) => text.replaceAll(/\r\n?/g, LINE_END)),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of(attributes),
      placeholder(hint),
      EditorView.updateListener.of(
        ({ transactions }) => transactions.some((each) => each.isUserEvent("input")) && onInput(),
      ),
      EditorView.updateListener.of(
        ({ transactions }) => transactions.some((each) => each.docChanged && each.annotation(BY_PERSON)) && onChange(),
      ),
      history(),
      drawSelection(),
      highlightSpecialChars(),
      bracketMatching(),
      indentOnInput(),
      languageOf(language),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      APPEARANCE,
      grows ? [] : LIMITED,
      theme,
    ];
  }

  get text() {
    return this.#view.state.doc.sliceString(0, undefined, LINE_END);
  }

  get before() {
    return this.#view.state.sliceDoc(0, this.#view.state.selection.main.head);
  }

  get after() {
    return this.#view.state.sliceDoc(this.#view.state.selection.main.head);
  }

  get hasSelection() {
    return !this.#view.state.selection.main.empty;
  }

  set(text: string) {
    const { length } = this.#view.state.doc;
    const selection = { anchor: text.length };
    this.#view.dispatch({ changes: { from: 0, to: length, insert: text }, selection, scrollIntoView: true });
  }

  /** Remove characters from the start. */
  remove(count: number) {
    this.#view.dispatch({ changes: { from: 0, to: count } });
  }

  /**
   * Start a line with Python's indentation.
   * @param at - the position, by default the caret; the caret moves to the end
   */
  newLine(at?: number) {
    if (at !== undefined) this.#view.dispatch({ selection: { anchor: at } });
    insertNewlineAndIndent(this.#view);
    if (at !== undefined)
      this.#view.dispatch({ selection: { anchor: this.#view.state.doc.length }, scrollIntoView: true });
  }

  insert(text: string) {
    this.#view.dispatch(this.#view.state.replaceSelection(text), { userEvent: "input" });
  }

  /**
   * Complete at the caret.
   * @returns false if there is nothing to complete
   */
  complete(): boolean {
    return this.#completion.request(this.#view);
  }

  focus() {
    this.#view.focus();
  }

  #onKey(event: KeyboardEvent, onKey: (event: KeyboardEvent) => boolean) {
    const { key, isComposing, isTrusted } = event;
    // The editor creates its own key events for some on-screen keyboards, and a script could create one that runs code.
    if (!isTrusted) return key === "Enter";
    if (isComposing) return false;
    if (completionStatus(this.#view.state) === "active") {
      if (key === "Tab" && !event.shiftKey) return this.#completion.accept(this.#view, true);
      if (key === "Enter" && this.#completion.accept(this.#view, false)) return true;
      if (["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Escape"].includes(key)) return false;
    }
    return onKey(event);
  }
}

/** Scroll the completions. */
function scrollList(event: WheelEvent) {
  const list = event.target instanceof Element ? event.target.closest("[role=listbox]") : null;
  if (!list) return;
  event.preventDefault();
  list.scrollTop += event.deltaY;
}
