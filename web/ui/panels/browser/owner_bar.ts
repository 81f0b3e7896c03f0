/** The bar above an agent's page: which agent uses the tab, and the controls of its run. */

import { html, nothing, render } from "lit";
import type { RunRow, TabRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { icon } from "../../lib/icons.ts";

interface OwnerCallbacks {
  actions: Actions;
  /** shows errors */
  act: (asked: Promise<unknown>) => Promise<void>;
  showRun: (run: string) => void;
}

export function ownerLabel({ name, finished }: NonNullable<TabRow["owner"]>) {
  return finished ? `Left by ${agentName(name)}` : `Used by ${agentName(name)}`;
}

/** Runs that nobody has named are of "agent", and chats of "chat". */
function agentName(name: string) {
  return name === "agent" ? "the agent" : name === "chat" ? "a chat" : name;
}

export class OwnerBar {
  place: HTMLElement;
  callbacks: OwnerCallbacks;

  constructor(place: HTMLElement, callbacks: OwnerCallbacks) {
    this.place = place;
    this.callbacks = callbacks;
  }

  /** @param tab - the one in front */
  render(tab: TabRow | null, runs: RunRow[], ready: boolean) {
    const owner = tab?.owner;
    this.place.hidden = !owner;
    const run = owner?.finished === false ? runs.find(({ id }) => id === owner.run) : undefined;
    const text = run?.taken_over ? `You have taken over from ${agentName(run.agent)}` : owner ? ownerLabel(owner) : "";
    // The status exists before its text changes, so that screen readers announce the text.
    render(
      html`<p role="status" class="browser-owner-name">${icon("agent")} <span>${text}</span></p>
      ${
        tab && owner
          ? this.#buttons(
              tab,
              runs.some(({ id }) => id === owner.run),
              run,
              ready,
            )
          : nothing
      }`,
      this.place,
    );
  }

  /** @param hasRun - also an ended one */
  #buttons({ id, owner }: TabRow, hasRun: boolean, run: RunRow | undefined, ready: boolean) {
    const { actions, act, showRun } = this.callbacks;
    const control = (action: "take_over" | "give_back" | "cancel") =>
      void act(actions.controlRun({ run_id: run?.id ?? "", action }));
    return html`${hasRun ? button("browser-owner-run", "Show run", true, () => showRun(owner?.run ?? "")) : nothing}
      ${run ? button("browser-owner-stop", "Stop", ready, () => control("cancel")) : nothing}
      ${
        run
          ? button("browser-owner-take", run.taken_over ? "Give back control" : "Take over", ready, () =>
              control(run.taken_over ? "give_back" : "take_over"),
            )
          : button("browser-owner-take", "Take over", ready, () => void act(actions.takeTab({ tab: id })))
      }`;
  }
}

function button(id: string, label: string, usable: boolean, run: () => void) {
  return html`<button type="button" id=${id} ?disabled=${!usable} @click=${run}>${label}</button>`;
}
