/**
 * The consent dialog. What a caller sent is shown as text in a block of its own, labelled as the caller's
 * words; only a person's own click or key press answers.
 *
 * @import { Approval, Decision, Effect, Wire } from "./types.js"
 * @import { Store } from "./store.js"
 */

import { byId, h, showProblem } from "./elements.js";
import { counted, plainJson } from "./format.js";
import { whenChanged } from "./store.js";

/** @type {Record<Effect, string>} */
const EFFECTS = {
  read: "It reads from this surface.",
  write: "It changes files or terminals of this surface.",
  outside: "It reaches outside this surface: the network, another site, or your computer.",
  spend: "It spends money, for example on a language model.",
};

/** @type {Record<string, string>} */
const CALLERS = {
  webmcp: "An agent in your browser (WebMCP)",
  mcp: "A program outside the browser (MCP)",
  agent: "An agent that runs in this surface",
  script: "A script on this page",
  console: "Code in the Python console",
  person: "You, from a panel of this page",
};

class ApprovalDialog {
  #dialog = byId("approval", HTMLDialogElement);
  #problem = byId("approval-problem", HTMLElement);
  /** @type {[Decision, HTMLButtonElement][]} */
  #buttons = [
    ["refuse", byId("approval-refuse", HTMLButtonElement)],
    ["once", byId("approval-once", HTMLButtonElement)],
    ["always", byId("approval-always", HTMLButtonElement)],
  ];
  /** @type {Approval | null} */
  #shown = null;
  #answering = false;

  /** @param {Wire} connection */
  constructor(connection) {
    this.connection = connection;
    for (const [decision, button] of this.#buttons) {
      button.addEventListener("click", (event) => {
        // The second click of a double click was meant for the request before this one.
        if (event.detail <= 1 || decision === "refuse") void this.#answer(event, decision);
      });
    }
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      void this.#answer(event, "refuse");
    });
    // Chromium closes a dialog on a second Escape whatever its cancel event says.
    this.#dialog.addEventListener("close", () => this.#reopen());
  }

  /** @param {Approval[]} waiting */
  render(waiting) {
    const next = waiting[0] ?? null;
    const more = waiting.length - 1;
    byId("approval-queue", HTMLElement).textContent =
      more > 0 ? `${counted(more, "more request")} ${more === 1 ? "waits" : "wait"} after this one.` : "";
    if (next?.id === this.#shown?.id) return;
    this.#shown = next;
    if (next === null) {
      this.#dialog.close();
      return;
    }
    this.#draw(next);
    if (!this.#dialog.open) this.#dialog.showModal();
    byId("approval-refuse", HTMLButtonElement).focus();
  }

  /** @param {Approval} approval */
  #draw({ tool, caller, effect, arguments: given }) {
    byId("approval-who", HTMLElement).textContent = CALLERS[caller] ?? `The caller ${plainJson(caller)}`;
    // What a tool is about to do is told in words, as "open pages of …"; a tool by its name.
    byId("approval-verb", HTMLElement).hidden = tool.includes(" ");
    byId("approval-tool", HTMLElement).textContent = tool;
    byId("approval-effect", HTMLElement).textContent = EFFECTS[effect];
    const block = byId("approval-arguments", HTMLElement);
    block.textContent = plainJson(given);
    block.scrollTop = 0;
    byId("approval-scope", HTMLElement).replaceChildren(
      "Always allow holds for ", h("b", {}, tool), " called by ", h("b", {}, caller),
      ", whatever the arguments.",
    );
    showProblem(this.#problem, null);
    this.#enable(true);
  }

  /** @param {boolean} enabled */
  #enable(enabled) {
    this.#answering = !enabled;
    for (const [, button] of this.#buttons) button.disabled = !enabled;
  }

  /**
   * @param {Event} event
   * @param {Decision} decision
   */
  async #answer(event, decision) {
    const approval = this.#shown;
    if (!event.isTrusted || approval === null || this.#answering) return;
    this.#enable(false);
    try {
      await this.connection.request("approval/answer", { approval_id: approval.id, decision });
    } catch (error) {
      if (this.#shown !== approval) return;
      this.#enable(true);
      const message = `The answer did not arrive: ${String(error)}`;
      showProblem(this.#problem, { message, hint: "Try again." });
    }
  }

  #reopen() {
    if (this.#shown !== null) this.#dialog.showModal();
  }
}

/**
 * @param {Store} store
 * @param {Wire} connection
 */
export function showApprovals(store, connection) {
  const dialog = new ApprovalDialog(connection);
  store.subscribe(whenChanged(({ approvals }) => [approvals], (state) => dialog.render(state.approvals)));
}
