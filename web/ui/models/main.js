/**
 * The settings of language models: the list, the default, adding models, limits and custom instructions.
 *
 * @import { Failure, State } from "../types.js"
 * @import { Actions } from "../actions.js"
 * @import { ListModelsGiven, ModelChoiceRow, ModelsRow } from "../../generated/types.js"
 */

import { html, nothing, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { isFailure } from "../call.js";
import { duration } from "../format.js";
import { Attempts } from "../settings/attempts.js";
import { download } from "./builtin.js";
import { loadingView } from "./loading.js";
import { CEILING, ceiling } from "./tickets.js";

const ADD = "model-add";
const PROMPT = "model-prompt";
const AGENT = "model-agent";
const BUILTIN = "builtin";
const OWN = "own";

export class ModelSettings {
  #attempts = new Attempts(() => this.#draw());
  /** @type {State | null} */
  #state = null;
  /** The provider selected in the form. @type {string | null} */
  #provider = null;
  /** The model names that the provider listed. @type {string[]} */
  #names = [];

  /** @param {HTMLElement} place @param {Actions} actions */
  constructor(place, actions) {
    this.place = place;
    this.actions = actions;
    void actions.refreshModels();
  }

  /** @param {State} state */
  render(state) {
    this.#state = state;
    this.#draw();
  }

  get #models() {
    return /** @type {ModelsRow} */ (this.#state?.models);
  }

  #draw() {
    if (!this.#state) return;
    const { choices, chosen, why } = this.#models;
    render(html`
      ${chosen === null && why ? html`<p id="models-why">${why}</p>` : nothing}
      ${loadingView(this.#models)}
      ${choices.length === 0 ? nothing : html`<ul class="rows" id="models" aria-labelledby="own-models-title">
        ${repeat(choices, ({ id }) => id, (choice) => this.#row(choice))}</ul>`}
      ${this.#form()}
      ${choices.length === 0 ? nothing : this.#agents()}
      ${this.#ceiling()}
      ${this.#prompt()}`, this.place);
  }

  /** @param {ModelChoiceRow} choice */
  #row({ id, label, provider, ready, why }) {
    const { default: defaultId, builtin } = this.#models;
    const what = `model-${id}`;
    const isDefault = id === defaultId;
    return html`<li data-model=${id}><div>
      <b>${label}</b>
      ${isDefault ? html`<span class="chip good">default</span>` : nothing}
      ${ready ? nothing : html`<span class="chip warning">not ready</span>`}
      ${why ? html`<p class="muted">${why}</p>` : nothing}
      <div class="buttons">
        ${isDefault ? nothing : this.#attempts.button("Set as default", () => this.#do(what, this.actions.chooseModel({ id, agent: null }), "Set as default."),
          { of: what, name: `Set as default: ${label}` })}
        ${provider === BUILTIN && builtin === "downloadable" ? this.#attempts.button("Download", () => this.#download(what), { of: what, name: `Download ${label}` }) : nothing}
        ${this.#attempts.button("Try", () => this.#try(what, id), { of: what, name: `Try ${label}` })}
        ${this.#attempts.button("Remove", () => this.#remove(id), { name: `Remove ${label}` })}
      </div>
      ${this.#attempts.outcome(what)}
    </div></li>`;
  }

  #form() {
    const { providers, builtin } = this.#models;
    const provider = this.#provider ?? providers.find(({ ready }) => ready)?.name ?? OWN;
    const selected = providers.find(({ name }) => name === provider);
    return html`<form id="model-form" aria-label="Add a model" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <h4>Add a model</h4>
      <label>Provider <select name="provider" .value=${provider} @change=${this.#change}>
        ${providers.map(({ name, ready }) => html`<option value=${name} ?selected=${name === provider}>${name}${ready ? "" : " (not ready)"}</option>`)}
        <option value=${OWN} ?selected=${provider === OWN}>Custom URL</option>
        <option value=${BUILTIN} ?selected=${provider === BUILTIN}>Browser’s own model</option>
      </select></label>
      ${selected?.why ? html`<p class="muted">${selected.why}</p>` : nothing}
      ${provider === OWN ? customFields() : nothing}
      ${provider === BUILTIN ? html`<p class="muted">${BUILTIN_STATUS[builtin] ?? ""}</p>` : html`
        <label>Model <input name="model" class="mono" list="model-names" autocomplete="off" spellcheck="false" maxlength="300"></label>
        <datalist id="model-names">${this.#names.map((name) => html`<option value=${name}></option>`)}</datalist>`}
      <div class="buttons">
        ${this.#attempts.button("Add", () => this.#add(), { of: ADD, name: "Add model", style: "primary" })}
        ${provider === BUILTIN ? nothing : this.#attempts.button("List models", () => this.#list(), { of: ADD })}
      </div>
      ${this.#attempts.outcome(ADD)}
    </form>`;
  }

  #change = (/** @type {{currentTarget: HTMLSelectElement}} */ { currentTarget }) => {
    this.#provider = currentTarget.value;
    this.#names = [];
    this.#attempts.report(ADD, "");
  };

  #agents() {
    const { agents, choices } = this.#models;
    const options = (/** @type {string | null} */ selected) => choices.map(({ id, label }) => html`<option value=${id} ?selected=${id === selected}>${label}</option>`);
    return html`<details class="model-agents"><summary>Models for individual agents</summary>
      <p class="muted">Use the name that the agent was started with: chats are “chat”, the Agent panel is “agent”.</p>
      <ul class="rows" aria-label="Models for individual agents">${Object.entries(agents).map(([agent, id]) => html`<li>
        <span><b>${agent}</b> uses ${choices.find((choice) => choice.id === id)?.label ?? id}</span>
        ${this.#attempts.button("Reset to default", () => this.#do(AGENT, this.actions.chooseModel({ id: null, agent }), `${agent} now uses the default.`),
          { of: AGENT, name: `Reset to default for ${agent}` })}</li>`)}</ul>
      <form id="model-agent-form" aria-label="Model of an agent" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
        <label>Agent <input name="agent" maxlength="300" autocomplete="off"></label>
        <label>Model <select name="id">${options(null)}</select></label>
        ${this.#attempts.button("Set", () => this.#setAgent(), { of: AGENT, name: "Set the agent’s model" })}
      </form>
      ${this.#attempts.outcome(AGENT)}</details>`;
  }

  #ceiling() {
    if (this.#models.providers.length === 0) return nothing;
    const { dollars, tokens, requests } = ceiling();
    return html`<form id="model-ceiling-form" aria-label="Limits per run or chat" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <p class="muted">Start and Send allow the companion’s models this much for each run or chat. Beyond it, you are asked.
        The dollar limit applies if the price is known, which it isn’t for servers on this computer.</p>
      <label>Dollars <input name="dollars" type="number" min="0.01" max="10000" step="any" .value=${String(dollars)}></label>
      <label>Tokens <input name="tokens" type="number" min="1" max="1000000000" .value=${String(tokens)}></label>
      <label>Requests <input name="requests" type="number" min="1" max="1000000000" .value=${String(requests)}></label>
      <div class="buttons">${this.#attempts.button("Set", () => this.#setCeiling(), { of: CEILING, name: "Set the limits" })}</div>
      ${this.#attempts.outcome(CEILING)}
    </form>`;
  }

  #setCeiling() {
    const [dollars, tokens, requests] = ["dollars", "tokens", "requests"].map((name) => Number(field(this.place, name)));
    const whole = [tokens, requests].every((each) => Number.isInteger(each) && each >= 1);
    if (!(dollars > 0 && whole)) {
      return this.#attempts.fail(CEILING, { type: "InvalidArguments", message: "Enter numbers above 0; tokens and requests must be whole numbers." });
    }
    return this.#do(CEILING, this.actions.setCeiling({ dollars, tokens, requests }), "Saved. Applies to the next run or chat.");
  }

  #prompt() {
    return html`<form id="model-prompt-form" aria-label="Custom instructions" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label>Custom instructions
        <textarea name="prompt" rows="3" maxlength="20000" placeholder="Answer in French. Never use semicolons." .value=${this.#models.prompt}></textarea></label>
      <div class="buttons">${this.#attempts.button("Save", () => this.#do(PROMPT, this.actions.instructModels({ text: field(this.place, "prompt") }), "Saved. Applies to the next task."),
        { of: PROMPT, name: "Save instructions" })}</div>
      ${this.#attempts.outcome(PROMPT)}
    </form>`;
  }

  /** @returns {ListModelsGiven} */
  #where() {
    const provider = field(this.place, "provider");
    if (provider !== OWN) return { provider };
    const key = field(this.place, "key");
    return { provider, base_url: field(this.place, "base_url"), api: field(this.place, "api"), ...(key === "" ? {} : { key }) };
  }

  async #add() {
    const model = field(this.place, "model");
    const place = this.#where();
    const added = await this.#attempts.follow(ADD, "Adding…", this.actions.addModel({ ...place, model }), ({ id }) => `Added ${id}.`);
    if (!added) return;
    for (const name of ["model", "key"]) clear(this.place, name);
    if (place.provider === BUILTIN) void this.actions.refreshModels();
  }

  #list() {
    return this.#attempts.follow(ADD, "Loading…", this.actions.listModels(this.#where()), ({ models }) => {
      this.#names = models;
      return models.length === 0 ? "No models." : `${models.length} available: ${models.slice(0, 8).join(", ")}${models.length > 8 ? ", …" : ""}`;
    });
  }

  /** @param {string} what @param {string} id */
  #try(what, id) {
    return this.#attempts.follow(what, "Testing…", this.actions.tryModel({ id }),
      ({ text, ms }) => `Responded “${text}” in ${duration(ms)}.`);
  }

  /** @param {string} id */
  async #remove(id) {
    const removed = await this.actions.removeModel({ id });
    if (isFailure(removed)) this.#attempts.fail(`model-${id}`, removed.error);
    // The focused button was removed.
    else this.place.querySelector("select")?.focus();
  }

  #setAgent() {
    const agent = field(this.place, "agent").trim();
    if (agent === "") return this.#attempts.fail(AGENT, { type: "InvalidArguments", message: "Enter the agent’s name, such as chat." });
    return this.#do(AGENT, this.actions.chooseModel({ id: field(this.place, "id"), agent }), `${agent} now uses it.`);
  }

  /** @param {string} what */
  async #download(what) {
    const downloading = download((fraction) => this.#attempts.report(what, `Downloading: ${Math.round(fraction * 100)} %`))
      .then(() => ({}), (error) => ({ isError: /** @type {const} */ (true), error: { type: "NotDownloaded", message: String(error) } }));
    await this.#attempts.follow(what, "Downloading…", /** @type {Promise<object | Failure>} */ (downloading), () => "Downloaded.");
    void this.actions.refreshModels();
  }

  /** @param {string} what @param {Promise<unknown>} asked @param {string} done the message for success */
  #do(what, asked, done) {
    return this.#attempts.follow(what, "…", /** @type {Promise<object | Failure>} */ (asked), () => done);
  }
}

