/**
 * The omnibar: one field for addresses, commands, search, agents and chats. Its modes suggest items; the bar shows and
 * runs them. It is a combobox with a list: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */

import { html, nothing, render } from "lit";
import type { ErrorRow } from "../../generated/types.ts";
import { isFailure } from "../state/kernel_calls.ts";
import { opensPalette } from "../../page/shortcuts.ts";
import { MOD } from "../lib/commands.ts";
import { byId } from "../lib/elements.ts";
import { counted } from "../lib/format.ts";
import { drawList } from "./list.ts";
import { Proof } from "./proof.ts";
import { remember } from "./recent.ts";
import { onTrustedKey } from "../lib/trusted.ts";
import type { Mode, Suggestion, Suggestions } from "./mode.ts";

/** opens items in the panels */
export interface Destinations {
  openPanel: (id: string) => unknown;
  openPath: (path: string, line?: number) => unknown;
  /** `typed` by the user in the palette */
  openUrl: (url: string, typed: boolean) => unknown;
  /** opens a tab of the browser */
  openOutside: (url: string) => void;
  typeCommand: (command: string, terminal: string) => unknown;
  typePython: (code: string) => unknown;
  showCall: (id: number) => unknown;
  showTool: (name: string) => unknown;
  searchFiles: (text: string) => unknown;
  /** shows the section with this heading */
  showSetting: (id: string) => unknown;
}

const RETRY_MS = 400;
const PAGE = 8;

export class Omnibar {
  #form = byId("omnibar", HTMLFormElement);
  #modes: Mode[];
  #default: Mode;
  /** the mode that the user selected */
  #selectedMode: Mode | null = null;
  #found: Suggestions = { items: [] };
  #selected = 0;
  #request: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** True if the items belong to the current text. */
  #fresh = false;
  /** True if Enter was pressed before they did. */
  #enterWaits = false;
  /** True if the user has selected an item since the last key. */
  #moved = false;
  /** the element focused before the bar */
  #before: Element | null = null;
  #proof = new Proof({ proven: () => this.enter(), failed: () => this.#leave() });
  #problem: ErrorRow | null = null;
  input: HTMLInputElement;
  popup: HTMLElement;

