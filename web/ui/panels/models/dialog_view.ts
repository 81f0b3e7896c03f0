/** The view of the dialog that connects a language model: where it runs on one side, its fields on the other. */

import { expect } from "../../lib/elements.ts";
import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import type { Provider } from "../../companion/types.ts";
import { counted, duration } from "../../lib/format.ts";
import { copyText } from "../../lib/copying.ts";
import { isPressOf } from "../../lib/trusted.ts";
import { namedCommand } from "../../lib/serving.ts";
import type { Field, Look } from "./dialog.ts";
import { shownNames } from "./names.ts";

interface Does {
  choose: (choice: string, focus: boolean) => unknown;
  type: (field: Field, text: string) => unknown;
  tryIt: () => unknown;
  download: () => unknown;
  connect: () => unknown;
  cancel: () => unknown;
}

type Option = { value: string; label: string; note: string };

const ADDRESS = "@address";
const BUILTIN = "builtin";
const BUSY = { look: "Looking for models…", try: "Waiting for an answer…", connect: "Connecting…" };
const APIS = { "": "Detect", openai: "OpenAI", anthropic: "Anthropic" };
const AVAILABILITY: Record<string, { note: string; text: string }> = {
  available: { note: "ready", text: "It runs on this computer and needs no key." },
  downloadable: {
    note: "needs a download",
    text: "The browser must download it once. It then runs on this computer and needs no key.",
  },
  downloading: { note: "downloading", text: "The browser is downloading it." },
  unavailable: {
    note: "not available",
    text: "This browser has no model, or this computer doesn’t meet its requirements.",
  },
  missing: {
    note: "not available",
    text: "This browser has no model of its own. Chrome and Edge have one on some computers.",
  },
  unknown: { note: "", text: "Checking…" },
};

export function dialogView(look: Look, does: Does) {
  return html`
    <h2 id="model-dialog-title">Connect a language model</h2>
    <form class="model-dialog-form" novalidate @submit=${(event: Event) => event.preventDefault()}>
      <div class="model-dialog-body">
        ${places(look, does)}
        <div class="model-dialog-fields">
          ${look.choice === BUILTIN ? builtinPane(look, does) : look.choice === ADDRESS ? addressPane(look, does) : providerPane(look, does)}
          ${status(look)}
          ${modelPane(look, does)}
        </div>
      </div>
      <div class="answers">
        <button type="button" @click=${does.cancel}>Cancel</button>
        <button type="submit" class="primary" id="model-connect" aria-disabled=${isBusy(look) || (look.choice === BUILTIN && look.availability !== "available") ? "true" : nothing}
          @click=${(event: Event) => isPressOf(event) && does.connect()}>Connect</button>
      </div>
    </form>`;
}

function places(look: Look, does: Does) {
  return html`<fieldset class="model-places">
      <legend>Where it runs</legend>
      ${options(look).map(
        ({ value, label, note }) => html`
        <label @click=${({ detail, target }: MouseEvent) => detail > 0 && !(target instanceof HTMLInputElement) && does.choose(value, true)}>
          <input type="radio" name="place" value=${value} .checked=${live(value === look.choice)}
            @change=${(event: Event) => isPressOf(event) && does.choose(value, false)}>
          <span>${label}</span>${note === "" ? nothing : html` <small>${note}</small>`}</label>`,
      )}
      ${absent(look)}
    </fieldset>`;
}

function options({ providers, servers, availability }: Look): Option[] {
  const rows = providers?.providers ?? [];
  const label = (name: string) => rows.find((row) => row.name === name)?.label ?? name;
  return [
    ...(servers ?? []).map(({ provider, models }) => ({
      value: provider,
      label: label(provider),
      note: counted(models.length, "model"),
    })),
    { value: ADDRESS, label: "An address", note: "" },
    ...rows
      .filter((row) => !servers?.some(({ provider }) => provider === row.name) && (!row.local || row.needs_key))
      .map((row) => ({ value: row.name, label: row.label, note: keyState(row) })),
    { value: BUILTIN, label: "This browser", note: AVAILABILITY[availability]?.note ?? "" },
  ];
}

