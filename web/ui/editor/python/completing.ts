/** Completion of Python names, as the kernel knows them. */

import { autocompletion } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { isFailure } from "../../call.js";
import { ask } from "./questions.js";

/**
 * @import { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
 * @import { Candidate, Completions } from "../../types.js"
 */

/** The text after which the list opens by itself. */
const OPENS = /(?:[^\W\d]\w*|[\w)\]}"']\.)$/u;
const NO_CODE = /^(Comment|String|FormatString)$/;
/** As MAX_CANDIDATES in completion.py: with so many, there may be more. */
const MOST = 200;

export const completing = autocompletion({ override: [candidates], icons: false, addToOptions: [{ render: kindOf, position: 90 }] });

/** @param {CompletionContext} context @returns {Promise<CompletionResult | null>} */
async function candidates(context) {
  const { state, pos } = context;
  const line = state.doc.lineAt(pos);
  const before = state.sliceDoc(line.from, pos);
  if (!context.explicit && (!OPENS.test(before) || NO_CODE.test(syntaxTree(state).resolveInner(pos, -1).name))) return null;
  /** @type {Completions | null} */
  const answer = await ask(state, pos, "complete");
  if (answer === null || isFailure(answer) || context.aborted || answer.candidates.length === 0) return null;
  const from = line.from + [...before].slice(0, answer.start).join("").length;
  // Private names are listed only after an underscore.
  const validFor = state.sliceDoc(from, pos).startsWith("_") ? /^_\w*$/u : /^(?!_)\w*$/u;
  return { from, options: answer.candidates.map(option), validFor: answer.candidates.length < MOST ? validFor : undefined };
}

/** @param {Candidate} candidate @returns {Completion} */
function option({ text, kind, signature }) {
  return { label: text, type: kind, detail: signature ?? undefined };
}

/** @param {Completion} completion */
function kindOf({ type }) {
  const shown = document.createElement("span");
  shown.className = "kind";
  shown.textContent = type ?? "";
  return shown;
}
