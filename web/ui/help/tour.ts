/**
 * The tour of the first visit: four steps, each beside what it describes. It isn't modal, and takes the focus only when
 * the person started it.
 */

import { html, render } from "lit";
import { commands, MOD } from "../lib/commands.ts";
import { byId } from "../lib/elements.ts";
import { loadSaved, save } from "../../shared/local_state.ts";
import { onTrustedKey } from "../lib/trusted.ts";
import type { Workbench } from "../workbench/workbench.ts";

interface Step {
  title: string;
  text: string;
  /** to bring to the front */
  panel: string;
  /** selects the target */
  beside: string;
}

const SEEN = "tour";
const GAP = 10;

const STEPS: Step[] = [
  {
    title: "One place, for you and for agents",
    text:
      "Type a command here. Agents in your browser use the same terminals and files through this page's tools, and you " +
      "see everything that they do.",
    panel: "terminals",
    beside: ".panel.terminal[data-front], #terminals",
  },
  {
    title: "Your files are saved",
    text: "What you and agents create is in /project. It is stored in this browser and is there on your next visit.",
    panel: "files",
    beside: "#files",
  },
  {
    title: "Every call is logged",
    text:
      "Activity lists each tool call with its caller, arguments and result. Calls that reach outside this page ask you " +
      "first.",
    panel: "activity",
    beside: "#activity",
  },
  {
    title: "One search bar for everything",
    text: `${MOD}+K searches files and commands, opens addresses and panels, and starts this tour again. Press ? for all shortcuts.`,
    panel: "terminals",
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
      const free = activeElement === null || activeElement === document.body || this.#popover.contains(activeElement);
      if (event.key === "Escape" && this.#isOpen && free) this.end();
    });
    window.addEventListener("resize", () => this.#place());
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

  /** Start the tour at the person's request, and focus it. */
  start() {
    this.#before = document.activeElement;
    this.#show(0);
    this.#popover.focus();
  }

  end() {
    const inside = this.#popover.contains(document.activeElement);
    save(SEEN, true);
    this.#mark(null);
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
    this.workbench.open(STEPS[step]?.panel ?? "terminals");
    this.#draw();
    if (!this.#isOpen) this.#popover.showPopover();
    this.#place();
    if (inside) this.#popover.focus();
  }

  #draw() {
    const { title, text } = STEPS[this.#step];
    const last = this.#step === STEPS.length - 1;
    render(
      html`<p class="muted">Tour, step ${this.#step + 1} of ${STEPS.length}</p>
      <h2 id="tour-title">${title}</h2>
      <p id="tour-text">${text}</p>
      <div class="answers">
        <button id="tour-skip" type="button" class="quiet" ?hidden=${last} @click=${() => this.end()}>Skip</button>
        <button id="tour-back" type="button" ?hidden=${this.#step === 0} @click=${() => this.#show(this.#step - 1)}>Back</button>
        <button id="tour-next" type="button" class="primary" @click=${() => (last ? this.end() : this.#show(this.#step + 1))}>${
          last ? "Done" : "Next"
        }</button>
      </div>`,
      this.#popover,
    );
  }

  /** Place the popover beside the target if there is room, or else in the target's corner. */
  #place() {
    if (!this.#isOpen) return;
    const target = [...document.querySelectorAll(STEPS[this.#step]?.beside ?? "")].find((each) =>
      each.checkVisibility(),
    );
    this.#mark(target ?? null);
    const { left, right, top, bottom } = target?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
    const [wide, high] = [this.#popover.offsetWidth, this.#popover.offsetHeight];
    let [x, y] = [right - wide - GAP, bottom - high - GAP];
    if (bottom - top < high) y = bottom + GAP;
    else if (right + GAP + wide <= innerWidth) [x, y] = [right + GAP, top + GAP];
    else if (left - GAP - wide >= 0) [x, y] = [left - GAP - wide, top + GAP];
    const within = (at: number, most: number) => Math.max(8, Math.min(at, most - 8));
    this.#popover.style.left = `${within(x, innerWidth - wide)}px`;
    this.#popover.style.top = `${within(y, innerHeight - high)}px`;
  }

  #mark(target: Element | null) {
    for (const marked of document.querySelectorAll("[data-toured]")) marked.removeAttribute("data-toured");
    target?.setAttribute("data-toured", "");
  }
}
