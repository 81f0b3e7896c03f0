/** Completion and signature help of a field for Python code, by the values of the kernel. */

import {
  acceptCompletion,
  autocompletion,
  completionStatus,
  selectedCompletionIndex,
  setSelectedCompletion,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import type { EditorState, Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Candidate, Completions } from "../../state/types.ts";

/** takes the cursor in characters; null after a failure */
export type Ask = (code: string, cursor: number) => Promise<Completions | null>;

/** The members of a value, and the magics of a line. */
const OPENS_AUTOMATICALLY = /[\w)\]]\.\w*$|(?:^|\n)\s*%{1,2}\w*$/;
/** As MAX_CANDIDATES in completion.py: with so many, there may be more. */
const MOST = 200;

export class CodeCompletion {
  extension: Extension = [
    autocompletion({
      override: [(context) => this.#candidates(context)],
      // Enter runs the code, unless the user requested the list or has selected a candidate.
      selectOnOpen: false,
      interactionDelay: 0,
      aboveCursor: true,
      icons: false,
      maxRenderedOptions: MOST,
      compareCompletions: (one, other) => order(one) - order(other),
      addToOptions: [{ render: kindOf, position: 90 }],
    }),
    EditorView.updateListener.of(({ view, state, docChanged, selectionSet, focusChanged }) => {
      if (this.#selectFirst && completionStatus(state) === "active") this.#select(view);
      if (docChanged || selectionSet || focusChanged) void this.#help(view);
    }),
  ];
  #requested = false;
  #selectFirst = false;
  #asking = false;
  /** The state in which a request found nothing. */
  #nothing: EditorState | null = null;
  ask: Ask;
  onCall: (call: string | null) => void;

  /** @param onCall - called with the signature of the call around the caret */
  constructor(ask: Ask, onCall: (call: string | null) => void) {
    this.ask = ask;
    this.onCall = onCall;
  }

  /**
   * Complete at the user's request; a single candidate is inserted.
   *
   * @returns false if there was nothing to complete here before
   */
  request(view: EditorView): boolean {
    if (this.#nothing?.doc.eq(view.state.doc) && this.#nothing.selection.eq(view.state.selection)) return false;
    this.#requested = true;
    return startCompletion(view);
  }

  /** @param first - whether to take the first candidate if none is selected */
  accept(view: EditorView, first: boolean) {
    const selected = selectedCompletionIndex(view.state) !== null && (selectedCompletionIndex(view.state) ?? -1) >= 0;
    if (!selected && !first) return false;
    if (!selected) this.#select(view);
    return acceptCompletion(view);
  }

  #select(view: EditorView) {
    this.#selectFirst = false;
    view.dispatch({ effects: setSelectedCompletion(0) });
  }

  async #candidates(context: CompletionContext): Promise<CompletionResult | null> {
    const { state, pos, view } = context;
    const before = state.sliceDoc(0, pos);
    const requested = this.#requested;
    this.#requested = false;
    if (!context.explicit && !OPENS_AUTOMATICALLY.test(before)) return null;
    const answer = await this.ask(state.doc.toString(), [...before].length);
    if (answer === null || context.aborted) return null;
    const from = [...before].slice(0, answer.start).join("").length;
    const [only, ...others] = answer.candidates;
    if (requested && view && only === undefined) {
      this.#nothing = state;
      view.dispatch({ effects: EditorView.announce.of("No completions") });
    } else if (requested && view && others.length === 0) {
      const insert = only?.text ?? "";
      view.dispatch({
        changes: { from, to: pos, insert },
        selection: { anchor: from + insert.length },
        userEvent: "input.complete",
      });
      return null;
    }
    this.#selectFirst = requested;
    return only === undefined
      ? null
      : { from, options: answer.candidates.map(option), validFor: validFor(before.slice(from), answer) };
  }

  /** Show the signature of the call around the caret. */
  async #help(view: EditorView) {
    if (!beforeCaret(view.state).includes("(") || !view.hasFocus) this.onCall(null);
    if (this.#asking) return;
    this.#asking = true;
    let asked;
    let call;
    do {
      asked = view.state;
      const before = beforeCaret(asked);
      call = before.includes("(") ? ((await this.ask(asked.doc.toString(), [...before].length))?.call ?? null) : null;
    } while (!asked.doc.eq(view.state.doc) || !asked.selection.eq(view.state.selection));
    this.#asking = false;
    this.onCall(view.hasFocus ? call : null);
  }
}

function beforeCaret(state: EditorState) {
  return state.sliceDoc(0, state.selection.main.head);
}

function option({ text, kind, signature }: Candidate, index: number): Completion & { order: number } {
  return { label: text, type: kind, detail: signature ?? undefined, order: index };
}

function order(completion: Completion) {
  // All of them are made above.
  return (completion as Completion & { order: number }).order;
}

function kindOf({ type }: Completion) {
  const shown = document.createElement("span");
  shown.className = "kind";
  shown.textContent = type ?? "";
  return shown;
}

/** Return the strings whose candidates the answer also has. */
function validFor(typed: string, { candidates }: Completions) {
  if (candidates.length >= MOST || !/^\w*$/.test(typed)) return undefined;
  // Private names are listed only after an underscore.
  return typed.startsWith("_") ? /^_\w*$/ : /^(?!_)\w*$/;
}
