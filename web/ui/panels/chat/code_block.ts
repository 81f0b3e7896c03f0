/**
 * A block of code in an answer, and what the user can do with it. A model has written the text: what isn't wholly seen
 * is shown in full before it runs.
 */

import { block } from "../../consent/text.ts";
import { copyText } from "../../lib/copying.ts";
import { h } from "../../lib/elements.ts";
import { counted } from "../../lib/format.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import { exactPieces, HIDDEN } from "../../lib/lookalikes.ts";
import { agrees } from "../../lib/question.ts";
import { isFailure } from "../../state/kernel_calls.ts";

type Editor = typeof import("../editor/main.ts");

const SAID_MS = 1_500;
const PLACES: Record<string, Place> = {
  python: "console",
  python3: "console",
  py: "console",
  sh: "terminal",
  bash: "terminal",
  shell: "terminal",
  zsh: "terminal",
};
const NAMES: Record<Place, string> = { console: "the Python console", terminal: "a terminal" };

type Place = "console" | "terminal";

/** where code goes; a failure says why it didn't */
export interface CodeActions {
  run: Record<Place, (code: string) => unknown>;
  /** add code to the console's field, or type it at a terminal's prompt, without running it */
  put: Record<Place, (code: string) => unknown>;
  /** inserts code at the caret of the file in front; its name, or null if none is open */
  insert: (code: string) => string | null;
}

/**
 * @param complete - whether no more text follows
 * @param actions - null: the code can only be copied
 */
export function codeBlock(text: string, language: string, complete: boolean, actions: CodeActions | null) {
  const code = h("code", {}, text);
  const shown = h("pre", {}, code);
  const status = h("span", { class: "visually-hidden", role: "status" });
  const kind = language && ` in ${language}`;
  const button = (label: string, name: string, act: () => Promise<string | null>) => {
    const element = h("button", { type: "button", class: "quiet", "aria-label": name }, label);
    element.addEventListener("click", (event) => event.isTrusted && void say(element, status, label, act()));
    return element;
  };
  const place = PLACES[language.toLowerCase()];
  const pieces = exactPieces(text);
  const isPlain = pieces.every(({ problem }) => problem === null);
  const buttons = [button("Copy", `Copy the code${kind}`, async () => said(await copyText(text), "Copied"))];
  if (actions && complete) {
    buttons.unshift(button("Insert", `Insert the code${kind}`, () => insert(text, place, actions)));
    if (place && pieces.every(({ problem }) => problem !== HIDDEN))
      buttons.unshift(
        button("Run", `Run the code${kind} in ${NAMES[place]}`, async () => {
          const isSeen = isPlain && !text.includes("\n") && shown.scrollWidth <= shown.clientWidth;
          return isSeen || (await allows(text, place)) ? said(await actions.run[place](text), "Running") : null;
        }),
      );
  }
  if (complete && language) void highlightCode(code, text, language);
  return h(
    "div",
    { class: "markdown-code" },
    h("div", { class: "markdown-code-bar" }, h("span", {}, language || "code"), h("span", {}, ...buttons, status)),
    shown,
  );
}

/** Ask the user, who sees all of the code. */
async function allows(text: string, place: Place) {
  const lines = text.split("\n").length;
  return agrees(
    `Run this code in ${NAMES[place]}?`,
    lines > 1 ? `A model has written it. Its ${counted(lines, "line")} run together.` : "A model has written it.",
    { value: "run", label: "Run" },
    block(text),
  );
}

/** Insert code in the file in front; without one, Python in the console's field. Commands go to a terminal's prompt. */
async function insert(text: string, place: Place | undefined, { insert: inFile, put }: CodeActions) {
  if (place === "terminal") return said(await put.terminal(text), "Inserted in a terminal");
  const file = inFile(text);
  if (file !== null) return `Inserted in ${file}`;
  if (place === "console") return said(await put.console(text), "Inserted in the console");
  return "No file is open";
}

/** @param answer - a failure, or anything else */
function said(answer: unknown, done: string) {
  if (isFailure(answer)) return answer.error.message;
  return isProblem(answer) ? answer.message : done;
}

function isProblem(answer: unknown): answer is { message: string } {
  return typeof answer === "object" && answer !== null && "message" in answer && typeof answer.message === "string";
}

/** Say for a moment what a press has done. */
async function say(button: HTMLButtonElement, status: HTMLElement, label: string, act: Promise<string | null>) {
  const words = await act;
  if (words === null) return;
  button.textContent = status.textContent = words;
  setTimeout(() => {
    button.textContent = label;
    status.textContent = "";
  }, SAID_MS);
}

async function highlightCode(code: HTMLElement, text: string, language: string) {
  try {
    const { highlight }: Editor = await loadPart("ui-editor.js");
    const shown = highlight(text, language);
    if (shown) code.replaceChildren(shown);
  } catch (error) {
    console.info("Code is not highlighted.", error);
  }
}
