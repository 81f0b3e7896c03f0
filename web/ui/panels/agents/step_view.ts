/**
 * One step of a run: a sentence for each call. It opens to the model's thought, the calls' changes or output, and
 * screenshots before and after; the raw calls are one press away. All of it may be untrusted, so it is shown as text.
 */

import { html, nothing } from "lit";
import { ref } from "lit/directives/ref.js";
import type { RunCallRow, RunStepRow, SaidRow, ShownRow } from "../../../generated/types.ts";
import { shown } from "../../consent/text.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { clock, counted, duration, firstLine, fullTime, indented, oneLine } from "../../lib/format.ts";
import { money } from "./labels.ts";

const BRIEF = 120;
/** Facts such as +12 −3 aren't broken into lines. */
const SHORT_FACTS = 16;

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

/** Show what a call does as a sentence. Its object and facts may be text from outside. */
export function sentence({ verb, object, facts }: SaidRow, failed = false) {
  return html`<span class="agent-sentence" data-failed=${failed}><span>${verb}</span>${
    object === "" ? nothing : html` <bdi class="agent-object">${shown(object)}</bdi>`
  }${facts === "" ? nothing : html`<span class="agent-came">, <bdi class=${facts.length <= SHORT_FACTS ? "short" : ""}>${shown(facts)}</bdi></span>`}</span>`;
}

function inside(
  step: RunStepRow,
  isAnswer: boolean,
  { before, after }: { before: string | null; after: string | null },
  callbacks: StepCallbacks,
) {
  const { thought, text, calls, notes, usage, cost, started } = step;
  const facts = [counted(usage.input + usage.output, "token"), money(cost)].filter((fact) => fact !== null).join(" · ");
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
  const { tool, said, shown: parts, failed, origins, terminal } = call;
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
    ${rawView(call)}</div>`;
}

/** The call as the model wrote it, and its result as the model got it. */
function rawView({ tool, arguments: given, result, failed, refused, seconds }: RunCallRow) {
  const outcome = refused ? "Refused" : failed ? "Error" : "Result";
  return html`<details class="agent-raw"><summary>Raw call</summary>
    <p><b>${tool}</b> <span class="muted">${duration(seconds * 1000)}</span></p>
    <pre tabindex="0" aria-label="Arguments of ${tool}">${indented(given)}</pre>
    <p class=${failed ? "agent-failed" : "muted"}>${outcome}</p>
    <pre tabindex="0" aria-label="${outcome} of ${tool}">${indented(result)}</pre></details>`;
}

function partView({ kind, title, text }: ShownRow) {
  const heading = title === "" ? nothing : html`<p class="muted">${shown(title)}</p>`;
  if (kind === "difference") return html`${heading}${difference(text, title)}`;
  if (kind === "text") return html`${heading}<pre tabindex="0" aria-label=${title || "Output"}>${shown(text)}</pre>`;
  return html`${heading}<p class=${kind === "problem" ? "agent-failed agent-text" : "agent-text"}>${shown(text)}</p>`;
}

/** of the lines before a change that stay in view */
const ABOVE_PX = 24;

const CHANGES: Record<string, [kind: string, words: string]> = {
  "+": ["added", "added: "],
  "-": ["removed", "removed: "],
  "@": ["place", ""],
};

/** Show the lines of a difference, which begin with a plus, a minus or a space. */
function difference(text: string, path: string) {
  return html`<div class="agent-difference" role="group" tabindex="0" aria-label="Changes of ${path}" ${ref(showFirstChange)}>${text
    .split("\n")
    .map((line) => {
      const [kind, words] = CHANGES[line[0]] ?? ["same", ""];
      return html`<div data-line=${kind}>${words === "" ? nothing : html`<span class="visually-hidden">${words}</span>`}${shown(line.slice(1))}</div>`;
    })}</div>`;
}

/** Scroll a new difference to its first change, which the lines before it may hide. */
function showFirstChange(box?: Element) {
  if (box)
    requestAnimationFrame(() => {
      const change = box.querySelector("[data-line=added], [data-line=removed]");
      if (change) box.scrollTop += change.getBoundingClientRect().top - box.getBoundingClientRect().top - ABOVE_PX;
    });
}

function figure(name: string, source: string | null) {
  if (!source) return nothing;
  return html`<figure><figcaption>${name}</figcaption><img src=${source} alt="The page ${name.toLowerCase()} the step"></figure>`;
}
