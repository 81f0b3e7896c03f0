/**
 * A terminal's panel: its screen, the current caller, the interrupt button, and search in the scrollback. One of the user's
 * computer says so above its screen.
 */

import { callerName } from "../../lib/caller_names.ts";
import { expect } from "../../lib/elements.ts";
import { html, nothing, render } from "lit";
import type { TerminalRow } from "../../../generated/types.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import { noteLine } from "../../lib/presses.ts";
import { icon } from "../../lib/icons.ts";
import { OwnBar } from "./own_bar.ts";
import { TouchKeys } from "./touch_keys.ts";
import type { Callbacks, TerminalView } from "./view.ts";

const WAITING = "This terminal opens when Python has started.";
const ELSEWHERE = "The terminals are shown in the tab that owns the surface.";

/** Load the renderer, which isn't needed for the first paint. */
export function loadView(): Promise<typeof import("./view.ts")> {
  return loadPart("ui-terminal.js");
}

export class TerminalPanel {
  #view: TerminalView | null = null;
  #row: TerminalRow | null = null;
  #note = WAITING;
  #finding = false;
  #wanted = "";
  #found = "";
  #enter = false;
  #connecting = false;
  #aloud = false;
  #bar = document.createElement("div");
  #screens = document.createElement("div");

  /** Set if the terminal is one of the user's computer. */
  #own: OwnBar | null = null;
  id: string;
  callbacks: {
    isForPage: (event: KeyboardEvent) => boolean;
    accepts: (event: Event) => boolean;
    type: (keys: string, onEnd: (why: unknown) => void) => void;
    attach: () => Promise<MessagePort>;
    interrupt: (send: (stop: number) => Promise<unknown>) => void;
    own: () => boolean;
    typed: (line: string | null) => void;
    follow: (url: string) => void;
    withControl: (keys: string) => string;
  };
  element: HTMLElement;
  keys = new TouchKeys(() => this.#view);

  constructor(id: string, callbacks: Omit<Callbacks, "isForPage" | "accepts" | "withControl">) {
    this.id = id;
    this.callbacks = {
      ...callbacks,
      isForPage: (event: KeyboardEvent) => isFind(event),
      accepts: (event: Event) => this.#own?.accepts(event) ?? false,
      withControl: (keys: string) => this.keys.apply(keys),
    };
    this.element = document.createElement("section");
    this.element.className = "panel terminal";
    this.element.dataset.geminiPanel = "";
    this.element.dataset.terminal = id;
    this.element.setAttribute("aria-label", `Terminal ${id}`);
    this.element.tabIndex = -1;
    this.#bar.className = "terminal-bar";
    this.#screens.className = "screens";
    this.element.append(this.#bar, this.#screens, this.keys.element);
    this.element.addEventListener("keydown", (event) => {
      if (!isFind(event)) return;
      event.preventDefault();
      this.#openFind();
    });
    // The screen stops the keys that it takes.
    this.element.addEventListener("keydown", (event) => this.#onEnter(event), { capture: true });
    this.#draw();
  }

  #onEnter(event: KeyboardEvent) {
    if (!event.isTrusted || event.key !== "Enter" || this.#own) return;
    if (event.ctrlKey && this.#offer) {
      event.preventDefault();
      event.stopPropagation();
      this.#install();
    } else noteLine({ id: this.id, focus: () => this.focus() });
  }

  /** The package that the command typed last lacks; null on the user's own computer. */
  get #offer() {
    return this.#own === null && this.#row?.busy === false ? this.#row.offer : null;
  }

  /** Install the offered package and run the command again. */
  #install() {
    if (this.#offer) this.#view?.typeLine(this.#offer.line);
    this.#enterScreen();
  }

  /** Focus the terminal, now or when its screen is ready; one of the user's computer, its button. */
  focus() {
    if (this.#own !== null) return this.#own.focus();
    this.#enter = true;
    this.#enterIfWanted();
  }

  /** @param front - whether it has Python's focus */
  render(row: TerminalRow, front: boolean) {
    this.#row = row;
    this.element.toggleAttribute("data-front", front);
    const title = row.title || row.id;
    this.element.setAttribute("aria-label", row.owner === null ? title : `${callerName(row.owner)}: ${title}`);
    if (this.#view === null) void this.#connect();
    this.#draw();
    this.#enterIfWanted();
  }

  /** Drop the screen: the kernel stopped, or another tab has it. */
  disconnect(elsewhere: boolean) {
    this.#view?.dispose();
    this.#view = this.#row = null;
    this.#connecting = false;
    this.#note = elsewhere ? ELSEWHERE : WAITING;
    this.#draw();
  }

  /**
   * Draw again after the set of the user's own terminals has changed.
   * @returns whether this is one of them now
   */
  redraw(): boolean {
    const own = this.callbacks.own();
    if (own === (this.#own !== null)) return false;
    this.#own?.dispose();
    this.#own = own ? new OwnBar(this.id, this.element, (open) => this.#onOwn(open)) : null;
    if (this.#own !== null) this.element.prepend(this.#own.element);
    this.element.classList.toggle("own", own);
    this.#onOwn(false);
    return own;
  }

  /** @param open - whether the user has pressed here, to type on their computer */
  #onOwn(open: boolean) {
    this.#enter = false;
    this.#view?.lock(this.#own !== null && !open);
    if (open) this.#view?.focus();
  }

  restyle() {
    this.#view?.restyle();
  }

  readAloud(on: boolean) {
    this.#aloud = on;
    this.#view?.readAloud(on);
  }

  dispose() {
    this.#own?.dispose();
    this.#view?.dispose();
    this.element.remove();
  }

  async #connect() {
    if (this.#connecting) return;
    this.#connecting = true;
    let part: typeof import("./view.ts");
    try {
      part = await loadView();
    } catch (error) {
      this.#note = `The terminal could not be loaded: ${error}. Reload the page to try again.`;
      this.#draw();
      return;
    }
    // The kernel may have stopped and restarted meanwhile.
    if (!this.#connecting || this.#view !== null) return;
    this.#show(new part.TerminalView(this.callbacks));
  }

  #show(view: TerminalView) {
    this.#view = view;
    view.readAloud(this.#aloud);
    view.avoid(this.#bar);
    view.lock(this.#own !== null && !this.#own.open);
    this.#screens.replaceChildren(view.element);
    view.onFound(({ resultIndex, resultCount }) => {
      this.#found =
        resultCount === 0
          ? "Not found"
          : resultIndex < 0
            ? `${resultCount} matches`
            : `${resultIndex + 1} of ${resultCount}`;
      this.#draw();
    });
    this.#draw();
    this.#enterIfWanted();
  }

  #enterIfWanted() {
    if (!this.#enter || this.#view === null) return;
    this.#enter = false;
    this.#view.focus();
  }

  #draw() {
    const row = this.#row;
    if (this.#view === null) {
      const note = document.createElement("p");
      note.className = "empty";
      note.textContent = this.#note;
      this.#screens.replaceChildren(note);
    }
    // It lies over the screen, which would change its size with a row that comes and goes.
    this.#bar.hidden = row === null || !(row.busy || row.caller || this.#finding || this.#offer);
    render(
      row === null
        ? nothing
        : html`
      <div class="terminal-state facts">
        ${
          row.caller
            ? html`<span class="chip agent">${callerName(row.caller)} running</span>`
            : row.busy
              ? html`<span class="chip busy">running</span>`
              : nothing
        }
      </div>
      ${
        row.busy
          ? html`<button type="button" class="quiet icon terminal-interrupt" title="Interrupt (Ctrl+C)"
        aria-label="Interrupt ${row.id}" @click=${() => this.interrupt()}>${icon("stop")}</button>`
          : nothing
      }
      ${
        this.#offer
          ? html`<button type="button" class="terminal-install" @click=${() => this.#install()}
        >Install ${this.#offer.package} and run again <kbd>Ctrl+Enter</kbd></button>`
          : nothing
      }
      ${this.#finding ? this.#findBar() : nothing}`,
      this.#bar,
    );
  }

  #findBar() {
    return html`<form class="terminal-find" role="search" @submit=${(event: Event) => event.preventDefault()}
        @keydown=${(event: KeyboardEvent) => this.#onFindKey(event)}>
      <input type="search" aria-label="Find in this terminal" placeholder="Find" autocomplete="off" spellcheck="false"
        .value=${this.#wanted} @input=${(event: InputEvent) => this.#find(event)}>
      <span class="muted" role="status">${this.#wanted === "" ? "" : this.#found}</span>
      <button type="button" class="quiet icon" title="Previous (Shift+Enter)" aria-label="Previous match"
        @click=${() => this.#view?.find(this.#wanted, "previous")}>${icon("previous")}</button>
      <button type="button" class="quiet icon" title="Next (Enter)" aria-label="Next match"
        @click=${() => this.#view?.find(this.#wanted, "next")}>${icon("next")}</button>
      <button type="button" class="quiet icon" title="Close (Escape)" aria-label="Close search"
        @click=${() => this.#closeFind()}>${icon("close")}</button>
    </form>`;
  }

  /** Interrupt, and focus the terminal, because the pressed button disappears. */
  interrupt() {
    this.#view?.interrupt();
    this.#enterScreen();
  }

  #enterScreen() {
    if (this.#own?.open === false) this.#own.focus();
    else this.#view?.focus();
  }

  /** Open the field that searches the scrollback, or close it. */
  toggleFind() {
    if (this.#finding) this.#closeFind();
    else this.#openFind();
  }

  #openFind() {
    this.#finding = true;
    this.#draw();
    this.#bar.querySelector("input")?.select();
  }

  #closeFind() {
    this.#finding = false;
    this.#view?.endFind();
    this.#draw();
    this.#enterScreen();
  }

  #find({ target }: InputEvent) {
    this.#wanted = expect(target, HTMLInputElement).value;
    this.#view?.find(this.#wanted, "here");
    this.#draw();
  }

  #onFindKey(event: KeyboardEvent) {
    if (event.key === "Escape") this.#closeFind();
    else if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
      this.#view?.find(this.#wanted, event.shiftKey ? "previous" : "next");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Return whether a key opens the search; Ctrl+F alone is the shell's. */
function isFind({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) {
  return key.toLowerCase() === "f" && (ctrlKey || metaKey) && shiftKey && !altKey;
}
