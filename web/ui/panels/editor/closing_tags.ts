/**
 * Typing over the closing tags that the editor adds. `</` before such a tag goes into it, and each of its characters
 * that is typed goes past it, as with closing brackets; otherwise the tag would be there twice.
 */

import { type EditorState, Prec, RangeSet, RangeValue, StateField } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** A tag that was added, without the text typed right before or after it. */
class Added extends RangeValue {
  override startSide = 1;
  override endSide = -1;
}

const ADDED = new Added();
/** The user event of `@codemirror/lang-html` for its additions. */
const ADDS = "input.complete";
const CLOSING = /^<\/[^<>]*>$/;

/** The tags that were added. A change within one ends that. */
const added = StateField.define<RangeSet<Added>>({
  create: () => RangeSet.empty,
  update(tags, transaction) {
    if (!transaction.docChanged) return tags;
    let mapped = tags.map(transaction.changes).update({
      filter: (from, to) => CLOSING.test(transaction.newDoc.sliceString(from, to)),
    });
    if (!transaction.isUserEvent(ADDS)) return mapped;
    transaction.changes.iterChanges((_fromBefore, _toBefore, from, to, text) => {
      if (CLOSING.test(text.toString())) mapped = mapped.update({ add: [ADDED.range(from, to)] });
    });
    return mapped;
  },
});

/** Return where the added tag around a position ends, or that begins there; null if there is none. */
function tagAt(state: EditorState, position: number) {
  let found: { from: number; to: number } | null = null;
  state.field(added).between(position, position, (from, to) => {
    if (from <= position && position < to) found = { from, to };
  });
  return found as { from: number; to: number } | null;
}

const typedOver = EditorView.inputHandler.of((view, from, to, text) => {
  const { state } = view;
  if (from !== to || state.readOnly || view.composing || state.selection.ranges.length > 1) return false;
  const tag = tagAt(state, from);
  if (tag === null) return false;
  if (tag.from === from && text === "/" && state.sliceDoc(from - 1, from) === "<") {
    view.dispatch({
      changes: { from: from - 1, to: from },
      selection: { anchor: from + 1 },
      userEvent: "input.type",
      scrollIntoView: true,
    });
    return true;
  }
  if (tag.from === from || state.sliceDoc(from, from + text.length) !== text) return false;
  view.dispatch({ selection: { anchor: from + text.length }, userEvent: "input.type", scrollIntoView: true });
  return true;
});

export const closingTags = [added, Prec.high(typedOver)];
