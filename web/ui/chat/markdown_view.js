/**
 * Markdown that grows at its end. Blocks that are whole are drawn once; only the last one is drawn anew with each piece.
 * It is a model's text, so anybody's: nothing in it acts, and nothing is loaded from outside.
 */

import { Lexer } from "marked";
import { copyText } from "../copying.js";
import { h } from "../elements.js";
import { loadPart } from "../parts.js";
import { ofMarkdown } from "../python/rich.js";

/** @typedef {typeof import("../editor/main.js")} Editor */

const COPIED_MS = 1_500;
/** A reference is defined in a block of its own, and used in others. */
const DEFINITION = /^ {0,3}\[[^\]]+\]:/m;
/** A fence that isn't closed yet ends nothing. */
const CLOSED = /(`{3,}|~{3,})[ \t]*\n*$/;

export class MarkdownView {
  element = h("div", { class: "chat-text" });
  #text = "";
  /** Where the first block begins that isn't known to be whole. */
  #open = 0;
  /** @type {Node[]} of that block and those after it */
  #drawn = [];
  #whole = false;

  /** @param {string} text @param {boolean} whole nothing more will come */
  update(text, whole) {
    if (text === this.#text && whole === this.#whole) return;
    const grows = text.startsWith(this.#text) && !(whole && DEFINITION.test(text));
    if (!grows) this.#forget();
    this.#text = text;
    this.#whole = whole;
    this.#draw();
  }

  #forget() {
    this.#open = 0;
    this.#drawn = [];
    this.element.replaceChildren();
  }

  #draw() {
    for (const node of this.#drawn.splice(0)) /** @type {ChildNode} */ (node).remove();
    if (this.#whole && DEFINITION.test(this.#text)) {
      this.element.append(tamed(ofMarkdown(this.#text)));
      return;
    }
    const tokens = new Lexer({ gfm: true }).lex(this.#text.slice(this.#open));
    const last = tokens.findLastIndex(({ type }) => type !== "space");
    tokens.forEach((token, index) => {
      const nodes = token.type === "space" ? [] : this.#block(token, this.#whole || index < last);
      this.element.append(...nodes);
      if (index < last) this.#open += token.raw.length;
      else this.#drawn.push(...nodes);
    });
  }

  /** @param {import("marked").Token} token @param {boolean} whole @returns {Node[]} */
  #block(token, whole) {
    if (token.type !== "code") return [...tamed(ofMarkdown(token.raw)).childNodes];
    return [codeBlock(token.text, (token.lang ?? "").split(/\s/)[0] ?? "", whole || CLOSED.test(token.raw))];
  }
}

/** @param {DocumentFragment} fragment */
function tamed(fragment) {
  for (const image of fragment.querySelectorAll("img:not([src])")) {
    image.replaceWith(`[picture from outside, not loaded: ${image.getAttribute("alt") || "no description"}]`);
  }
  for (const block of fragment.querySelectorAll("pre")) block.replaceWith(codeBlock(block.textContent ?? "", "", true));
  for (const table of fragment.querySelectorAll("table")) {
    const place = h("div", { class: "chat-table", tabindex: 0, role: "region", "aria-label": "Table" });
    table.replaceWith(place);
    place.append(table);
  }
  return fragment;
}

/** @param {string} text @param {string} language @param {boolean} whole */
function codeBlock(text, language, whole) {
  const code = h("code", {}, text);
  const copy = h("button", { type: "button", class: "quiet", "aria-label": `Copy the code${language && ` in ${language}`}` }, "Copy");
  copy.addEventListener("click", () => void copied(copy, text));
  if (whole && language) void colour(code, text, language);
  return h("div", { class: "chat-code" }, h("div", { class: "chat-code-bar" }, h("span", {}, language || "code"), copy), h("pre", {}, code));
}

/** @param {HTMLElement} code @param {string} text @param {string} language */
async function colour(code, text, language) {
  try {
    /** @type {Editor} */
    const { highlight } = await loadPart("ui-editor.js");
    const shown = highlight(text, language);
    if (shown) code.replaceChildren(shown);
  } catch (error) {
    console.info("Code is not highlighted.", error);
  }
}

/** @param {HTMLButtonElement} button @param {string} text */
async function copied(button, text) {
  const problem = await copyText(text);
  button.textContent = problem ? "Not copied" : "Copied";
  button.title = problem ? `${problem.message} ${problem.hint}` : "";
  setTimeout(() => {
    button.textContent = "Copy";
  }, COPIED_MS);
}
