/** A button next to each test of a Python file, as pytest finds tests by default, which runs it. */

import { syntaxTree } from "@codemirror/language";
import { Facet, RangeSet, type EditorState, type Extension } from "@codemirror/state";
import { gutter, GutterMarker } from "@codemirror/view";
import type { SyntaxNodeRef } from "@lezer/common";

/** its name is as in pytest: `TestGroup::test_a` */
type Test = { name: string; from: number; to: number };

const FUNCTION = /^test/;
const CLASS = /^Test/;

/** Runs a test. */
export const runTest: Facet<(name: string) => void, (name: string) => void> = Facet.define({
  combine: ([run]) => run ?? (() => {}),
});

/** The gutter with the buttons. */
export const testGutter: Extension = gutter({
  class: "cm-tests",
  markers: ({ state }) =>
    RangeSet.of(testsIn(state).map(({ name, from }) => new RunMarker(name).range(state.doc.lineAt(from).from))),
  domEventHandlers: {
    click: ({ state }, line) => {
      const test = testsIn(state).find(({ from }) => state.doc.lineAt(from).from === line.from);
      if (test) state.facet(runTest)(test.name);
      return test !== undefined;
    },
  },
});

/** Return the test around the caret. */
export function testAtCaret(state: EditorState): Test | null {
  const { head } = state.selection.main;
  return testsIn(state).find(({ from, to }) => from <= head && head <= to) ?? null;
}

/** @returns in their order */
function testsIn(state: EditorState): Test[] {
  const tests: Test[] = [];
  syntaxTree(state).iterate({
    enter: (node) => {
      if (node.name === "ClassDefinition") return CLASS.test(nameOf(node, state));
      if (node.name !== "FunctionDefinition") return true;
      const name = nameOf(node, state);
      if (FUNCTION.test(name))
        tests.push({ name: [...classesAround(node, state), name].join("::"), from: node.from, to: node.to });
      return false;
    },
  });
  return tests;
}

function classesAround({ node }: SyntaxNodeRef, state: EditorState) {
  const names = [];
  for (let parent = node.parent; parent; parent = parent.parent) {
    if (parent.name === "ClassDefinition") names.unshift(nameOf(parent, state));
  }
  return names;
}

/** Return the name of a definition. */
function nameOf({ node }: SyntaxNodeRef, state: EditorState) {
  const name = node.getChild("VariableName");
  return name ? state.sliceDoc(name.from, name.to) : "";
}

class RunMarker extends GutterMarker {
  test: string;

  constructor(test: string) {
    super();
    this.test = test;
  }

  override eq(other: RunMarker) {
    return this.test === other.test;
  }

  override toDOM() {
    const mark = document.createElement("span");
    mark.title = `Run ${this.test}`;
    mark.textContent = "▶";
    return mark;
  }
}