/** @type {Record<string, string>} */
const BUILTIN_STATUS = {
  available: "Runs on this computer and needs no key.",
  downloadable: "The browser must download it first. Add it, then press Download.",
  downloading: "The browser is downloading it.",
  unavailable: "This browser has no model, or this computer doesn’t meet its requirements.",
  missing: "This browser has no model.",
};

function customFields() {
  return html`
    <label>API <select name="api"><option value="openai">OpenAI (Ollama, LM Studio, vLLM and most others)</option>
      <option value="anthropic">Anthropic</option></select></label>
    <label>Base URL <input name="base_url" class="mono" type="url" placeholder="http://127.0.0.1:11434/v1" autocomplete="off" spellcheck="false" maxlength="300"></label>
    <label>API key (this visit only) <input name="key" class="mono" type="password" autocomplete="off" spellcheck="false" maxlength="4096"></label>
    <p class="muted">The server must allow requests from this page (CORS). To save a key, use the companion.</p>`;
}

/** @param {HTMLElement} place @param {string} name */
function field(place, name) {
  const found = place.querySelector(`[name="${name}"]`);
  return found instanceof HTMLInputElement || found instanceof HTMLSelectElement || found instanceof HTMLTextAreaElement ? found.value : "";
}

/** @param {HTMLElement} place @param {string} name */
function clear(place, name) {
  const found = place.querySelector(`[name="${name}"]`);
  if (found instanceof HTMLInputElement) found.value = "";
}