function keyState({ needs_key, has_key }: Provider) {
  return has_key ? "has a key" : needs_key ? "needs a key" : "";
}

/** Name the servers of this computer that don't answer, or describe the companion's additions. */
function absent({ providers, servers, companion }: Look) {
  if (companion !== "connected") {
    return html`<p class="muted" id="model-without-companion">With the companion, also Ollama and LM Studio on this computer, and providers
      with keys that it saves. To start it, run <code>${namedCommand("serve")}</code>
      <button type="button" class="quiet" aria-label="Copy the command" @click=${() => copyText(namedCommand("serve"))}>Copy</button></p>`;
  }
  if (servers === null) return html`<p class="muted">Looking on this computer…</p>`;
  const missing = (providers?.providers ?? []).filter(
    ({ local, needs_key, name }) => local && !needs_key && !servers.some(({ provider }) => provider === name),
  );
  if (missing.length === 0) return nothing;
  const names = new Intl.ListFormat("en", { type: "conjunction" }).format(missing.map(({ label }) => label));
  return html`<p class="muted">${names} ${missing.length === 1 ? "isn’t" : "aren’t"} running on this computer.</p>`;
}

function addressPane(look: Look, does: Does) {
  return html`
    <label>Address
      <input name="address" class="mono" type="text" inputmode="url" autocapitalize="off" autocomplete="off" spellcheck="false" maxlength="300"
        placeholder="127.0.0.1:8080" aria-describedby="model-address-note model-status" aria-invalid=${look.problem ? "true" : nothing}
        .value=${live(look.typed.address)} @beforeinput=${(event: InputEvent) => restore(event, look.typed.address)}
        @input=${(event: Event) => typed(event, "address", does)}></label>
    <p class="muted" id="model-address-note">The base URL of a server with OpenAI’s API, such as llama.cpp, vLLM or OpenRouter, or with
      Anthropic’s.${
        look.asTyped
          ? nothing
          : html` Press Enter to look for its models: the page asks before it sends the request, and the
      server must allow this page (CORS).`
      }</p>
    <div class="model-row">${keyField(look, does, "Key, if it needs one")}
    <label>API <select name="api" @change=${(event: Event) => typed(event, "api", does)}>${Object.entries(APIS).map(
      ([value, label]) => html`<option value=${value} ?selected=${value === look.typed.api}>${label}</option>`,
    )}</select></label></div>
    ${look.typed.key === "" && !needsKey(look) ? nothing : keyNote(look)}`;
}

function providerPane(look: Look, does: Does) {
  const provider = look.providers?.providers.find(({ name }) => name === look.choice);
  if (!provider) return nothing;
  const where = html`<p class="muted"><code>${provider.base_url}</code></p>
    ${provider.problem === null ? nothing : html`<p class="bad">${provider.problem}</p>`}`;
  if (provider.key_from === "environment")
    return html`${where}<p class="muted">Its key comes from the companion’s environment.</p>`;
  if (!provider.takes_key || (provider.local && !provider.needs_key && !provider.has_key && !needsKey(look)))
    return where;
  return html`${where}${keyField(look, does, provider.has_key ? `Another ${provider.label} key` : `${provider.label} key`)}${keyNote(look)}`;
}

function needsKey({ problem }: Look) {
  return problem?.type === "KeyMissing" || problem?.type === "KeyRefused";
}

function keyField(look: Look, does: Does, label: string) {
  return html`<label>${label}
      <input name="key" class="mono" type="password" autocomplete="off" spellcheck="false" maxlength="4096" aria-describedby="model-key-note"
        .value=${live(look.typed.key)} @beforeinput=${(event: InputEvent) => restore(event, look.typed.key)}
        @input=${(event: Event) => typed(event, "key", does)}></label>`;
}

/** Say where a key is saved. */
function keyNote({ providers }: Look) {
  return html`<p class="muted" id="model-key-note">${
    providers === null
      ? "The key stays in Python’s memory in this page until you leave, where agents’ code could read it."
      : providers.keyring !== null
        ? `Connect saves the key in this computer’s keyring (${providers.keyring}). Pages can’t read it.`
        : html`This computer has no keyring. Connect saves the key as plain text in <code>${providers.file}</code>, a file that only you, and
          programs that you run, can read (mode 600).`
  }</p>`;
}

