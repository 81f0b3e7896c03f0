/**
 * The settings of language models: the list, the default, sampling, limits and custom instructions; and the dialog that
 * connects one.
 */

import { expect } from "../../lib/elements.ts";
import { html, nothing, render } from "lit";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ModelChoiceRow, ModelsRow } from "../../../generated/types.ts";
import type { CompanionLink } from "../../companion/link.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { duration } from "../../lib/format.ts";
import { Attempts } from "../settings/attempts.ts";
import type { Failure, State } from "../../state/types.ts";
import { EmbeddingSettings } from "./embedding.ts";
import { loadingView } from "./loading.ts";
import { CEILING, ceiling } from "../../state/model_tickets.ts";

const PROMPT = "model-prompt";
const AGENT = "model-agent";

export { ModelDialog } from "./dialog.ts";

export class ModelSettings {
  #attempts = new Attempts(() => this.#draw());
  #embedding: EmbeddingSettings;
  #state: State | null = null;
  place: HTMLElement;
  actions: Actions;
  connect: () => unknown;

  /** @param connect - opens the dialog */
  constructor(place: HTMLElement, actions: Actions, link: CompanionLink, connect: () => unknown) {
    this.place = place;
    this.actions = actions;
    this.connect = connect;
    this.#embedding = new EmbeddingSettings(actions, link, this.#attempts, () => this.#draw());
    void actions.refreshModels();
  }

  render(state: State) {
    this.#state = state;
    this.#draw();
  }

