/**
 * One step of a run: the model's thought, its calls with their results, and screenshots before and after. All of it may
 * be untrusted, so it is shown as text.
 */

import { html, nothing } from "lit";
import type { RunCallRow, RunStepRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { clock, counted, duration, firstLine, fullTime, indented, oneLine } from "../../lib/format.ts";
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

export function stepView(
  step: RunStepRow,
  open: boolean,
  screenshots: { before: string | null; after: string | null },
  toggle: (open: boolean) => void,
) {
  const failed = step.calls.some((call) => call.failed);
  return html`<details class="agent-step" data-step=${step.number} data-failed=${failed} ?open=${open}
    @toggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => toggle(currentTarget.open)}>
    <summary><span class="agent-number">${step.number}</span><span class="agent-brief">${
      failed
        ? html`<span class="agent-failed">failed
      </span>`
        : nothing
    }${briefOf(step)}</span><span class="agent-time">${duration(step.seconds * 1000)}</span></summary>
    ${open ? inside(step, screenshots) : nothing}</details>`;
}

function briefOf({ calls, text, thought }: RunStepRow) {
  return calls.length > 0 ? calls.map(({ tool }) => tool).join(", ") : firstLine(text || thought || "nothing", BRIEF);
}

function inside(step: RunStepRow, { before, after }: { before: string | null; after: string | null }) {
  const { thought, text, calls, notes, usage, cost, started } = step;
  const facts = [counted(usage.input + usage.output, "token"), money(cost)].filter((fact) => fact !== null).join(" · ");
  return html`<div class="agent-inside">
    ${thought === "" ? nothing : html`<p class="agent-thought"><span class="visually-hidden">Thought: </span>${thought}</p>`}
    ${text === "" ? nothing : html`<p class="agent-text">${text}</p>`}
    ${calls.map(callView)}
    ${notes.map((note) => html`<p class="agent-message"><span class="muted">Sent to the model:</span> ${note}</p>`)}
    ${before || after ? html`<div class="agent-pictures">${figure("Before", before)}${figure("After", after)}</div>` : nothing}
    <p class="muted"><time datetime=${started} title=${fullTime(started)}>${clock(started)}</time> · ${facts}</p></div>`;
}

function callView({ tool, arguments: given, result, failed, refused, origins, seconds }: RunCallRow) {
  const outcome = refused ? "Refused" : failed ? "Error" : "Result";
  return html`<div class="agent-call" role="group" data-tool=${tool} data-failed=${failed} aria-label="Call to ${tool}">
    <p><b>${tool}</b> <span class="muted">${duration(seconds * 1000)}</span></p>
    <pre tabindex="0" aria-label="Arguments of ${tool}">${indented(given)}</pre>
    ${origins.map(
      ({
        argument,
        text,
        origin,
      }) => html`<p class="agent-message"><span class="muted">${argument} contains text from ${origin}:</span>
      ${oneLine(text, BRIEF)}</p>`,
    )}
    <p class=${failed ? "agent-failed" : "muted"}>${outcome}</p>
    <pre tabindex="0" aria-label="${outcome} of ${tool}">${indented(result)}</pre></div>`;
}

function figure(name: string, source: string | null) {
  if (!source) return nothing;
  return html`<figure><figcaption>${name}</figcaption><img src=${source} alt="The page ${name.toLowerCase()} the step"></figure>`;
}
