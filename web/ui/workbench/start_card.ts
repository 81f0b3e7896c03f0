/** The card of an empty workbench: a task for an agent, and the first steps. The steps are commands of the palette. */

import { html, nothing, render } from "lit";
import { isFailure } from "../state/kernel_calls.ts";
import { commands } from "../lib/commands.ts";
import type { Failure } from "../state/types.ts";

interface Tasks {
  hasModel: () => boolean;
  onModel: (listener: () => void) => void;
  start: (task: string) => Promise<unknown>;
  demo: () => Promise<unknown>;
}

/** The ids of the commands, in order. */
const STEPS = ["set-up-model", "connect-client", "upload-folder", "tour", "reset-layout"];

export function startCard(tasks: Tasks): HTMLElement {
  const card = document.createElement("section");
  card.className = "start-card";
  card.setAttribute("aria-labelledby", "start-title");
  const draw = (failure: Failure | null = null) => {
    render(
      view(tasks, failure, (answer) => draw(isFailure(answer) ? answer : null)),
      card,
    );
    if (isAwaited && card.checkVisibility()) focusStart();
  };
  // It is drawn when it appears: while a layout is restored, the panels that commands look at aren't in the document.
  new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && draw()).observe(card);
  tasks.onModel(() => card.checkVisibility() && draw());
  return card;
}

/** True while the field waits for a model to get the focus. */
let isAwaited = false;

/**
 * Focus the task field of a visible card, once a model is connected.
 * @returns false if there is none
 */
export function focusStart(): boolean {
  const field = document.querySelector(".start-card #start-task");
  if (!(field instanceof HTMLInputElement) || !field.checkVisibility()) return false;
  isAwaited = field.disabled;
  field.focus();
  return true;
}

function view(tasks: Tasks, failure: Failure | null, done: (answer: unknown) => void) {
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const task = String(new FormData(event.currentTarget).get("task")).trim();
    if (task !== "") done(await tasks.start(task));
  };
  const steps = STEPS.flatMap((id) => commands.available.filter((command) => command.id === id));
  return html`
    <h2 id="start-title">What would you like to do?</h2>
    <form @submit=${submit}>
      <input id="start-task" name="task" type="text" aria-label="Task for an agent" placeholder="Describe a task for an agent"
        autocomplete="off" ?disabled=${!tasks.hasModel()}>
      ${
        tasks.hasModel()
          ? html`<button type="submit" class="primary">Start</button>`
          : html`<button type="button" class="primary" id="start-demo" @click=${async () => done(await tasks.demo())}>See a demo</button>`
      }
    </form>
    ${
      tasks.hasModel()
        ? nothing
        : html`<p class="muted">No language model is connected yet. In the demo, a script plays the
      model.</p>`
    }
    <p class="problem" role="alert" ?hidden=${failure === null}>${failure?.error.message}</p>
    <ul>${steps.map(({ id, title, run }) => html`<li><button type="button" value=${id} @click=${run}>${title}</button></li>`)}</ul>`;
}
