/**
 * Markdown that grows at its end. Complete blocks are drawn once; only the last one is drawn again with each piece. The
 * text is a model's and untrusted: nothing in it acts, and nothing loads from outside.
 */

import type { Token } from "marked";
import { h } from "../../lib/elements.ts";
import { ofMarkdown } from "../python/rich.ts";
import { blocksOf } from "../../lib/untrusted_html.ts";
import { UntrustedView } from "../../lib/untrusted_view.ts";
import { type CodeActions, codeBlock } from "./code_block.ts";

/** A link reference is defined in one block and used in others. */
const DEFINITION = /^ {0,3}\[[^\]]+\]:/m;
/** The class that Markdown's code in a list or a quotation has. */
const LANGUAGE = /\blanguage-([\w+#.-]+)/;
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
  #actions: CodeActions | null;

  /** @param actions - what the user can do with code; null: only copy it */
  constructor(actions: CodeActions | null = null) {
    this.#actions = actions;
  }

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
      this.#view.append(this.#sanitized(ofMarkdown(this.#text)));
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
    if (token.type !== "code") return [...this.#sanitized(ofMarkdown(token.raw)).childNodes];
    return [
      codeBlock(token.text, (token.lang ?? "").split(/\s/)[0] ?? "", complete || CLOSED.test(token.raw), this.#actions),
    ];
  }

  #sanitized(fragment: DocumentFragment) {
    for (const image of fragment.querySelectorAll("img:not([src])")) {
      image.replaceWith(`[external image, not loaded: ${image.getAttribute("alt") || "no description"}]`);
    }
    for (const block of fragment.querySelectorAll("pre")) {
      const language = LANGUAGE.exec(block.querySelector("code")?.className ?? "")?.[1] ?? "";
      block.replaceWith(codeBlock(block.textContent?.replace(/\n$/, "") ?? "", language, true, this.#actions));
    }
    for (const table of fragment.querySelectorAll("table")) {
      const place = h("div", { class: "markdown-table", tabindex: 0, role: "region", "aria-label": "Table" });
      table.replaceWith(place);
      place.append(table);
    }
    return fragment;
  }
}
