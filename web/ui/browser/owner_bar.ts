/**
 * The bar above an agent's page: which agent uses the tab, and the controls of its run.
 *
 * @import { RunRow, TabRow } from "../../generated/types.js"
 * @import { Actions } from "../actions.js"
 *
 * @typedef {object} OwnerCallbacks
 * @property {Actions} actions
 * @property {(asked: Promise<unknown>) => Promise<void>} act shows errors
 * @property {(run: string) => void} showRun
 */

import { html, nothing, render } from "lit";
import { icon } from "../workbench/icons.js";

/** @param {NonNullable<TabRow["owner"]>} owner */
export function ownerLabel({ name, finished }) {
  return finished ? `Left by ${agentName(name)}` : `Used by ${agentName(name)}`;
}

/** Runs that nobody has named are of "agent", and chats of "chat". @param {string} name */
function agentName(name) {
  return name === "agent" ? "the agent" : name === "chat" ? "a chat" : name;
}

export class OwnerBar {
  /** @param {HTMLElement} place @param {OwnerCallbacks} callbacks */
  constructor(place, callbacks) {
    this.place = place;
    this.callbacks = callbacks;
  }

  /** @param {TabRow | null} tab the one in front @param {RunRow[]} runs @param {boolean} ready */
  render(tab, runs, ready) {
    const owner = tab?.owner;
    this.place.hidden = !owner;
    const run = owner?.finished === false ? runs.find(({ id }) => id === owner.run) : undefined;
    const text = run?.taken_over ? `You have taken over from ${agentName(run.agent)}` : owner ? ownerLabel(owner) : "";
    // The status exists before its text changes, so that screen readers announce the text.
    render(html`<p role="status" class="browser-owner-name">${icon("agent")} <span>${text}</span></p>
      ${tab && owner ? this.#buttons(tab, runs.some(({ id }) => id === owner.run), run, ready) : nothing}`, this.place);
  }

  /** @param {TabRow} tab @param {boolean} hasRun also an ended one @param {RunRow | undefined} run @param {boolean} ready */
  #buttons({ id, owner }, hasRun, run, ready) {
    const { actions, act, showRun } = this.callbacks;
    const control = (/** @type {"take_over" | "give_back" | "cancel"} */ action) =>
      void act(actions.controlRun({ run_id: run?.id ?? "", action }));
    return html`${hasRun ? button("browser-owner-run", "Show run", true, () => showRun(owner?.run ?? "")) : nothing}
      ${run ? button("browser-owner-stop", "Stop", ready, () => control("cancel")) : nothing}
      ${run
        ? button("browser-owner-take", run.taken_over ? "Give back control" : "Take over", ready, () => control(run.taken_over ? "give_back" : "take_over"))
        : button("browser-owner-take", "Take over", ready, () => void act(actions.takeTab({ tab: id })))}`;
  }
}

/** @param {string} id @param {string} label @param {boolean} usable @param {() => void} run */
function button(id, label, usable, run) {
  return html`<button type="button" id=${id} ?disabled=${!usable} @click=${run}>${label}</button>`;
}
