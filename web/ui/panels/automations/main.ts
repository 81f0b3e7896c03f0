/**
 * The Automations panel: saved scripts, each with a form for its arguments, a button to run it, and its last result. A
 * separate bundle.
 */

import { html, nothing, render } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { RunAutomationResult, ListedAutomation } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { counted, plainJson } from "../../lib/format.ts";
import { ListPanel } from "../list_panel.ts";
import { argumentsOf, BadField, fieldsOf } from "../tools/fields.ts";
import { controlOf, fieldList } from "../tools/form.ts";
import { submittingPress } from "../../lib/forms.ts";
import type { Failure } from "../../state/types.ts";
import { icon } from "../../lib/icons.ts";
import { focusIn } from "../../lib/elements.ts";

export class AutomationsPanel extends ListPanel<ListedAutomation[]> {
  /** The name of the automation whose form is open. */
  #open = "";
  /** The name of the automation that runs. */
  #running = "";
  #results = new Map<string, RunAutomationResult | Failure>();
  #wrong: { field: string; message: string } | null = null;
  actions: Actions;
  show: { run: (id: string) => unknown; file: (path: string) => unknown };

  constructor(actions: Actions, show: { run: (id: string) => unknown; file: (path: string) => unknown }) {
    super("automations", [], () => actions.listAutomations());
    this.actions = actions;
    this.show = show;
  }

  draw() {
    render(
      html`<div class="automations-heading">
        <p class="muted">An automation is a Python file in <code>.agents/automations</code> that repeats a task without a model.</p>
        <button type="button" class="quiet icon" id="automations-refresh" data-focus-next data-action="list_automations" title="Refresh"
          aria-label="Refresh" ?disabled=${this.isBlocked} @click=${() => void this.load()}>${icon("reload")}</button></div>
      ${
        this.shown.length > 0
          ? nothing
          : html`<p class="empty">No automations yet. To make one, open a finished run in the Agent panel and save it as an automation.</p>`
      }
      ${repeatBy(this.shown, "name", (row) => this.#automation(row))}`,
      this.body,
    );
  }

  #automation(row: ListedAutomation) {
    const { name, path, description, problem } = row;
    const isOpen = this.#open === name;
    return html`<section class="automation" data-automation=${name} aria-label=${`Automation ${name}`}>
      <h3>${name}</h3>
      ${problem === null ? html`<p>${description}</p>` : html`<p class="problem">${problem}</p>`}
      ${isOpen ? this.#form(row) : nothing}
      <div class="automation-buttons">
        ${
          problem !== null || isOpen
            ? nothing
            : html`<button type="button" class="primary" aria-label=${`Run ${name}`} ?disabled=${this.isBlocked}
          @click=${() => this.#choose(name)}>Run…</button>`
        }
        <button type="button" class="quiet" aria-label=${`Open file of ${name}`} @click=${() => this.show.file(path)}>Open file</button></div>
      ${this.#result(name)}</section>`;
  }

  #form(row: ListedAutomation) {
    // Scripts that act on this page must not run it as the user.
    const submit = submittingPress((form) => this.#run(row, form));
    return keyed(
      row.name,
      html`<form autocomplete="off" @submit=${submit}>
      ${fieldList(fieldsOf(row.parameters), this.#wrong, "automation")}
      <div class="automation-buttons"><button type="submit" class="primary" data-action="run_automation"
          ?disabled=${this.isBlocked || this.#running !== ""}>${this.#running === row.name ? "Running…" : "Run"}</button>
        <button type="button" class="quiet" @click=${() => this.#choose("")}>Close</button></div></form>`,
    );
  }

  #result(name: string) {
    const result = this.#results.get(name);
    if (result === undefined || this.#running === name) return nothing;
    if (isFailure(result)) {
      const { message, hint, data } = result.error;
      const run: string | undefined = Object(data ?? {}).run_id;
      return html`<div class="problem" role="alert">${message} ${hint ? html`<span class="hint">${hint}</span>` : nothing} ${this.#runButton(run)}</div>`;
    }
    return html`<details class="automation-result" open><summary>Done in ${counted(result.steps.length, "step")}</summary>
      ${result.run_id === undefined ? nothing : html`<p>A model went on from a step that failed. ${this.#runButton(result.run_id)}</p>`}
      <ol>${result.steps.map(({ tool, arguments: given }) => html`<li><code>${tool}</code> <span class="muted">${plainJson(given)}</span></li>`)}</ol>
      <pre tabindex="0" aria-label="Result">${result.result}</pre></details>`;
  }

  #runButton(id: string | undefined) {
    return id === undefined
      ? nothing
      : html`<button type="button" @click=${() => this.show.run(id)}>Show the run</button>`;
  }

  /** @param name - of the automation whose form opens; empty for none */
  #choose(name: string) {
    const before = this.#open;
    this.#open = name;
    this.#wrong = null;
    this.draw();
    const target = name ? "form :is(textarea, input, select, button)" : `[data-automation="${before}"] button`;
    focusIn(this.body, target);
  }

  async #run(row: ListedAutomation, form: HTMLFormElement) {
    if (this.isBlocked || this.#running !== "") return;
    const given = this.#read(row, form);
    if (given === null) return;
    this.#running = row.name;
    this.draw();
    const ran = await this.actions.runAutomation({ name: row.name, arguments: given });
    this.#running = "";
    this.#results.set(row.name, ran);
    this.draw();
    if (!isFailure(ran)) this.announcer.textContent = `${row.name} is done.`;
  }

  /** Return the arguments, or null if one is invalid, with its error shown. */
  #read(row: ListedAutomation, form: HTMLFormElement) {
    this.#wrong = null;
    try {
      return argumentsOf(fieldsOf(row.parameters), (name) => controlOf(form, name).value);
    } catch (error) {
      if (!(error instanceof BadField)) throw error;
      this.#wrong = { field: error.field, message: error.message };
      this.draw();
      controlOf(form, error.field).focus();
      return null;
    }
  }
}
