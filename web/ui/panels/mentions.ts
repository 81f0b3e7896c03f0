/**
 * Suggestions while the user types a mention, `@` before the name of an agent, a file or a tab. Python has the
 * suggestions.
 */

import { html, render } from "lit";
import type { Candidate } from "../../generated/types.ts";
import type { Actions } from "../state/actions.ts";
import { isFailure } from "../state/kernel_calls.ts";

/** The start of a mention, up to the caret. */
const STARTED = /(?:^|[^\w@./])@(?:"([^"\n]*)|([\w./~+-]*))$/;
const KINDS = { agent: "Agent", file: "File", tab: "Tab" };

let lists = 0;

/** The list of suggestions of one field. */
class MentionList {
  #list = document.createElement("ul");
  #status = document.createElement("p");
  #shown: Candidate[] = [];
  #selected = 0;
  /** Counts requests: answers to earlier ones are dropped. */
  #asked = 0;
  field: HTMLTextAreaElement | HTMLInputElement;
  actions: Actions;
  onTake: (text: string) => void;

  constructor(field: HTMLTextAreaElement | HTMLInputElement, actions: Actions, onTake: (text: string) => void) {
    this.field = field;
    this.actions = actions;
    this.onTake = onTake;
    this.#list.id = `mentions-${++lists}`;
    this.#list.className = "mentions";
    this.#list.popover = "manual";
    this.#list.role = "listbox";
    this.#list.ariaLabel = "Agents, files and tabs";
    this.#status.className = "visually-hidden";
    this.#status.role = "status";
    field.after(this.#list, this.#status);
    field.setAttribute("aria-autocomplete", "list");
    field.addEventListener("input", () => void this.#suggest());
    field.addEventListener("blur", () => this.#close());
    // Before the field's own listeners: Enter would send the message.
    field.addEventListener("keydown", (event) => this.#onKey(event as KeyboardEvent), { capture: true });
  }

  get #typed() {
    const { value, selectionEnd } = this.field;
    const selectionStart = this.field.selectionStart ?? value.length;
    const found = selectionStart === selectionEnd ? STARTED.exec(value.slice(0, selectionStart)) : null;
    return found === null ? null : (found[1] ?? found[2]);
  }

  async #suggest() {
    const typed = this.#typed;
    const asked = ++this.#asked;
    if (typed === null) return this.#close();
    const found = await this.actions.suggestMentions({ typed });
    if (asked !== this.#asked) return;
    if (isFailure(found) || found.length === 0) return this.#close();
    this.#shown = found;
    this.#selected = 0;
    this.#status.textContent = `${found.length} suggestions`;
    this.#draw();
    this.#place();
  }

  #draw() {
    render(
      html`${this.#shown.map(
        ({ kind, text, about }, index) => html`<li role="option" id=${`${this.#list.id}-${index}`}
      aria-selected=${index === this.#selected} @pointerdown=${(event: Event) => this.#take(event, index)}>
      <span class="mention-text">${text}</span> <span class="muted">${KINDS[kind]}${about === "" ? "" : `: ${about}`}</span></li>`,
      )}`,
      this.#list,
    );
    this.field.setAttribute("aria-controls", this.#list.id);
    this.field.setAttribute("aria-activedescendant", `${this.#list.id}-${this.#selected}`);
    if (!this.#list.matches(":popover-open")) this.#list.showPopover();
    this.#list.children[this.#selected]?.scrollIntoView({ block: "nearest" });
  }

  /** Put the list above the field, or below it where that has more room. */
  #place() {
    const { left, top, bottom, width } = this.field.getBoundingClientRect();
    const isBelow = innerHeight - bottom > top;
    Object.assign(this.#list.style, {
      left: `${left}px`,
      width: `${width}px`,
      maxHeight: `${Math.max(top, innerHeight - bottom) - 8}px`,
      top: isBelow ? `${bottom}px` : "auto",
      bottom: isBelow ? "auto" : `${innerHeight - top}px`,
    });
  }

  #close() {
    this.#asked += 1;
    if (!this.#list.matches(":popover-open")) return;
    this.#list.hidePopover();
    this.#status.textContent = "";
    this.field.removeAttribute("aria-activedescendant");
    this.field.removeAttribute("aria-controls");
  }

  #onKey(event: KeyboardEvent) {
    if (event.isComposing || !this.#list.matches(":popover-open")) return;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      const { length } = this.#shown;
      this.#selected = (this.#selected + (key === "ArrowDown" ? 1 : length - 1)) % length;
      this.#draw();
    } else if (key === "Escape") this.#close();
    else if ((key === "Enter" || key === "Tab") && !event.shiftKey) this.#take(event, this.#selected);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Replace what was typed by a suggestion. */
  #take(event: Event, index: number) {
    event.preventDefault();
    const typed = this.#typed;
    const { value } = this.field;
    const selectionStart = this.field.selectionStart ?? value.length;
    this.#close();
    if (typed === null) return;
    const start = value.lastIndexOf("@", selectionStart - typed.length - 1);
    this.field.setRangeText(`${this.#shown[index].text} `, start, selectionStart, "end");
    this.onTake(this.field.value);
  }
}

const known = new WeakSet<Element>();

/**
 * Suggest mentions in a field, which lit's `ref` passes.
 *
 * @param onTake - gets the field's text after a suggestion was taken
 */
export function mentionsIn(
  actions: Actions,
  onTake: (text: string) => void = () => {},
): (field: Element | undefined) => void {
  return (field) => {
    if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) || known.has(field)) return;
    known.add(field);
    new MentionList(field, actions, onTake);
  };
}
