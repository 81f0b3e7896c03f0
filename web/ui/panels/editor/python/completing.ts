/** Completion of Python names, as the kernel knows them. */

import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { isFailure } from "../../../state/kernel_calls.ts";
import type { Candidate, Completions } from "../../../state/types.ts";
import { ask } from "./questions.ts";

/** The text after which the list opens automatically. */
const OPENS = /(?:[^\W\d]\w*|[\w)\]}"']\.)$/u;
const NO_CODE = /^(Comment|String|FormatString)$/;
/** As MAX_CANDIDATES in completion.py: with so many, there may be more. */
const MOST = 200;

export const completing = autocompletion({
  override: [candidates],
  icons: false,
  addToOptions: [{ render: kindOf, position: 90 }],
});

async function candidates(context: CompletionContext): Promise<CompletionResult | null> {
  const { state, pos } = context;
  const line = state.doc.lineAt(pos);
  const before = state.sliceDoc(line.from, pos);
  if (!context.explicit && (!OPENS.test(before) || NO_CODE.test(syntaxTree(state).resolveInner(pos, -1).name)))
    return null;
  const answer = await ask<Completions>(state, pos, "complete");
  if (answer === null || isFailure(answer) || context.aborted || answer.candidates.length === 0) return null;
  const from = line.from + [...before].slice(0, answer.start).join("").length;
  // Private names are listed only after an underscore.
  const validFor = state.sliceDoc(from, pos).startsWith("_") ? /^_\w*$/u : /^(?!_)\w*$/u;
  return {
    from,
    options: answer.candidates.map(option),
    validFor: answer.candidates.length < MOST ? validFor : undefined,
  };
}

function option({ text, kind, signature }: Candidate): Completion {
  return { label: text, type: kind, detail: signature ?? undefined };
}

function kindOf({ type }: Completion) {
  const shown = document.createElement("span");
  shown.className = "kind";
  shown.textContent = type ?? "";
  return shown;
}
