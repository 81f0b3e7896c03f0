/**
 * The activity log: every tool call with its caller, arguments, result and time, newest first.
 *
 * @import { Actions } from "../actions.js"
 * @import { Call } from "../types.js"
 * @import { Store } from "../store.js"
 * @import { Chosen, Facet } from "./calls.js"
 */

import { html, nothing, render } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { toggleChanges } from "../changes/section.js";
import { copyText } from "../copying.js";
import { download } from "../download.js";
import { byId, showProblem } from "../elements.js";
import { counted } from "../format.js";
import { loadSaved, save } from "../saved.js";
import { MAX_CALLS } from "../state.js";
import { whenChanged } from "../store.js";
import { asCsv, counts, FACETS, keyOf, matching, told } from "./calls.js";
import { chart, chartTable } from "./chart.js";
import { callRow } from "./row.js";
import { lastMinutes, latency, MINUTES } from "./statistics.js";

const KEY = "activity.filters";
/** @type {Chosen} */
const ALL = { status: "", caller: "", effect: "", tool: "" };
/** @type {Record<Facet, string>} */
const NAMES = { status: "Any status", caller: "Any caller", effect: "Any effect", tool: "Any tool" };
/** A minute that is over moves on without a call. */
const REDRAW_MS = 10_000;

class ActivityPanel {
  #list = byId("activity-list", HTMLElement);
  #filter = byId("activity-filter", HTMLInputElement);
  #facets = byId("activity-facets", HTMLElement);
  #figures = byId("activity-figures", HTMLElement);
  #empty = byId("activity-empty", HTMLElement);
  #said = byId("activity-said", HTMLElement);
  #problem = byId("activity-problem", HTMLElement);
  #exports = [byId("activity-json", HTMLButtonElement), byId("activity-csv", HTMLButtonElement)];
  /** @type {Call[]} oldest first */
  #calls = [];
  /** @type {Chosen} */
  #chosen = { ...ALL, ...loadSaved(KEY, ALL) };
  /** @type {Set<string>} */
  #open = new Set();

  constructor() {
    this.#filter.addEventListener("input", () => this.#draw());
    const [json, csv] = this.#exports;
    json?.addEventListener("click", () => this.#save("json", JSON.stringify(this.#shown().map(told), null, 2)));
    csv?.addEventListener("click", () => this.#save("csv", asCsv(this.#shown())));
    setInterval(() => this.#list.checkVisibility() && this.#drawFigures(), REDRAW_MS);
  }

  /** @param {Call[]} calls oldest first */
  render(calls) {
    this.#calls = calls;
    this.#draw();
    this.#drawFigures();
  }

  /** Opens the row of a call, and puts the keyboard there. @param {number} id */
  show(id) {
    const call = this.#calls.findLast((each) => each.id === id);
    if (!call) return;
    this.#filter.value = "";
    this.#chosen = { ...ALL };
    this.#open.add(keyOf(call));
    this.#draw();
    const summary = document.getElementById(`call-${id}`)?.querySelector("summary");
    summary?.scrollIntoView({ block: "nearest" });
    summary?.focus();
  }

  #shown() {
    return matching(this.#calls, this.#chosen, this.#filter.value);
  }

  #draw() {
    const shown = this.#shown();
    const all = this.#calls.length;
    byId("activity-count", HTMLElement).textContent =
      shown.length < all ? `${shown.length} of ${counted(all, "call")}` : all > 0 ? counted(all, "call") : "";
    for (const button of this.#exports) button.disabled = shown.length === 0;
    this.#empty.hidden = shown.length > 0;
    this.#empty.textContent = all === 0
      ? "No tool was called yet. Calls by agents, scripts and you are listed here, with their results."
      : "No call matches the filters. Clear them to see all of them.";
    render(FACETS.map((facet) => this.#facet(facet)), this.#facets);
    render(repeat(shown.toReversed(), keyOf, (call) => this.#row(call)), this.#list);
  }

  /** @param {Call} call */
  #row(call) {
    const key = keyOf(call);
    const open = this.#open.has(key);
    return guard([call, open], () => callRow(call, open, {
      toggle: (now) => this.#toggle(key, now),
      copy: () => void this.#copy(call),
    }));
  }

  /** @param {string} key @param {boolean} open */
  #toggle(key, open) {
    if (open === this.#open.has(key)) return;
    if (open) this.#open.add(key);
    else this.#open.delete(key);
    this.#draw();
  }

  /** @param {Facet} facet */
  #facet(facet) {
    const chosen = this.#chosen[facet];
    const found = counts(this.#calls, facet);
    // What was chosen stays to be seen, even where no call has it any more.
    const options = chosen === "" || found.some(([value]) => value === chosen) ? found : [...found, [chosen, 0]];
    return html`<select aria-label=${NAMES[facet].replace("Any", "Show calls by")} data-facet=${facet}
      @change=${(/** @type {{currentTarget: HTMLSelectElement}} */ { currentTarget }) => this.#choose(facet, currentTarget.value)}>
      <option value="" .selected=${chosen === ""}>${NAMES[facet]}</option>
      ${options.map(([value, count]) => html`<option value=${value} .selected=${value === chosen}>${value} (${count})</option>`)}
    </select>`;
  }

  /** @param {Facet} facet @param {string} value */
  #choose(facet, value) {
    this.#chosen = { ...this.#chosen, [facet]: value };
    save(KEY, this.#chosen);
    this.#draw();
  }

  #drawFigures() {
    const calls = this.#calls;
    this.#figures.hidden = calls.length === 0;
    const now = Date.now();
    const minutes = lastMinutes(calls, now);
    const recent = calls.filter(({ started }) => now - Date.parse(started) < MINUTES * 60_000);
    const few = calls.length >= MAX_CALLS ? html`<p class="muted">Of the last ${MAX_CALLS} calls.</p>` : nothing;
    render(html`
      <p class="activity-counts">${[...counts(calls, "status"), ...counts(calls, "caller")].map(([name, count]) =>
        html`<span class="chip" data-count=${name}>${name} ${count.toLocaleString()}</span>`)}</p>
      ${chart(minutes, latency(recent))}${few}${chartTable(minutes)}`, this.#figures);
  }

  /** @param {Call} call */
  async #copy(call) {
    const problem = await copyText(JSON.stringify(told(call), null, 2), "export the calls");
    showProblem(this.#problem, problem);
    if (!problem) this.#said.textContent = `The call of ${call.tool} is in the clipboard.`;
  }

  /** @param {"json" | "csv"} ending @param {string} text */
  #save(ending, text) {
    const name = `calls-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.${ending}`;
    download(new Blob([text], { type: ending === "json" ? "application/json" : "text/csv" }), name);
    this.#said.textContent = `${counted(this.#shown().length, "call")} saved as ${name}.`;
  }
}

/** @param {Store} store @param {Actions} actions */
export function showActivity(store, actions) {
  const panel = new ActivityPanel();
  const changes = byId("activity-changes", HTMLDetailsElement);
  changes.addEventListener("toggle", () => void toggleChanges(changes, actions));
  store.subscribe(whenChanged(({ calls }) => [calls], (state) => panel.render(state.calls)));
  return panel;
}
