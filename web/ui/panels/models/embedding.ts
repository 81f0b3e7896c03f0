/** The setting of the model for embeddings, by which memories and files are found by meaning. */

import { expect } from "../../lib/elements.ts";
import { html, nothing } from "lit";
import type { ModelsRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { counted, duration } from "../../lib/format.ts";
import type { CompanionLink } from "../../companion/link.ts";
import type { FoundEmbeddings } from "../../companion/types.ts";
import type { Failure } from "../../state/types.ts";
import type { Attempts } from "../settings/attempts.ts";

const EMBEDDING = "model-embedding";
const OWN = "own";
const DEVICE = "device";
const ON_DEVICE = "model-embedding-device";
// What it takes to be downloaded, compressed.
const SIZE = "24 MB";
// A server that isn't connected for chats.
const ADDRESS = "address";

type Source = { provider: string; base_url?: string; label: string };

export class EmbeddingSettings {
  /** The selected source, as JSON; null for the setting's. */
  #selected: string | null = null;
  #names: string[] = [];
  /** The server at the typed address. */
  #found: FoundEmbeddings | null = null;
  actions: Actions;
  link: CompanionLink;
  attempts: Attempts;
  draw: () => void;

  constructor(actions: Actions, link: CompanionLink, attempts: Attempts, draw: () => void) {
    this.actions = actions;
    this.link = link;
    this.attempts = attempts;
    this.draw = draw;
  }

  view(models: ModelsRow) {
    const { embedding } = models;
    const sources = sourcesOf(models);
    const hasProvider =
      sources.length > 0 || models.providers.length > 0 || (embedding !== null && embedding.provider !== DEVICE);
    if (!hasProvider && embedding === null && !models.device) return nothing;
    const current =
      embedding === null || embedding.provider === DEVICE
        ? ""
        : sourceId({ provider: embedding.provider, base_url: embedding.base_url || undefined });
    const selected = this.#selected ?? current;
    return html`<details class="model-embedding" ?open=${embedding !== null}><summary>Search by meaning${
      embedding === null ? " (off)" : ""
    }</summary>
      ${models.device || embedding?.provider === DEVICE ? this.#device(embedding) : nothing}
      ${hasProvider ? this.#provider(models, sources, selected) : nothing}
      </details>`;
  }

  /** The model on this computer. */
  #device(embedding: ModelsRow["embedding"]) {
    const isOn = embedding?.provider === DEVICE;
    return html`<p class="muted">A small English model on this computer finds memories and files that mean the same in other words. No text
        leaves the computer, and once it is downloaded it works without a network. Text in other languages is found by its
        words. Hidden files and files of keys and passwords aren't read.</p>
      ${isOn && embedding.why ? html`<p class="muted">${embedding.why}</p>` : nothing}
      ${isOn && embedding.reading ? html`<p id="model-embedding-reading" role="status">${readingNote(embedding.reading)}</p>` : nothing}
      <div class="buttons">${
        isOn
          ? html`${
              isReading(embedding.reading)
                ? html`<button type="button" id="model-embedding-pause" data-action="pause_reading" @click=${() =>
                    this.actions.pauseReading({
                      paused: !embedding.reading?.paused,
                    })}>${embedding.reading?.paused ? "Continue" : "Pause"}</button>`
                : nothing
            }${this.attempts.button("Turn off", () => this.#choose(null, "Search by meaning is off."), { of: ON_DEVICE, name: "Turn search by meaning off" })}`
          : this.attempts.button(`Search by meaning on this computer (${SIZE})`, () => this.#turnOn(), {
              of: ON_DEVICE,
              name: `Search by meaning on this computer (${SIZE})`,
            })
      }</div>
      ${this.attempts.outcome(ON_DEVICE)}`;
  }

  async #turnOn() {
    // A source tree has the model after the first press; elsewhere the build has it or doesn't offer it.
    const isLater = document.documentElement.dataset["meaning"] === "later";
    const busy = isLater ? "Fetching and making the model, which takes a minute or more…" : "…";
    await this.attempts.follow(
      ON_DEVICE,
      busy,
      this.#onDevice(isLater),
      () => "On. Your files are read in the background.",
    );
  }

  async #onDevice(isLater: boolean) {
    const made = isLater ? await this.link.settings("make_search_model") : null;
    return isFailure(made) ? made : this.actions.chooseEmbeddingModel({ provider: DEVICE });
  }

  #choose(provider: string | null, outcome: string) {
    return this.attempts.follow(ON_DEVICE, "…", this.actions.chooseEmbeddingModel({ provider }), () => outcome);
  }

  #provider({ providers, embedding }: ModelsRow, sources: Source[], selected: string) {
    return html`<p class="muted">A provider's model for embeddings does the same. Your text is sent to it, once for each passage.</p>
      ${embedding?.why && embedding.provider !== DEVICE ? html`<p class="muted">${embedding.why}</p>` : nothing}
      <form class="limits" id="model-embedding-form" aria-label="Search by meaning" @submit=${(event: Event) => event.preventDefault()}>
        <label>Provider <select name="embedding-provider" @change=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => this.#select(currentTarget.value)}>
          <option value="" ?selected=${selected === ""}>${embedding?.provider === DEVICE ? "This computer" : "Off"}</option>
          ${sources.map((source) => html`<option value=${sourceId(source)} ?selected=${sourceId(source) === selected}>${source.label}</option>`)}
          ${providers.length > 0 ? html`<option value=${ADDRESS} ?selected=${selected === ADDRESS}>Another server…</option>` : nothing}</select></label>
        ${
          selected === ADDRESS
            ? html`<label>Address of a server with OpenAI’s API <input name="embedding-address" maxlength="300" autocomplete="off" spellcheck="false"
                placeholder="127.0.0.1:8080" @change=${({ currentTarget }: { currentTarget: HTMLInputElement }) => this.#lookUp(currentTarget.value)}></label>`
            : nothing
        }
        <label>Embedding model <input name="embedding-model" list="embedding-models" maxlength="300" autocomplete="off"
          placeholder="text-embedding-3-small" ?disabled=${selected === ""} .value=${(selected === ADDRESS ? this.#names[0] : embedding?.provider === DEVICE ? "" : embedding?.model) ?? ""}></label>
        <datalist id="embedding-models">${this.#names.map((name) => html`<option value=${name}></option>`)}</datalist>
        <div class="buttons">
          ${this.attempts.button("Save", () => this.#save(selected, embedding?.provider === DEVICE), { of: EMBEDDING, name: "Save the embedding model" })}
          ${embedding === null || embedding.provider === DEVICE ? nothing : this.attempts.button("Try", () => this.#try(), { of: EMBEDDING, name: "Try the embedding model" })}
        </div>
      </form>
      ${this.attempts.outcome(EMBEDDING)}`;
  }

  async #select(id: string) {
    this.#selected = id;
    this.#names = [];
    this.#found = null;
    this.draw();
    if (id === "" || id === ADDRESS) return;
    const found = await this.actions.listModels({ ...parsed(id), embeddings: true });
    // The name can be typed without the list.
    if (isFailure(found) || this.#selected !== id) return;
    this.#names = found.models;
    this.draw();
  }

  async #lookUp(address: string) {
    this.#names = [];
    this.#found = null;
    await this.attempts.follow(EMBEDDING, "Looking for a model…", this.#find(address), describeFound);
  }

  async #find(address: string) {
    const found = await this.link.settings<FoundEmbeddings>("look_up_embeddings", { address });
    if (isFailure(found) || field("embedding-address").value !== address) return found;
    this.#names = found.models;
    this.#found = found;
    return found;
  }

  /** Have the companion save the address, and return the server as a provider. */
  async #added(): Promise<{ provider: string } | Failure> {
    const { value: address } = field("embedding-address");
    const found = this.#found ?? (await this.#find(address));
    if (isFailure(found)) return found;
    // Not the typed address: it may lack the end of the base URL.
    const server = { address: found.base_url, api: "openai" };
    const added = await this.link.settings<{ provider: string }>("add_server", server);
    if (!isFailure(added)) await this.actions.refreshModels();
    return added;
  }

  /** @param isOnDevice - whether the model on this computer is on: then no selected provider means that one */
  async #chosen(selected: string, isOnDevice: boolean) {
    if (selected === "") return this.actions.chooseEmbeddingModel({ provider: isOnDevice ? DEVICE : null });
    const { value: model } = field("embedding-model");
    const source = selected === ADDRESS ? await this.#added() : parsed(selected);
    return isFailure(source) ? source : this.actions.chooseEmbeddingModel({ ...source, model });
  }

  async #save(selected: string, isOnDevice: boolean) {
    const saved = await this.attempts.follow(EMBEDDING, "…", this.#chosen(selected, isOnDevice), () =>
      selected === "" && !isOnDevice ? "Search by meaning is off." : "Saved. Applies to the next search.",
    );
    // Otherwise the list still shows what the user has selected, and the field belongs to that.
    if (saved) this.#selected = null;
  }

  #try() {
    return this.attempts.follow(
      EMBEDDING,
      "Testing…",
      this.actions.tryEmbeddingModel(),
      ({ numbers, ms }) => `Computed ${numbers} numbers in ${duration(ms)}.`,
    );
  }
}

type Reading = NonNullable<NonNullable<ModelsRow["embedding"]>["reading"]>;

function isReading(reading: Reading | null) {
  return reading !== null && reading.problem === null && reading.read < reading.passages;
}

function readingNote({ read, passages, seconds, paused, problem }: Reading) {
  if (problem !== null) return problem;
  if (read === passages) return `All ${counted(passages, "passage")} read.`;
  const state = `${read.toLocaleString("en")} of ${counted(passages, "passage")} read`;
  if (paused) return `${state}. Paused.`;
  return seconds === null ? `${state}.` : `${state}. About ${duration(seconds * 1000)} left.`;
}

function describeFound({ models, embeds }: FoundEmbeddings) {
  // llama.cpp's name may be a path.
  const first = models[0]?.split("/").at(-1);
  if (first === undefined) return "It computes embeddings, and lists no models: type a name.";
  if (embeds) return `Found ${counted(models.length, "model")}: ${first} computes embeddings.`;
  return `Found ${counted(models.length, "model")}, but ${first} computes no embeddings: choose another one.`;
}

function field(name: string) {
  return expect(document.querySelector(`[name="${name}"]`), HTMLInputElement);
}

function sourcesOf({ providers, choices }: ModelsRow): Source[] {
  const own = new Set(choices.filter(({ provider }) => provider === OWN).map(({ base_url }) => base_url));
  return [
    ...providers.filter(({ api }) => api === "openai").map(({ name }) => ({ provider: name, label: name })),
    ...[...own].map((base_url) => ({ provider: OWN, base_url, label: base_url })),
  ];
}

function sourceId({ provider, base_url }: { provider: string; base_url?: string | undefined }) {
  return JSON.stringify({ provider, base_url });
}

function parsed(id: string): { provider: string; base_url?: string } {
  return JSON.parse(id);
}
