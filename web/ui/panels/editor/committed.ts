/** Lines that differ from the last commit, marked in the gutter. */

import { Chunk } from "@codemirror/merge";
import {
  RangeSet,
  StateEffect,
  StateField,
  Text,
  type StateEffectType,
  type Extension,
  type Range,
} from "@codemirror/state";
import { EditorView, gutter, GutterMarker } from "@codemirror/view";

type Compared = { text: Text | null; chunks: readonly Chunk[] };

/** A larger text takes too long to compare at each key. */
const MAX_LENGTH = 500_000;
const LIMITS = { scanLimit: 500, timeout: 50 };
const LABELS = {
  added: "Added since the last commit",
  changed: "Changed since the last commit",
  deleted: "Lines were deleted here since the last commit",
};

/** Sets the text of the last commit; null if there is none. */
export const setCommitted: StateEffectType<string | null> = StateEffect.define();

const compared: StateField<Compared> = StateField.define({
  create: (): Compared => ({ text: null, chunks: [] }),
  update(value, { effects, state, docChanged, changes }) {
    for (const effect of effects)
      if (effect.is(setCommitted))
        return compare(effect.value === null ? null : Text.of(effect.value.split("\n")), state.doc);
    if (!docChanged || value.text === null) return value;
    if (state.doc.length > MAX_LENGTH) return compare(null, state.doc);
    return { text: value.text, chunks: Chunk.updateB(value.chunks, value.text, state.doc, changes, LIMITS) };
  },
});

class Mark extends GutterMarker {
  kind: keyof typeof LABELS;

  constructor(kind: keyof typeof LABELS) {
    super();
    this.kind = kind;
    this.elementClass = `cm-git-${kind}`;
  }

  override eq(other: Mark) {
    return this.kind === other.kind;
  }

  override toDOM() {
    const element = document.createElement("span");
    element.title = LABELS[this.kind];
    return element;
  }
}

const ADDED = new Mark("added");
const CHANGED = new Mark("changed");
const DELETED = new Mark("deleted");

export const committedGutter: Extension = [
  compared,
  gutter({
    class: "cm-git",
    markers: ({ state }) =>
      RangeSet.of(
        state.field(compared).chunks.flatMap((chunk) => marks(chunk, state.doc)),
        true,
      ),
  }),
  EditorView.theme({
    ".cm-git": { width: "5px" },
    ".cm-git .cm-gutterElement span": { display: "block", height: "100%" },
    ".cm-git-added": { borderLeft: "3px solid var(--good)" },
    ".cm-git-changed": { borderLeft: "3px solid var(--accent)" },
    ".cm-git-deleted": { borderTop: "3px solid var(--bad)" },
  }),
];

function marks(chunk: Chunk, doc: Text): Range<Mark>[] {
  if (chunk.fromB === chunk.toB) return [DELETED.range(doc.lineAt(Math.min(chunk.fromB, doc.length)).from)];
  const mark = chunk.fromA === chunk.toA ? ADDED : CHANGED;
  const found = [];
  for (
    let position = chunk.fromB;
    position < Math.min(chunk.toB, doc.length + 1);
    position = doc.lineAt(position).to + 1
  )
    found.push(mark.range(position));
  return found;
}

function compare(text: Text | null, doc: Text): Compared {
  if (text === null || Math.max(text.length, doc.length) > MAX_LENGTH) return { text: null, chunks: [] };
  return { text, chunks: Chunk.build(text, doc, LIMITS) };
}
