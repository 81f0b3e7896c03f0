/**
 * One step of a run: a sentence for each call. It opens to the model's thought, the calls' changes or output, and
 * screenshots before and after; the raw calls are one press away. All of it may be untrusted, so it is shown as text.
 */

import { html, nothing } from "lit";
import type { RunCallRow, RunStepRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { clock, counted, duration, firstLine, fullTime, oneLine } from "../../lib/format.ts";
import { partView, rawView, sentence } from "../call_view.ts";
import { money } from "./labels.ts";

const BRIEF = 120;

/** Screenshots of steps, read when they are first shown. */
export class Screenshots {
  /** URLs by number; null while loading, empty if unavailable. */
  #known = new Map<number, string | null>();
  actions: Actions;
  draw: () => void;

  constructor(actions: Actions, draw: () => void) {
    this.actions = actions;
    this.draw = draw;
  }

  /** @returns its URL once loaded */
  get(number: number | null): string | null {
    if (number === null) return null;
    if (!this.#known.has(number)) void this.#read(number);
    return this.#known.get(number) ?? null;
  }

  async #read(number: number) {
    this.#known.set(number, null);
    const screenshot = await this.actions.runPicture({ picture: number });
    this.#known.set(number, isFailure(screenshot) ? "" : `data:image/jpeg;base64,${screenshot.data}`);
    this.draw();
  }
}

interface StepCallbacks {
  toggle: (open: boolean) => void;
  /** shows a terminal */
  showTerminal: (id: string) => unknown;
}

/** @param isAnswer - whether the step's text is the answer, which is shown below the steps */
export function stepView(
  step: RunStepRow,
  open: boolean,
  { isAnswer, ...screenshots }: { isAnswer: boolean; before: string | null; after: string | null },
  callbacks: StepCallbacks,
) {
  const failed = step.calls.some((call) => call.failed);
  return html`<details class="agent-step" data-step=${step.number} data-failed=${failed} ?open=${open}
    @toggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => callbacks.toggle(currentTarget.open)}>
    <summary><span class="agent-number">${step.number}</span><span class="agent-brief">${briefOf(step, isAnswer)}</span
    ><span class="agent-time">${duration(step.seconds * 1000)}</span></summary>
    ${open ? inside(step, isAnswer, screenshots, callbacks) : nothing}</details>`;
}

function briefOf({ calls, notes, text, thought }: RunStepRow, isAnswer: boolean) {
  if (calls.length > 0)
    return html`${calls.map((call) => sentence(call.said, call.failed))}${notes.map(
      (note) => html`<span class="agent-warning">${firstLine(note, BRIEF)}</span>`,
    )}`;
  return isAnswer ? "Answered" : firstLine(text || thought || "Said nothing", BRIEF);
}

function inside(
  step: RunStepRow,
  isAnswer: boolean,
  { before, after }: { before: string | null; after: string | null },
  callbacks: StepCallbacks,
) {
  const { thought, text, calls, notes, usage, cost, started, first_s: first, speed } = step;
  const facts = [
    counted(usage.input + usage.output, "token"),
    money(cost),
    first === null ? null : `first word after ${duration(first * 1000)}`,
    speed === null ? null : `${speed.toLocaleString()} tokens a second`,
  ]
    .filter((fact) => fact !== null)
    .join(" · ");
  return html`<div class="agent-inside">
    ${thought === "" ? nothing : html`<p class="agent-thought"><span class="visually-hidden">Thought: </span>${thought}</p>`}
    ${text === "" || isAnswer ? nothing : html`<p class="agent-text">${text}</p>`}
    ${isAnswer ? html`<p class="muted">The answer is below.</p>` : nothing}
    ${calls.map((call) => callView(call, calls.length > 1, callbacks))}
    ${before || after ? html`<div class="agent-pictures">${figure("Before", before)}${figure("After", after)}</div>` : nothing}
    ${notes.map((note) => html`<p class="agent-message"><span class="muted">Sent to the model:</span> ${note}</p>`)}
    <p class="muted"><time datetime=${started} title=${fullTime(started)}>${clock(started)}</time> · ${facts}</p></div>`;
}

/** @param isOneOfMany - whether the step has other calls */
function callView(call: RunCallRow, isOneOfMany: boolean, { showTerminal }: StepCallbacks) {
  const { tool, said, shown: parts, result, failed, refused, seconds, origins, terminal } = call;
  return html`<div class="agent-call" role="group" data-tool=${tool} data-failed=${failed} aria-label="Call to ${tool}">
    ${isOneOfMany ? html`<p>${sentence(said, failed)}</p>` : nothing}
    ${parts.map(partView)}
    ${origins.map(
      ({
        argument,
        text,
        origin,
      }) => html`<p class="agent-message"><span class="muted">${argument} contains text from ${origin}:</span>
      ${oneLine(text, BRIEF)}</p>`,
    )}
    ${
      terminal === null
        ? nothing
        : html`<p><button type="button" class="quiet" data-action="focus_terminal"
      @click=${() => showTerminal(terminal)}>Show ${terminal}</button></p>`
    }
    ${rawView(tool, { given: call.arguments, result, outcome: refused ? "Refused" : failed ? "Error" : "Result", took: seconds * 1000 })}</div>`;
}

function figure(name: string, source: string | null) {
  if (!source) return nothing;
  return html`<figure><figcaption>${name}</figcaption><img src=${source} alt="The page ${name.toLowerCase()} the step"></figure>`;
}
