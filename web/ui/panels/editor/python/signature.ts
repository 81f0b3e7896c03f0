/** The signature of the call around the caret, above it, from its opening parenthesis on. */

import { syntaxTree } from "@codemirror/language";
import { StateEffect, StateField, type StateEffectType, type EditorState, type Extension } from "@codemirror/state";
import { keymap, showTooltip, ViewPlugin, type EditorView, type ViewUpdate } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { isFailure } from "../../../state/kernel_calls.ts";
import { ask } from "./questions.ts";

/** a signature, at the parenthesis of its call */
type Shown = { from: number; text: string };

const show: StateEffectType<Shown | null> = StateEffect.define();

const shown: StateField<Shown | null> = StateField.define({
  create: (): Shown | null => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(show)) return effect.value;
    const moved = value && { ...value, from: transaction.changes.mapPos(value.from) };
    return moved && callAt(transaction.state) === moved.from ? moved : null;
  },
  provide: (field) =>
    showTooltip.from(
      field,
      (value) => value && { pos: value.from, above: true, create: () => ({ dom: drawn(value.text) }) },
    ),
});

export const signature: Extension = [
  shown,
  ViewPlugin.define(() => ({ update: (update) => typed(update) && void help(update.view) })),
  keymap.of([
    { key: "Mod-Shift-Space", run: (view) => (void help(view), true) },
    {
      key: "Escape",
      run: (view) => view.state.field(shown) !== null && (view.dispatch({ effects: show.of(null) }), true),
    },
  ]),
];

/** Return whether an update typed the start of an argument. */
function typed({ transactions, state }: ViewUpdate) {
  const { head } = state.selection.main;
  return (
    transactions.some((each) => each.docChanged && each.isUserEvent("input")) &&
    /[(,]/.test(state.sliceDoc(head - 1, head))
  );
}

async function help(view: EditorView) {
  // The tree of a changed text is available after the update.
  await null;
  const { state } = view;
  const from = callAt(state);
  if (from === null) return;
  const answer = await ask<{ signature: Shown["text"] | null }>(state, state.selection.main.head, "signature");
  if (answer === null || isFailure(answer) || callAt(view.state) !== from) return;
  view.dispatch({ effects: show.of(answer.signature ? { from, text: answer.signature } : null) });
}

/** Return the position of the parenthesis whose call is around the caret. */
function callAt(state: EditorState) {
  const { head } = state.selection.main;
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(head, -1); node; node = node.parent) {
    const closed = state.sliceDoc(node.to - 1, node.to) === ")";
    if (node.name === "ArgList" && node.from < head && (!closed || head < node.to)) return node.from;
  }
  return null;
}

function drawn(text: string) {
  const element = document.createElement("div");
  element.className = "cm-signature";
  element.setAttribute("role", "status");
  element.textContent = text;
  return element;
}
