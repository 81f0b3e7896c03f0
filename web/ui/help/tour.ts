/**
 * The tour of the first visit: four things to do, each next to its control. It isn't modal, and takes the focus only
 * when the user started it.
 */

import { html, nothing, render } from "lit";
import { commands, MOD } from "../lib/commands.ts";
import { byId } from "../lib/elements.ts";
import { loadSaved, save } from "../../shared/local_state.ts";
import { onTrustedKey } from "../lib/trusted.ts";
import { START, type Workbench } from "../workbench/workbench.ts";

interface Edges {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Step {
  title: string;
  text: string;
  /** to bring to the front */
  panel: string;
  /** selects the target */
  beside: string;
  /** the label of the button that does it, and the command's id */
  act?: [label: string, command: string];
}

const SEEN = "tour";
const GAP = 10;
// In pixels: the narrowest margin of the start page that the popover fits in.
const LEAST_WIDTH = 240;

const STEPS: Step[] = [
  {
    title: "Watch an agent work",
    text: "In the demo a script plays the model, and the tools are real: an agent makes a page, finds its own bug and fixes it.",
    panel: START,
    beside: "#start-demo",
    act: ["Watch the demo", "demo"],
  },
  {
    title: "Give it your own task",
    text: "Describe the task here and press Enter. An agent needs a language model: connect one that you have, or one that runs in this browser.",
    panel: START,
    beside: ".start-form",
    act: ["Connect a model", "set-up-model"],
  },
  {
    title: "Work with it",
    text: `Press ${MOD}+J for a terminal. Agents use the same files and commands, and you can take over at any time.`,
    panel: START,
    beside: "#status-below",
    act: ["Open the terminal", "toggle-below"],
  },
  {
    title: "You decide",
    text: `What reaches outside this page asks you first, and each change of a file can be taken back. ${MOD}+K finds everything, this tour too.`,
    panel: START,
    beside: "#omnibar",
  },
];

export class Tour {
  #popover = byId("tour", HTMLElement);
  #step = 0;
  /** the focused element before the tour */
  #before: Element | null = null;
  workbench: Workbench;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
    onTrustedKey((event) => {
      const { activeElement } = document;
      const places = [this.#popover, byId(START, HTMLElement)];
      const free =
        activeElement === null ||
        activeElement === document.body ||
        places.some((place) => place.contains(activeElement));
      if (event.key === "Escape" && this.#isOpen && free) this.end();
    });
    // After the workbench has arranged its panels for the new size.
    window.addEventListener("resize", () => requestAnimationFrame(() => this.#place()));
    workbench.onChange(() => this.#place());
    commands.add({
      id: "tour",
      title: "Take the tour",
      keywords: "help introduction first steps",
      starter: 6,
      run: () => this.start(),
    });
  }

  /**
   * Start the tour on a first visit. Pages driven by a program (`navigator.webdriver`) or embedded in another
   * application don't start it.
   */
  offer() {
    if (loadSaved(SEEN, false) || navigator.webdriver || window !== window.parent) return;
    this.#show(0);
  }

  /** Start the tour at the user's request, and focus it. */
  start() {
    this.#before = document.activeElement;
    this.#show(0);
    this.#popover.focus();
  }

  end() {
    const inside = this.#popover.contains(document.activeElement);
    save(SEEN, true);
    this.#mark(null);
    this.#leaveRoom(false);
    this.#popover.hidePopover();
    if (inside && this.#before instanceof HTMLElement) this.#before.focus();
    this.#before = null;
  }

  get #isOpen() {
    return this.#popover.matches(":popover-open");
  }

  #show(step: number) {
    const inside = this.#popover.contains(document.activeElement);
    this.#step = step;
    this.workbench.open(STEPS[step]?.panel ?? START);
    this.#draw();
    if (!this.#isOpen) this.#popover.showPopover();
    this.#place();
    if (inside) this.#popover.focus();
  }

  #draw() {
    const { title, text, act } = STEPS[this.#step];
    const last = this.#step === STEPS.length - 1;
    const next = () => (last ? this.end() : this.#show(this.#step + 1));
    const [label, id] = act ?? [];
    render(
      html`<p class="muted">Tour, step ${this.#step + 1} of ${STEPS.length}</p>
      <h2 id="tour-title">${title}</h2>
      <p id="tour-text">${text}</p>
      <div class="answers">
        <button id="tour-skip" type="button" class="quiet" ?hidden=${last} @click=${() => this.end()}>Skip</button>
        <button id="tour-back" type="button" ?hidden=${this.#step === 0} @click=${() => this.#show(this.#step - 1)}>Back</button>
        <button id="tour-next" type="button" class=${act ? "" : "primary"} @click=${next}>${last ? "Done" : "Next"}</button>
        ${act ? html`<button id="tour-act" type="button" class="primary" @click=${() => this.#do(id)}>${label}</button>` : nothing}
      </div>`,
      this.#popover,
    );
  }

  /** Do the step. The tour is in the way of it. */
  #do(id: string | undefined) {
    this.end();
    commands.available.find((command) => command.id === id)?.run();
  }

  /**
   * Place the popover next to the start page if there is room, or else next to the target; in a narrow window, below the
   * page, which scrolls above it. The tour ends when another document is in front: the user does something else, and the
   * popover would be in the way.
   */
  #place() {
    if (!this.#isOpen) return;
    if (!this.workbench.shows(START)) {
      this.end();
      return;
    }
    const target = [...document.querySelectorAll(STEPS[this.#step]?.beside ?? "")].find((each) =>
      each.checkVisibility(),
    );
    this.#mark(target ?? null);
    const page = byId(START, HTMLElement).getBoundingClientRect();
    this.#leaveRoom(this.workbench.isNarrow);
    if (this.workbench.isNarrow) {
      this.#popover.style.maxWidth = "";
      return this.#moveTo(page.left + GAP, page.bottom - this.#popover.offsetHeight - GAP);
    }
    const column = target?.closest(".start")?.getBoundingClientRect();
    const margin = page.right - (column?.right ?? Infinity) - 2 * GAP;
    const isInMargin = column !== undefined && margin >= LEAST_WIDTH;
    this.#popover.style.maxWidth = isInMargin ? `${margin}px` : "";
    const { left, right, top, bottom } = target?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
    const [wide, high] = [this.#popover.offsetWidth, this.#popover.offsetHeight];
    const [x, y] = isInMargin ? [column.right + GAP, top] : placeBeside({ left, right, top, bottom }, wide, high);
    this.#moveTo(x, y);
  }

  #moveTo(x: number, y: number) {
    const { offsetWidth: wide, offsetHeight: high, style } = this.#popover;
    const within = (at: number, most: number) => Math.max(8, Math.min(at, most - 8));
    style.left = `${within(x, innerWidth - wide)}px`;
    style.top = `${within(y, innerHeight - high)}px`;
  }

  /** Let the end of the start page scroll above the popover. */
  #leaveRoom(below: boolean) {
    const { style } = byId(START, HTMLElement);
    if (below) style.setProperty("--tour-room", `${this.#popover.offsetHeight + GAP}px`);
    else style.removeProperty("--tour-room");
  }

  #mark(target: Element | null) {
    for (const marked of document.querySelectorAll("[data-toured]")) marked.removeAttribute("data-toured");
    target?.setAttribute("data-toured", "");
  }
}

/** Return a place below, above, or else next to a target, so that it doesn't cover the target. */
function placeBeside({ left, right, top, bottom }: Edges, wide: number, high: number) {
  if (bottom + GAP + high <= innerHeight) return [left, bottom + GAP];
  if (top - GAP - high >= 0) return [left, top - GAP - high];
  return [right + GAP + wide <= innerWidth ? right + GAP : left - GAP - wide, top];
}