function builtinPane({ availability, downloading }: Look, does: Does) {
  const offered = availability === "downloadable" && downloading === null;
  return html`<p>${AVAILABILITY[availability]?.text ?? availability}</p>
    ${downloading === null ? nothing : html`<label>Downloading <progress max="1" .value=${downloading}></progress></label>`}
    ${offered ? html`<div><button type="button" @click=${(event: Event) => isPressOf(event) && does.download()}>Download</button></div>` : nothing}`;
}

/** Show the state of the search and of the test, announced by screen readers. */
function status(look: Look) {
  const { busy, problem, found, tried } = look;
  const style = problem ? "bad" : found || tried ? "good" : "";
  return html`<p class="outcome ${style}" id="model-status" role="status">${
    busy !== ""
      ? BUSY[busy]
      : problem
        ? html`${problem.message} <span class="hint">${problem.hint ?? nothing}</span>`
        : tried
          ? tried.text === ""
            ? `Its answer has no text, after ${duration(tried.ms)}.`
            : `It answered “${tried.text}” in ${duration(tried.ms)}.`
          : found
            ? foundText(look)
            : nothing
  }</p>${
    tried?.facts?.length && busy === ""
      ? html`<ul class="model-facts muted">${tried.facts.map((fact) => html`<li>${fact}</li>`)}</ul>`
      : nothing
  }`;
}

function foundText({ found, choice }: Look) {
  // It is called only with what was found.
  const { models, base_url, duration_ms } = found as NonNullable<Look["found"]>;
  if (models.length === 0) return `${base_url} answers, but has no models yet.`;
  const where = choice === ADDRESS ? ` at ${base_url}` : "";
  return `Found ${counted(models.length, "model")}${where}${duration_ms === null ? "" : ` in ${duration(duration_ms)}`}.`;
}

function modelPane(look: Look, does: Does) {
  const {
    found,
    problem,
    choice,
    typed: { model },
    availability,
  } = look;
  const unlisted = problem?.data?.unlisted === true;
  if (choice === BUILTIN) return availability === "available" ? html`<div>${tryButton(look, does)}</div>` : nothing;
  if (found === null && !unlisted) return nothing;
  const names = found?.models ?? [];
  const shown = shownNames(names);
  return html`<div class="model-row">
    <label>Model ${
      names.length > 0
        ? html`<select name="model" @change=${(event: Event) => typed(event, "model", does)}>
        ${names.map((name, index) => html`<option value=${name} ?selected=${name === model}>${shown[index]}</option>`)}</select>`
        : html`<input name="model" class="mono" type="text" autocomplete="off" spellcheck="false" maxlength="300" placeholder="The server’s name for it"
        .value=${live(model)} @beforeinput=${(event: InputEvent) => restore(event, model)}
        @input=${(event: Event) => typed(event, "model", does)}>`
    }</label>
    ${tryButton(look, does)}</div>`;
}

function tryButton(look: Look, does: Does) {
  const local = look.choice === BUILTIN || look.servers?.some(({ provider }) => provider === look.choice);
  return html`<button type="button" id="model-try" title=${local ? "Ask it for one word" : "Ask it for one word, which some providers charge for"}
    aria-disabled=${isBusy(look) ? "true" : nothing}
    @click=${(event: Event) => isPressOf(event) && !isBusy(look) && does.tryIt()}>Try</button>`;
}

function isBusy({ busy }: Look) {
  return busy === "try" || busy === "connect";
}

/** Remove what a script has written into a field, before the user types into it. */
function restore({ isTrusted, currentTarget }: InputEvent, known: string) {
  const field = expect(currentTarget, HTMLInputElement);
  if (isTrusted && field.value !== known) field.value = known;
}

function typed({ isTrusted, currentTarget }: Event, field: Field, does: Does) {
  if (isTrusted)
    does.type(
      field,
      (currentTarget instanceof HTMLSelectElement ? currentTarget : expect(currentTarget, HTMLInputElement)).value,
    );
}
