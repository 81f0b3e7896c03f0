/**
 * The console's input: its history, and whether Enter starts a new line. It is a plain text field until the editor has
 * loaded, which its first focus starts, or an idle page some time after Python has.
 */

import type { CodeField, Options } from "../editor/code_field.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";

const INDENT = "    ";
const OPENS = { "(": ")", "[": "]", "{": "}" };
/** Leaves the start to what waits for Python. */
const PREPARE_AFTER_MS = 3000;
const BEGINS_BLOCK = /:\s*(#.*)?$/;
/** The end of text that Tab completes. */
const COMPLETABLE = /[\w.%!/~"'([,=-]\s?$/;

export class CodeInput {
  /** null until the editor has loaded */
  #field: CodeField | null = null;
  #area: HTMLTextAreaElement;
  #options: Pick<Options, "onKey" | "onEnter" | "ask" | "onCall"> & { onProblem: (error: unknown) => void };
  #loading = false;
  #composing = false;
  /** True if Enter was the last key before the editor has loaded: it counts then. */
  #entered = false;
  /** The position in the history; null for new text. */
  #position: number | null = null;
  #draft = "";
  /** oldest first */
  history: string[] = [];

  constructor(
    area: HTMLTextAreaElement,
    options: Pick<Options, "onKey" | "onEnter" | "ask" | "onCall"> & { onProblem: (error: unknown) => void },
  ) {
    this.#area = area;
    this.#options = options;
    area.addEventListener("focus", () => void this.load());
    area.addEventListener("keydown", (event) => this.#onPlainKey(event));
    area.addEventListener("compositionstart", () => (this.#composing = true));
    area.addEventListener("compositionend", () => (this.#composing = false));
  }

  get text() {
    return this.#field?.text ?? this.#area.value;
  }

  get hasSelection() {
    return this.#field?.hasSelection ?? this.#area.selectionStart !== this.#area.selectionEnd;
  }

  get #line() {
    const before = this.#field?.before ?? "";
    return before.slice(before.lastIndexOf("\n") + 1);
  }

  /** True if Enter starts a new line: the caret isn't on the last line, a block begins, or a bracket is open. */
  get continues() {
    const after = this.#field?.after ?? "";
    return after.includes("\n") || (after === "" && (BEGINS_BLOCK.test(this.#line) || isOpen(this.text)));
  }

  /** Replace the plain field by the editor's. A failure is shown, and the next focus tries again. */
  async load() {
    if (this.#field || this.#loading) return;
    this.#loading = true;
    try {
      const { CodeField: Field } = await loadPart<{ CodeField: typeof CodeField }>("ui-editor.js");
      // A press that has focused the field is over then. In its midst, the focus would be lost with the field.
      await new Promise((resolve) => setTimeout(resolve));
      if (this.#composing)
        await new Promise((ended) => this.#area.addEventListener("compositionend", ended, { once: true }));
      this.#replace(Field);
    } catch (error) {
      this.#options.onProblem(error);
    }
    this.#loading = false;
  }

  /** Load the editor when the page is idle, so that the first keys don't wait for it. */
  prepare() {
    const { connection }: Navigator & { connection?: { saveData?: boolean } } = navigator;
    if (connection?.saveData || !("requestIdleCallback" in window)) return;
    const whenIdle = () => new Promise((resolve) => requestIdleCallback(resolve));
    const load = async () => {
      await whenIdle();
      await loadPart("ui-editor.js");
      await whenIdle();
      await this.load();
    };
    // The first focus tries again, and shows a failure.
    setTimeout(() => load().catch(() => {}), PREPARE_AFTER_MS);
  }

  #replace(Field: typeof CodeField) {
    const { id, value, selectionEnd, placeholder } = this.#area;
    const focused = document.activeElement === this.#area;
    const text = this.#entered ? value.replace(/\n *$/, "") : value;
    const attributes = {
      id,
      "aria-label": "Python code",
      "aria-describedby": this.#area.getAttribute("aria-describedby") ?? "",
      "data-focus-first": "",
      autocapitalize: "off",
    };
    this.#field = new Field(this.#area, {
      ...this.#options,
      text,
      caret: Math.min(selectionEnd, text.length),
      hint: placeholder,
      attributes,
      onInput: () => (this.#position = null),
    });
    if (focused) this.#field.focus();
    if (this.#entered) this.#options.onEnter?.();
  }

  #onPlainKey(event: KeyboardEvent) {
    const { key, ctrlKey, shiftKey, isComposing } = event;
    const { selectionStart, value } = this.#area;
    this.#entered = key === "Enter" && !shiftKey && !ctrlKey && !isComposing && selectionStart === value.length;
    if (this.#entered) {
      const line = value.slice(value.lastIndexOf("\n") + 1);
      this.#area.setRangeText(
        `\n${/^ */.exec(line)?.[0] ?? ""}${BEGINS_BLOCK.test(line) ? INDENT : ""}`,
        selectionStart,
        selectionStart,
        "end",
      );
    }
    if (this.#entered || (key === "Enter" && ctrlKey && this.#options.onKey(event))) event.preventDefault();
  }

  set(text: string) {
    if (this.#field) this.#field.set(text);
    else this.#area.value = text;
  }

  newLine() {
    if (this.#field) this.#field.newLine();
    else this.set(`${this.text}\n`);
  }

  /**
   * Indent, or complete.
   * @returns false if Tab has nothing to do here, and leaves the field
   */
  tab(): boolean {
    if (this.#line.trim() === "" && this.text.includes("\n")) this.#field?.insert(INDENT);
    else return COMPLETABLE.test(this.#line) && this.complete();
    return true;
  }

  /** @returns false if there is nothing to complete */
  complete(): boolean {
    return this.#field?.complete() ?? false;
  }

  focus() {
    (this.#field ?? this.#area).focus();
  }

  /**
   * Recall an earlier or later input. New text in the field restricts it to inputs that begin with that text.
   *
   * @returns whether the key was handled
   */
  recall(step: -1 | 1): boolean {
    const beyond = step < 0 ? this.#field?.before : this.#field?.after;
    if (beyond === undefined || beyond.includes("\n") || this.hasSelection) return false;
    if (this.#position === null) this.#draft = this.text;
    let position = this.#position ?? this.history.length;
    do position += step;
    while (position >= 0 && position < this.history.length && !this.history[position]?.startsWith(this.#draft));
    if (position < 0) return true;
    this.set(this.history[position] ?? this.#draft);
    this.#position = position < this.history.length ? position : null;
    return true;
  }

  /**
   * Remove code from the start, where it was when Enter was pressed.
   * @returns false if it was edited since
   */
  take(code: string): boolean {
    if (!this.text.startsWith(code)) return false;
    this.#position = null;
    if (this.#field) this.#field.remove(code.length);
    else this.#area.value = this.text.slice(code.length);
    return true;
  }

  /** Start a new line after incomplete code, before what was typed since. */
  continueAfter(code: string) {
    if (!this.text.startsWith(code)) return;
    if (this.#field) this.#field.newLine(code.length);
    else this.set(`${code}\n${this.text.slice(code.length)}`);
  }
}

/** Return whether a bracket is open at the end, ignoring strings and comments. */
function isOpen(code: string) {
  const plain = code.replace(/("""|''')[\s\S]*?\1|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*/g, "");
  const count = (character: string) => plain.split(character).length;
  return Object.entries(OPENS).some(([open, close]) => count(open) > count(close));
}
