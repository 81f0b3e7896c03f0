/** The text of a cell. The editor replaces the plain text when the cell comes near the window. */

import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { CodeField } from "../editor/code_field.ts";
import { h } from "../../lib/elements.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import type { Cell, CellKind } from "./cells.ts";

type Editor = typeof import("../editor/main.ts");

const NEAR = "600px";
const LANGUAGES: Record<CellKind, string> = { code: "py", markdown: "md", raw: "txt" };
const LABELS: Record<CellKind, string> = { code: "Code", markdown: "Text", raw: "Raw text" };

interface Options {
  actions: Actions;
  /** called with the text after each change by the user */
  onChange: (source: string) => void;
}

export class CellField {
  element = h("div", { class: "notebook-field" });
  kind: CellKind;
  #source: string;
  #options: Options;
  #field: CodeField | null = null;
  #near: IntersectionObserver;
  #wantsFocus = false;

  constructor({ kind, source }: Cell, options: Options) {
    this.kind = kind;
    this.#source = source;
    this.#options = options;
    this.element.append(h("pre", {}, source));
    this.#near = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && void this.#load(), {
      rootMargin: NEAR,
    });
    this.#near.observe(this.element);
  }

  /** Take over what others made of the text. */
  follow(source: string) {
    if (source === this.#source) return;
    this.#source = source;
    if (this.#field) this.#field.set(source);
    else this.element.replaceChildren(h("pre", {}, source));
  }

  focus() {
    this.#wantsFocus = true;
    if (this.#field) this.#field.focus();
    else void this.#load();
  }

  dispose() {
    this.#near.disconnect();
  }

  async #load() {
    this.#near.disconnect();
    const { CodeField }: Editor = await loadPart("ui-editor.js");
    if (this.#field) return;
    const place = h("div");
    this.element.replaceChildren(place);
    this.#field = new CodeField(place, {
      text: this.#source,
      caret: this.#source.length,
      hint: this.kind === "code" ? "Code" : "Text in Markdown",
      language: LANGUAGES[this.kind],
      grows: true,
      attributes: { "aria-label": `${LABELS[this.kind]} of the cell. Escape leaves it.`, autocapitalize: "off" },
      onKey: () => false,
      onInput: () => {},
      onChange: () => {
        this.#source = this.#field?.text ?? this.#source;
        this.#options.onChange(this.#source);
      },
      ask: async (code, cursor) => {
        if (this.kind !== "code") return null;
        const answer = await this.#options.actions.complete(code, cursor);
        return isFailure(answer) ? null : answer;
      },
      onCall: () => {},
    });
    if (this.#wantsFocus) this.#field.focus();
  }
}
