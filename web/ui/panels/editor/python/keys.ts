/** The keys at a name, for its documentation, its definition, another name; and formatting. */

import type { Extension } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, showDialog } from "@codemirror/view";
import { isFailure } from "../../../state/kernel_calls.ts";
import { ask, helper, placeOf } from "./questions.ts";

const HOVER_MS = 400;

export const atNames: Extension = [
  hoverTooltip(describe, { hoverTime: HOVER_MS }),
  EditorView.domEventHandlers({
    mousedown(event, view) {
      const position =
        (event.ctrlKey || event.metaKey) && event.button === 0
          ? view.posAtCoords({ x: event.clientX, y: event.clientY })
          : null;
      if (position === null) return false;
      event.preventDefault();
      void define(view, position);
      return true;
    },
  }),
  keymap.of([
    { key: "F12", run: (view) => (void define(view, view.state.selection.main.head), true) },
    { key: "F2", run: (view) => (void rename(view), true) },
    { key: "Shift-Alt-f", run: (view) => (void view.state.facet(helper)()?.format(), true) },
  ]),
];

type Help = { title: string; text: string };

async function describe(view: EditorView, position: number) {
  const word = view.state.wordAt(position);
  if (word === null) return null;
  const { doc } = view.state;
  const answer = await ask<{ help: Help | null }>(view.state, position, "describe");
  if (!answer || isFailure(answer) || !answer.help || !view.state.doc.eq(doc)) return null;
  const dom = document.createElement("div");
  dom.className = "cm-documentation";
  const title = dom.appendChild(document.createElement("code"));
  title.textContent = answer.help.title;
  if (answer.help.text) dom.appendChild(document.createElement("p")).textContent = answer.help.text;
  return { pos: word.from, end: word.to, above: true, create: () => ({ dom }) };
}

async function define(view: EditorView, position: number) {
  const help = view.state.facet(helper)();
  const word = view.state.wordAt(position);
  if (!help || !word) return;
  const name = view.state.sliceDoc(word.from, word.to);
  help.say(`Looking for the definition of ${name}…`);
  const answer = await ask<{ place: { path: string | null; line: number } | null }>(view.state, position, "define");
  if (answer === null) return;
  if (isFailure(answer)) help.say(answer.error.message);
  else if (answer.place === null) help.say(`No definition of ${name} was found.`);
  else if (answer.place.path === null) help.say(`${name} is built in: it has no file.`);
  else {
    help.say("");
    await help.open(answer.place.path, answer.place.line);
  }
}

async function rename(view: EditorView) {
  const help = view.state.facet(helper)();
  const { head } = view.state.selection.main;
  const word = view.state.wordAt(head);
  if (!help || !word) return;
  const old = view.state.sliceDoc(word.from, word.to);
  const place = placeOf(view.state, word.from);
  const { close, result } = showDialog(view, {
    label: `New name of ${old}`,
    input: { name: "name", value: old, "aria-label": `New name of ${old}` },
    submitLabel: "Rename",
    focus: "input",
    class: "cm-rename",
  });
  const name = (await result)?.elements.namedItem("name");
  view.dispatch({ effects: close });
  view.focus();
  if (!(name instanceof HTMLInputElement) || name.value === old || name.value === "") return;
  await help.rename(place, name.value);
}
