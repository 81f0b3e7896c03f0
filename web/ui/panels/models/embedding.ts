/** The setting of the model for embeddings, by which memories and files are found by meaning. */

import { expect } from "../../lib/elements.ts";
import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import type { ModelsRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { counted, duration } from "../../lib/format.ts";
import type { CompanionLink } from "../../companion/link.ts";
import type { FoundEmbeddings } from "../../companion/types.ts";
import type { Failure } from "../../state/types.ts";
import type { Attempts } from "../settings/attempts.ts";
import { shownName } from "./names.ts";

const EMBEDDING = "model-embedding";
const LOOK_UP = "model-embedding-look-up";
const OWN = "own";
const DEVICE = "device";
const ON_DEVICE = "model-embedding-device";
// What it takes to be downloaded, compressed.
const SIZE = "24 MB";
// A server that isn't connected for chats.
const ADDRESS = "address";
// The look-up's own message has the reason.
const NOT_SAVED = { message: "Nothing is saved.", hint: null };

type Source = { provider: string; base_url?: string; label: string };
/** what the companion finds at an address */
type LookUp = { address: string; answer: Promise<FoundEmbeddings | Failure>; failed: boolean };

export class EmbeddingSettings {
  /** The selected source, as JSON; null for the setting's. */
  #selected: string | null = null;
  /** The typed name of a model; null for the setting's, or the first one found. */
  #typed: string | null = null;
  #names: string[] = [];
  #lookedUp: LookUp | null = null;
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
          <option value="" .selected=${live(selected === "")}>${embedding?.provider === DEVICE ? "This computer" : "Off"}</option>
          ${sources.map((source) => html`<option value=${sourceId(source)} .selected=${live(sourceId(source) === selected)}>${source.label}</option>`)}
          ${providers.length > 0 ? html`<option value=${ADDRESS} .selected=${live(selected === ADDRESS)}>Another server…</option>` : nothing}</select></label>
        ${
          selected === ADDRESS
            ? html`<label>Address of a server with OpenAI’s API <input name="embedding-address" maxlength="300" autocomplete="off" spellcheck="false"
                placeholder="127.0.0.1:8080" @change=${({ currentTarget }: { currentTarget: HTMLInputElement }) => this.#lookUp(currentTarget.value)}></label>`
            : nothing
        }
        <label>Embedding model <input name="embedding-model" list="embedding-models" maxlength="300" autocomplete="off"
          placeholder="text-embedding-3-small" ?disabled=${selected === ""} .value=${this.#typed ?? this.#nameOf(embedding, selected)}
          @input=${({ currentTarget }: { currentTarget: HTMLInputElement }) => {
            this.#typed = currentTarget.value;
          }}></label>
        <datalist id="embedding-models">${this.#names.map((name) => html`<option value=${name}></option>`)}</datalist>
        <div class="buttons">
          ${this.attempts.button("Save", () => this.#save(selected, embedding?.provider === DEVICE), { of: EMBEDDING, name: "Save the embedding model" })}
          ${embedding === null || embedding.provider === DEVICE ? nothing : this.attempts.button("Try", () => this.#try(), { of: EMBEDDING, name: "Try the embedding model" })}
        </div>
      </form>
      ${this.#outcomes()}`;
  }

  /** They are below the buttons: a press on Save starts a look-up, whose message must not move the button away. */
  #outcomes() {
    return html`${this.#lookedUp === null ? nothing : this.attempts.outcome(LOOK_UP)}${this.attempts.outcome(EMBEDDING)}`;
  }

  /** Return the name of a model that the user hasn't typed. */
  #nameOf(embedding: ModelsRow["embedding"], selected: string) {
    if (selected === ADDRESS) return this.#names[0] ?? "";
    return embedding === null || embedding.provider === DEVICE ? "" : embedding.model;
  }

  async #select(id: string) {
    this.#selected = id;
    this.#typed = null;
    this.#names = [];
    this.#lookedUp = null;
    this.draw();
    if (id === "" || id === ADDRESS) return;
    const found = await this.actions.listModels({ ...parsed(id), embeddings: true });
    // The name can be typed without the list.
    if (isFailure(found) || this.#selected !== id) return;
    this.#names = found.models;
    this.draw();
  }

  #lookUp(address: string) {
    this.#names = [];
    const answer = this.link.settings<FoundEmbeddings>("look_up_embeddings", { address });
    this.#lookedUp = { address, answer, failed: false };
    void this.attempts.follow(LOOK_UP, "Looking for a model…", this.#found(this.#lookedUp), describeFound);
    return this.#lookedUp;
  }

  /** Return what is at the address; if the user changed it meanwhile, what is at the new one. */
  async #found(lookUp: LookUp): Promise<FoundEmbeddings | Failure> {
    const found = await lookUp.answer;
    const current = this.#lookedUp ?? lookUp;
    if (current !== lookUp) return this.#found(current);
    lookUp.failed = isFailure(found);
    if (!isFailure(found) && this.#lookedUp !== null) this.#names = found.models;
    return found;
  }

  /**
   * Have the companion save the server at the address, and choose its model.
   * @param typed - the model's name, if the user typed one
   */
  async #chooseServer(typed: string | null) {
    const { value: address } = field("embedding-address");
    const known = this.#lookedUp?.address === address && !this.#lookedUp.failed ? this.#lookedUp : null;
    const found = await this.#found(known ?? this.#lookUp(address));
    if (isFailure(found)) return { isError: true, error: { ...found.error, ...NOT_SAVED } } as const;
    // Not the typed address: it may lack the end of the base URL.
    const server = { address: found.base_url, api: "openai" };
    const added = await this.link.settings<{ provider: string }>("add_server", server);
    if (isFailure(added)) return added;
    await this.actions.refreshModels();
    return this.actions.chooseEmbeddingModel({ ...added, model: typed ?? found.models[0] ?? "" });
  }

  /** @param isOnDevice - whether the model on this computer is on: then no selected provider means that one */
  async #chosen(selected: string, isOnDevice: boolean) {
    if (selected === "") return this.actions.chooseEmbeddingModel({ provider: isOnDevice ? DEVICE : null });
    if (selected === ADDRESS) return this.#chooseServer(this.#typed);
    const { value: model } = field("embedding-model");
    return this.actions.chooseEmbeddingModel({ ...parsed(selected), model });
  }

  async #save(selected: string, isOnDevice: boolean) {
    const saved = await this.attempts.follow(EMBEDDING, "Saving…", this.#chosen(selected, isOnDevice), () =>
      selected === "" && !isOnDevice ? "Search by meaning is off." : "Saved. Applies to the next search.",
    );
    // Otherwise the list still shows what the user has selected, and the field belongs to that.
    if (saved) {
      this.#selected = null;
      this.#typed = null;
      this.draw();
    }
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
  if (models[0] === undefined) return "It computes embeddings, and lists no models: type a name.";
  const first = shownName(models[0]);
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
