/**
 * Markdown that grows at its end. Complete blocks are drawn once; only the last one is drawn again with each piece. The
 * text is a model's and untrusted: nothing in it acts, and nothing loads from outside.
 */

import type { Token } from "marked";
import { copyText } from "../../lib/copying.ts";
import { h } from "../../lib/elements.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import { ofMarkdown } from "../python/rich.ts";
import { blocksOf } from "../../lib/untrusted_html.ts";
import { UntrustedView } from "../../lib/untrusted_view.ts";

type Editor = typeof import("../editor/main.ts");

const COPIED_MS = 1_500;
/** A link reference is defined in one block and used in others. */
const DEFINITION = /^ {0,3}\[[^\]]+\]:/m;
/** An open fence doesn't end the block. */
const CLOSED = /(`{3,}|~{3,})[ \t]*\n*$/;

export class MarkdownView {
  #view = new UntrustedView({ style: "markdown" });
  element = this.#view.element;
  #text = "";
  /** The start of the first block that may be incomplete. */
  #open = 0;
  /** the nodes of that block and those after it */
  #drawn: Node[] = [];
  #complete = false;

  /** @param complete - whether no more text follows */
  update(text: string, complete: boolean) {
    if (text === this.#text && complete === this.#complete) return;
    const grows = text.startsWith(this.#text) && !(complete && DEFINITION.test(text));
    if (!grows) this.#reset();
    this.#text = text;
    this.#complete = complete;
    this.#draw();
  }

  #reset() {
    this.#open = 0;
    this.#drawn = [];
    this.#view.clear();
  }

  #draw() {
    // What was drawn has a parent.
    for (const node of this.#drawn.splice(0)) (node as ChildNode).remove();
    if (this.#complete && DEFINITION.test(this.#text)) {
      this.#view.append(sanitized(ofMarkdown(this.#text)));
      return;
    }
    const tokens = blocksOf(this.#text.slice(this.#open));
    const last = tokens.findLastIndex(({ type }) => type !== "space");
    tokens.forEach((token, index) => {
      const nodes = token.type === "space" ? [] : this.#block(token, this.#complete || index < last);
      this.#view.append(...nodes);
      if (index < last) this.#open += token.raw.length;
      else this.#drawn.push(...nodes);
    });
  }

  #block(token: Token, complete: boolean): Node[] {
    if (token.type !== "code") return [...sanitized(ofMarkdown(token.raw)).childNodes];
    return [codeBlock(token.text, (token.lang ?? "").split(/\s/)[0] ?? "", complete || CLOSED.test(token.raw))];
  }
}

function sanitized(fragment: DocumentFragment) {
  for (const image of fragment.querySelectorAll("img:not([src])")) {
    image.replaceWith(`[external image, not loaded: ${image.getAttribute("alt") || "no description"}]`);
  }
  for (const block of fragment.querySelectorAll("pre")) block.replaceWith(codeBlock(block.textContent ?? "", "", true));
  for (const table of fragment.querySelectorAll("table")) {
    const place = h("div", { class: "markdown-table", tabindex: 0, role: "region", "aria-label": "Table" });
    table.replaceWith(place);
    place.append(table);
  }
  return fragment;
}

function codeBlock(text: string, language: string, complete: boolean) {
  const code = h("code", {}, text);
  const copy = h(
    "button",
    { type: "button", class: "quiet", "aria-label": `Copy the code${language && ` in ${language}`}` },
    "Copy",
  );
  copy.addEventListener("click", () => void copyCode(copy, text));
  if (complete && language) void highlightCode(code, text, language);
  return h(
    "div",
    { class: "markdown-code" },
    h("div", { class: "markdown-code-bar" }, h("span", {}, language || "code"), copy),
    h("pre", {}, code),
  );
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

async function copyCode(button: HTMLButtonElement, text: string) {
  const problem = await copyText(text);
  button.textContent = problem ? "Not copied" : "Copied";
  button.title = problem ? `${problem.message} ${problem.hint}` : "";
  setTimeout(() => {
    button.textContent = "Copy";
  }, COPIED_MS);
}