  get #models() {
    // Nothing is drawn before there is a state.
    return this.#state?.models as ModelsRow;
  }

  #draw() {
    if (!this.#state) return;
    const { choices, chosen, why } = this.#models;
    render(
      html`
      ${chosen === null && why ? html`<p id="models-why">${why}</p>` : nothing}
      ${loadingView(this.#models)}
      ${
        choices.length === 0
          ? nothing
          : html`<ul class="rows" id="models" aria-labelledby="own-models-title">
        ${repeatBy(choices, "id", (choice) => this.#row(choice))}</ul>`
      }
      <div class="buttons">${this.#attempts.button("Connect a model…", () => this.connect(), { style: choices.length === 0 ? "primary" : "" })}</div>
      ${choices.length === 0 ? nothing : this.#agents()}
      ${this.#embedding.view(this.#models)}
      ${this.#ceiling()}
      ${this.#prompt()}`,
      this.place,
    );
  }

  #row(choice: ModelChoiceRow) {
    const { id, label, ready, why } = choice;
    const { default: defaultId } = this.#models;
    const what = `model-${id}`;
    const isDefault = id === defaultId;
    return html`<li data-model=${id}><div>
      <b>${label}</b>
      ${isDefault ? html`<span class="chip good">default</span>` : nothing}
      ${ready ? nothing : html`<span class="chip warning">not ready</span>`}
      ${why ? html`<p class="muted">${why}</p>` : nothing}
      <div class="buttons">
        ${
          isDefault
            ? nothing
            : this.#attempts.button(
                "Set as default",
                () => this.#do(what, this.actions.chooseModel({ id, agent: null }), "Set as default."),
                { of: what, name: `Set as default: ${label}` },
              )
        }
        ${this.#attempts.button("Try", () => this.#try(what, id), { of: what, name: `Try ${label}` })}
        ${this.#attempts.button("Remove", () => this.#remove(id), { name: `Remove ${label}` })}
      </div>
      ${this.#sampling(choice, what)}
      ${this.#attempts.outcome(what)}
    </div></li>`;
  }

  #sampling(
    { id, label, provider, sampling: { temperature, top_p, max_tokens, effort } }: ModelChoiceRow,
    what: string,
  ) {
    // The browser's own model takes none of them.
    if (provider === "builtin") return nothing;
    const own = [temperature, top_p, max_tokens, effort].filter((each) => each !== null).length;
    return html`<details class="model-sampling"><summary>Sampling${own ? ` (${own} set)` : ""}</summary>
      <form class="limits" aria-label="Sampling of ${label}" @submit=${(event: Event) => event.preventDefault()}>
        <label>Temperature <input name="temperature" type="number" min="0" max="2" step="any" placeholder="provider’s" .value=${text(temperature)}></label>
        <label>Top p <input name="top_p" type="number" min="0" max="1" step="any" placeholder="provider’s" .value=${text(top_p)}></label>
        <label>Most tokens of an answer <input name="max_tokens" type="number" min="1" step="1" placeholder="provider’s" .value=${text(max_tokens)}></label>
        <label>Reasoning effort <select name="effort">${["", "minimal", "low", "medium", "high"].map(
          (value) => html`
          <option value=${value} ?selected=${value === (effort ?? "")}>${value || "provider’s"}</option>`,
        )}</select></label>
        ${this.#attempts.button("Save", () => this.#tune(what, id), { of: what, name: `Save the sampling of ${label}` })}
      </form></details>`;
  }

  #tune(what: string, id: string) {
    const row = expect(this.place.querySelector(`[data-model="${CSS.escape(id)}"]`), HTMLElement);
    const number = (name: string) => (field(row, name) === "" ? null : Number(field(row, name)));
    const sampling = {
      temperature: number("temperature"),
      top_p: number("top_p"),
      max_tokens: number("max_tokens"),
      effort: field(row, "effort") || null,
    };
    return this.#do(what, this.actions.tuneModel({ id, ...sampling }), "Saved. Applies to the next request.");
  }

  #agents() {
    const { agents, choices } = this.#models;
    const options = (selected: string | null) =>
      choices.map(({ id, label }) => html`<option value=${id} ?selected=${id === selected}>${label}</option>`);
    return html`<details class="model-agents"><summary>Models for individual agents</summary>
      <p class="muted">Use the name that the agent was started with: chats are “chat”, the Agent panel is “agent”.</p>
      <ul class="rows" aria-label="Models for individual agents">${Object.entries(agents).map(
        ([agent, id]) => html`<li>
        <span><b>${agent}</b> uses ${choices.find((choice) => choice.id === id)?.label ?? id}</span>
        ${this.#attempts.button(
          "Reset to default",
          () => this.#do(AGENT, this.actions.chooseModel({ id: null, agent }), `${agent} now uses the default.`),
          { of: AGENT, name: `Reset to default for ${agent}` },
        )}</li>`,
      )}</ul>
      <form id="model-agent-form" aria-label="Model of an agent" @submit=${(event: Event) => event.preventDefault()}>
        <label>Agent <input name="agent" maxlength="300" autocomplete="off"></label>
        <label>Model <select name="id">${options(null)}</select></label>
        ${this.#attempts.button("Set", () => this.#setAgent(), { of: AGENT, name: "Set the agent’s model" })}
      </form>
      ${this.#attempts.outcome(AGENT)}</details>`;
  }

  #ceiling() {
    if (this.#models.providers.length === 0) return nothing;
    const { dollars, tokens, requests } = ceiling();
    return html`<form id="model-ceiling-form" aria-label="Limits per run or chat" @submit=${(event: Event) => event.preventDefault()}>
      <p class="muted">Each run or chat that you start may use this much of the companion’s models. Beyond it, you are asked.
        The dollar limit applies if the price is known, which it isn’t for servers on this computer.</p>
      <label>Dollars <input name="dollars" type="number" min="0.01" max="10000" step="any" .value=${String(dollars)}></label>
      <label>Tokens <input name="tokens" type="number" min="1" max="1000000000" .value=${String(tokens)}></label>
      <label>Requests <input name="requests" type="number" min="1" max="1000000000" .value=${String(requests)}></label>
      <div class="buttons">${this.#attempts.button("Save limits", () => this.#setCeiling(), { of: CEILING, name: "Save limits" })}</div>
      ${this.#attempts.outcome(CEILING)}
    </form>`;
  }

  #setCeiling() {
    const [dollars, tokens, requests] = ["dollars", "tokens", "requests"].map((name) =>
      Number(field(this.place, name)),
    );
    const whole = [tokens, requests].every((each) => Number.isInteger(each) && each >= 1);
    if (!(dollars > 0 && whole)) {
      return this.#attempts.fail(CEILING, {
        type: "InvalidArguments",
        message: "Enter numbers above 0; tokens and requests must be whole numbers.",
      });
    }
    return this.#do(
      CEILING,
      this.actions.setCeiling({ dollars, tokens, requests }),
      "Saved. Applies to the next run or chat.",
    );
  }

  #prompt() {
    return html`<form id="model-prompt-form" aria-label="Custom instructions" @submit=${(event: Event) => event.preventDefault()}>
      <label>Custom instructions
        <textarea name="prompt" rows="3" maxlength="20000" placeholder="Answer in French. Never use semicolons." .value=${this.#models.prompt}></textarea></label>
      <div class="buttons">${this.#attempts.button(
        "Save",
        () =>
          this.#do(
            PROMPT,
            this.actions.instructModels({ text: field(this.place, "prompt") }),
            "Saved. Applies to the next task.",
          ),
        { of: PROMPT, name: "Save instructions" },
      )}</div>
      ${this.#attempts.outcome(PROMPT)}
    </form>`;
  }

  #try(what: string, id: string) {
    return this.#attempts.follow(
      what,
      "Testing…",
      this.actions.tryModel({ id }),
      ({ text, ms }) => `Responded “${text}” in ${duration(ms)}.`,
    );
  }

  async #remove(id: string) {
    const removed = await this.actions.removeModel({ id });
    if (isFailure(removed)) this.#attempts.fail(`model-${id}`, removed.error);
    // The focused button was removed.
    else this.place.querySelector<HTMLElement>(`[data-does="Connect a model…"]`)?.focus();
  }

  #setAgent() {
    const agent = field(this.place, "agent").trim();
    if (agent === "")
      return this.#attempts.fail(AGENT, { type: "InvalidArguments", message: "Enter the agent’s name, such as chat." });
    return this.#do(AGENT, this.actions.chooseModel({ id: field(this.place, "id"), agent }), `${agent} now uses it.`);
  }

  /** @param done - the message for success */
  #do(what: string, asked: Promise<unknown>, done: string) {
    return this.#attempts.follow(what, "…", asked as Promise<object | Failure>, () => done);
  }
}

const text = (value: number | null) => (value === null ? "" : String(value));

function field(place: HTMLElement, name: string) {
  const found = place.querySelector(`[name="${name}"]`);
  return found instanceof HTMLInputElement || found instanceof HTMLSelectElement || found instanceof HTMLTextAreaElement
    ? found.value
    : "";
}
