/** The demo's parts of a run: its page is shown next to its steps, and at the end the user's own task follows. */

import { html } from "lit";
import type { StartDemoGiven } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { submitting, valueOf } from "../../lib/forms.ts";
import { narrow } from "../../lib/narrow.ts";

const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/** a task of the start page besides the demo's own */
export type Example = StartDemoGiven["example"];

interface Callbacks {
  hasModel: boolean;
  /** starts a run */
  start: (task: string) => unknown;
  /** opens the dialog that connects a model, and afterwards the form of a new run with the task */
  connect: (task: string) => unknown;
  /** opens how to connect a client of another program; null if there is no such command */
  otherClient: { title: string; run: () => unknown } | null;
}

/** Start the demo, or an example in its place. For people who want less motion, each step waits for a press. */
export function startDemo(actions: Actions, example: Example = null) {
  return actions.startDemo({ held: CALM.matches, example });
}

/** The tabs that the demo has been shown in, so that the user can go elsewhere. */
const followed = new Set<string>();

/** Show the page that the demo has opened, once. */
export function followPage(run: string, tab: string, show: (tab: string) => unknown) {
  // In a narrow window, the pictures of the steps show the page.
  if (followed.has(run) || narrow.matches) return;
  followed.add(run);
  // Showing a panel draws the view again, which this is called from.
  queueMicrotask(() => show(tab));
}

/** The form of the user's own task, at the end of the demo. */
export function ownTask({ hasModel, start, connect, otherClient }: Callbacks) {
  const submit = submitting((form) => {
    const task = valueOf(form, "task").trim();
    if (!hasModel) connect(task);
    else if (task !== "") start(task);
  });
  return html`<form class="agent-own" aria-labelledby="agent-own-title" @submit=${submit}>
    <h4 id="agent-own-title">Now your own task</h4>
    <label class="visually-hidden" for="agent-own-task">Your own task</label>
    <textarea id="agent-own-task" name="task" rows="3" ?required=${hasModel} placeholder="Describe a task"></textarea>
    <p class="agent-buttons">
      <button type="submit" class="primary">${hasModel ? "Start" : "Connect a model"}</button>
      ${otherClient ? html`<button type="button" @click=${() => otherClient.run()}>Connect an MCP client</button>` : ""}</p>
    ${hasModel ? "" : html`<p class="muted">A model on this computer, such as one of Ollama or LM Studio, or one of a provider.</p>`}
  </form>`;
}