  /**
   * @param modes - in the order of Tab
   * @param first - the id of the initial mode
   */
  constructor(modes: Mode[], first: string) {
    this.#modes = modes;
    // The first is one of the modes.
    this.#default = modes.find(({ id }) => id === first) as Mode;
    this.#draw();
    this.input = byId("omnibar-input", HTMLInputElement);
    this.popup = byId("omnibar-popup", HTMLElement);
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    this.#form.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.#form.contains(relatedTarget))) this.#close();
    });
    window.addEventListener("resize", () => this.#place());
    onTrustedKey(
      (event) => {
        if (!opensPalette(event) || document.querySelector("dialog:modal")) return;
        // A terminal or editor would handle the key itself.
        event.preventDefault();
        event.stopPropagation();
        this.enter();
      },
      { capture: true },
    );
  }

  /**
   * Focus the bar.
   * @param mode - the id of the mode to start with
   * @param text - to put into it
   */
  enter(mode?: string, text?: string) {
    if (!this.#form.contains(document.activeElement)) this.#before = document.activeElement;
    this.#selectedMode = this.#modes.find(({ id }) => id === mode) ?? this.#selectedMode;
    this.input.value = text ?? this.input.value;
    this.input.focus();
    this.input.select();
    this.#suggest();
  }

  /**
   * Open the bar for a key that a page in `frame` reports. It accepts keys once `Proof` has seen that a user pressed
   * it.
   */
  enterFromPage(frame: Element | null) {
    if (frame === null || document.activeElement !== frame || document.querySelector("dialog:modal")) return;
    this.#before = frame;
    this.#proof.wait();
    this.input.focus();
    this.#open();
    this.#draw();
  }

  get #mode() {
    const text = this.input?.value ?? "";
    return this.#selectedMode ?? this.#modes.find((mode) => mode.implied?.(text)) ?? this.#default;
  }

  get #isOpen() {
    return this.popup?.matches(":popover-open") ?? false;
  }

  #open() {
    if (!this.#isOpen) this.popup.showPopover();
    this.#place();
  }

  #close() {
    this.#proof.stop();
    this.#cancelRequest();
    if (this.#isOpen) this.popup.hidePopover();
    this.#draw();
  }

  /** Place the popup below the bar, at least as wide as it. */
  #place() {
    if (!this.#isOpen) return;
    const { left, bottom, width } = this.#form.getBoundingClientRect();
    const wide = Math.min(Math.max(width, 480), innerWidth - 16);
    Object.assign(this.popup.style, {
      left: `${Math.max(8, Math.min(left + (width - wide) / 2, innerWidth - wide - 8))}px`,
      top: `${bottom + 4}px`,
      width: `${wide}px`,
      maxHeight: `${innerHeight - bottom - 16}px`,
    });
  }

  /** Return the focus to the previous element. */
  #leave() {
    this.#selectedMode = null;
    this.input.value = "";
    this.#close();
    const before = this.#before;
    this.#before = null;
    if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
    else this.input.blur();
  }

  #onInput() {
    const { value } = this.input;
    const prefixed =
      this.#selectedMode === null && this.#modes.find(({ prefix }) => prefix && value.startsWith(prefix));
    if (prefixed) {
      this.#selectedMode = prefixed;
      this.input.value = value.slice(1).trimStart();
    }
    this.#suggest();
  }

  /** Request suggestions for the current text, and cancel the previous request. */
  #suggest() {
    this.#cancelRequest();
    this.#problem = null;
    this.#open();
    this.#draw();
    const [mode, text] = [this.#mode, this.input.value];
    const request = (this.#request = new AbortController());
    this.#fresh = this.#moved = this.#enterWaits = false;
    const ask = async (again = false) => {
      const first = await mode.suggest(text, request.signal);
      if (request.signal.aborted) return;
      // All items of the earlier answer are in the list, which a part of them would take away for a moment.
      if (!again || first.more === undefined) this.#show(first, first.more === undefined);
      const found = (await first.more) ?? first;
      if (request.signal.aborted) return;
      if (found !== first) this.#show(found, true);
      if (found.again) this.#timer = setTimeout(() => ask(true), RETRY_MS);
    };
    if (mode.wait === 0) void ask();
    else this.#timer = setTimeout(ask, mode.wait);
  }

  /** @param complete - whether no more items follow */
  #show(found: Suggestions, complete: boolean) {
    const selected = this.#found.items[this.#selected]?.id;
    const same = this.#moved && selected !== undefined ? found.items.findIndex(({ id }) => id === selected) : -1;
    const place = this.#moved ? Math.min(this.#selected, Math.max(0, found.items.length - 1)) : 0;
    this.#selected = same < 0 ? place : same;
    this.#found = found;
    this.#fresh = complete || found.items.some(({ fallback }) => !fallback);
    this.#draw();
    if (this.#enterWaits && this.#fresh) void this.#run(found.items[this.#selected]);
  }

  #cancelRequest() {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.#request = null;
  }

  #onKey(event: KeyboardEvent) {
    if (event.isComposing) return;
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    const keys: Record<string, () => void> = {
      ArrowDown: () => this.#move(1),
      ArrowUp: () => this.#move(-1),
      PageDown: () => this.#move(PAGE),
      PageUp: () => this.#move(-PAGE),
      Enter: () => this.#enter(),
      Escape: () => this.#leave(),
    };
    // While the list is closed, Tab moves the focus as usual.
    if (this.#isOpen) keys.Tab = () => this.#cycle(event.shiftKey ? -1 : 1);
    if (this.input.value === "" && this.#selectedMode !== null) keys.Backspace = () => this.#selectMode(null);
    if (this.#fillable !== null) keys.ArrowRight = () => this.#fill();
    const act = plain && (!event.shiftKey || event.key === "Tab") ? keys[event.key] : undefined;
    const second =
      event.key === "Enter" && event.altKey && this.#fresh ? this.#found.items.find((item) => item.second) : undefined;
    if (!act && !second) return;
    event.preventDefault();
    event.stopPropagation();
    if (second) void this.#run(second);
    else act?.();
  }

  #enter() {
    if (this.#fresh) void this.#run(this.#found.items[this.#selected]);
    // The items shown belong to an earlier text.
    else this.#enterWaits = this.#request !== null;
  }

  #move(step: number) {
    const count = this.#found.items.length;
    if (!this.#isOpen) this.#suggest();
    else if (count > 0) {
      const next = this.#selected + step;
      // Single steps wrap around; pages stop at the ends.
      this.#moved = true;
      this.#selected = Math.abs(step) === 1 ? (next + count) % count : Math.max(0, Math.min(count - 1, next));
      this.#draw();
      byId("omnibar-list", HTMLElement).querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    }
  }

  #cycle(step: number) {
    const index = this.#modes.indexOf(this.#mode);
    this.#selectMode(this.#modes.at((index + step) % this.#modes.length) ?? null);
  }

  #selectMode(mode: Mode | null) {
    this.#selectedMode = mode;
    this.#found = { items: [] };
    this.#suggest();
  }

  /** The text that the right arrow fills in when the caret is at the end, or null. */
  get #fillable() {
    const { selectionStart, selectionEnd, value } = this.input;
    const fill = this.#found.items[this.#selected]?.fill;
    return this.#isOpen && fill && fill !== value && selectionStart === value.length && selectionEnd === value.length
      ? fill
      : null;
  }

  #fill() {
    this.input.value = this.#fillable ?? this.input.value;
    this.#suggest();
  }

  async #run(item: Suggestion | undefined) {
    if (!item) return;
    const typed = this.input.value;
    // Leave first, so that the opened item gets the focus.
    this.#leave();
    remember(item);
    const answer = await item.run();
    if (!isFailure(answer)) return;
    this.#problem = answer.error;
    this.input.value = typed;
    this.input.focus();
    this.#open();
    this.#draw();
  }

  #draw() {
    const [mode, isOpen] = [this.#mode, this.#isOpen];
    const { items, note } = this.#proof.waiting
      ? { items: [], note: "Release the keys to search." }
      : isOpen
        ? this.#found
        : { items: [], note: undefined };
    render(
      html`
      <button type="button" id="omnibar-mode" class="quiet" aria-label="Mode: ${mode.label}. Press to change"
        @mousedown=${keepInputFocus} @click=${() => (this.enter(), this.#cycle(1))}>${mode.label}</button>
      <input id="omnibar-input" type="text" role="combobox" autocomplete="off" autocapitalize="off" spellcheck="false"
        aria-label="Search and commands" aria-expanded=${isOpen && items.length > 0} aria-controls="omnibar-list" aria-autocomplete="list"
        aria-describedby="omnibar-mode omnibar-keys" aria-activedescendant=${items.length > 0 ? `omnibar-${this.#selected}` : nothing}
        placeholder=${mode.placeholder} data-focus-first
        @input=${() => this.#onInput()} @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
        @click=${() => this.#isOpen || this.enter()}>
      <kbd aria-hidden="true">${MOD} K</kbd>
      <div id="omnibar-popup" popover="manual" class="omnibar-popup" @mousedown=${keepInputFocus}>
        <p class="problem" role="alert" ?hidden=${this.#problem === null}>${this.#problem?.message}${
          this.#problem?.hint ? html`<span class="hint">${this.#problem.hint}</span>` : nothing
        }</p>
        <ul id="omnibar-list" role="listbox" aria-label="Suggestions" ?hidden=${items.length === 0}>${drawList(
          items,
          this.#selected,
          (item) => this.#run(item),
        )}</ul>
        <p class="note" ?hidden=${!note}>${note}</p>
        <p id="omnibar-keys" class="keys"><kbd>Tab</kbd> mode <kbd>↑</kbd> <kbd>↓</kbd> select <kbd>Enter</kbd> open
          <kbd>Esc</kbd> close</p>
      </div>
      <p class="visually-hidden" role="status">${isOpen ? `${mode.label}: ${note ?? counted(items.length, "suggestion")}` : ""}</p>
    `,
      this.#form,
    );
  }
}

/** Keep the focus in the field when the list is pressed. */
function keepInputFocus(event: Event) {
  event.preventDefault();
}
