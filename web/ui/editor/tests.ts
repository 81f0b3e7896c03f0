/** A button beside each test of a Python file, as pytest finds tests by default, which runs it. */

import { syntaxTree } from "@codemirror/language";
import { Facet, RangeSet } from "@codemirror/state";
import { gutter, GutterMarker } from "@codemirror/view";

/**
 * @import { EditorState, Extension } from "@codemirror/state"
 * @typedef {{name: string, from: number, to: number}} Test its name is that of pytest: `TestGroup::test_a`
 */

const FUNCTION = /^test/;
const CLASS = /^Test/;

/** Runs a test. @type {Facet<(name: string) => void, (name: string) => void>} */
export const runTest = Facet.define({ combine: ([run]) => run ?? (() => {}) });

/** The gutter with the buttons. @type {Extension} */
export const testGutter = gutter({
  class: "cm-tests",
  markers: ({ state }) => RangeSet.of(testsIn(state).map(({ name, from }) => new RunMarker(name).range(state.doc.lineAt(from).from))),
  domEventHandlers: {
    click: ({ state }, line) => {
      const test = testsIn(state).find(({ from }) => state.doc.lineAt(from).from === line.from);
      if (test) state.facet(runTest)(test.name);
      return test !== undefined;
    },
  },
});

/** Return the test around the caret. @param {EditorState} state @returns {Test | null} */
export function testAtCaret(state) {
  const { head } = state.selection.main;
  return testsIn(state).find(({ from, to }) => from <= head && head <= to) ?? null;
}

/** @param {EditorState} state @returns {Test[]} in their order */
function testsIn(state) {
  /** @type {Test[]} */
  const tests = [];
  syntaxTree(state).iterate({
    enter: (node) => {
      if (node.name === "ClassDefinition") return CLASS.test(nameOf(node, state));
      if (node.name !== "FunctionDefinition") return true;
      const name = nameOf(node, state);
      if (FUNCTION.test(name)) tests.push({ name: [...classesAround(node, state), name].join("::"), from: node.from, to: node.to });
      return false;
    },
  });
  return tests;
}

/** @param {import("@lezer/common").SyntaxNodeRef} node @param {EditorState} state */
function classesAround({ node }, state) {
  const names = [];
  for (let parent = node.parent; parent; parent = parent.parent) {
    if (parent.name === "ClassDefinition") names.unshift(nameOf(parent, state));
  }
  return names;
}

/** Return the name of a definition. @param {import("@lezer/common").SyntaxNodeRef} node @param {EditorState} state */
function nameOf({ node }, state) {
  const name = node.getChild("VariableName");
  return name ? state.sliceDoc(name.from, name.to) : "";
}

class RunMarker extends GutterMarker {
  /** @param {string} test */
  constructor(test) {
    super();
    this.test = test;
  }

  /** @override @param {RunMarker} other */
  eq(other) {
    return this.test === other.test;
  }

  /** @override */
  toDOM() {
    const mark = document.createElement("span");
    mark.title = `Run ${this.test}`;
    mark.textContent = "▶";
    return mark;
  }
}
