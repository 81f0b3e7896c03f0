/**
 * The activity log: every tool call with its caller, arguments, result and time, newest first. The user's own actions,
 * which panels make as calls, are listed only on request.
 */

import { html, nothing, render } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { CallRow } from "../../../generated/types.ts";
import { toggleChanges } from "../changes/section.ts";
import { copyText } from "../../lib/copying.ts";
import { download } from "../../lib/download.ts";
import { byId, showProblem } from "../../lib/elements.ts";
import { counted } from "../../lib/format.ts";
import { Menu } from "../../lib/menu.ts";
import { loadSaved, save } from "../../../shared/local_state.ts";
import type { Actions } from "../../state/actions.ts";
import { MAX_CALLS } from "../../state/state.ts";
import type { Store } from "../../state/store.ts";
import { asCsv, counts, exported, FACETS, keyOf, matching, type Facet, type Filters } from "./calls.ts";
import { chart, chartTable } from "./chart.ts";
import { callRow } from "./row.ts";
import { SeenCalls } from "./seen_calls.ts";
import { callerName } from "../../lib/caller_names.ts";
import { showSpending } from "./spending.ts";
import { lastMinutes, latency, MINUTES } from "./statistics.ts";

const KEY = "activity.filters";
const OWN_KEY = "activity.own";
const MORE_KEY = "activity.more";
const PERSON = "person";
const ALL: Filters = { status: "", caller: "", effect: "", tool: "" };
const NAMES: Record<Facet, string> = {
  status: "Any status",
  caller: "Any caller",
  effect: "Any effect",
  tool: "Any tool",
};
/** Minutes pass without calls, too. */
const REDRAW_MS = 10_000;

class ActivityPanel {
  #list = byId("activity-list", HTMLElement);
  #filter = byId("activity-filter", HTMLInputElement);
  #facets = byId("activity-facets", HTMLElement);
  #figures = byId("activity-figures", HTMLElement);
  #empty = byId("activity-empty", HTMLElement);
  #announcer = byId("activity-announcement", HTMLElement);
  #problem = byId("activity-problem", HTMLElement);
  #export = byId("activity-export", HTMLButtonElement);
  #more = byId("activity-more", HTMLButtonElement);
  #details = byId("activity-details", HTMLElement);
  #menu = new Menu(byId("activity", HTMLElement));
  /** oldest first */
  #calls: CallRow[] = [];
  #filters: Filters = { ...ALL, ...loadSaved(KEY, ALL) };
  /** True lists the user's own actions. */
  #own = loadSaved(OWN_KEY, false);
  #open = new Set<string>();
  #visible = false;
  #seen: SeenCalls;

  constructor(actions: Actions) {
    this.#seen = new SeenCalls(actions, () => this.#visible && this.#draw());
    // Hundreds of rows are drawn only while they are seen: agents call several tools a second.
    new IntersectionObserver((entries) => {
      this.#visible = entries.at(-1)?.isIntersecting ?? false;
      if (this.#visible) this.#drawAll();
    }).observe(byId("activity", HTMLElement));
    this.#filter.addEventListener("input", () => this.#draw());
    this.#export.addEventListener("click", () =>
      this.#menu.open(
        "Export filtered calls",
        [
          {
            id: "json",
            label: "Export as JSON",
            run: () => this.#save("json", JSON.stringify(this.#shown().map(exported), null, 2)),
          },
          { id: "csv", label: "Export as CSV", run: () => this.#save("csv", asCsv(this.#shown())) },
        ],
        this.#export,
      ),
    );
    this.#more.addEventListener("click", () => {
      const shown = this.#more.getAttribute("aria-expanded") !== "true";
      save(MORE_KEY, shown);
      this.#showMore(shown);
    });
    this.#showMore(loadSaved(MORE_KEY, false));
    setInterval(() => this.#list.checkVisibility() && this.#drawFigures(), REDRAW_MS);
  }

  /** @param calls - oldest first */
  render(calls: CallRow[]) {
    this.#calls = calls;
    if (this.#visible) this.#drawAll();
  }

  #drawAll() {
    this.#draw();
    this.#drawFigures();
  }

  /** Open and focus the row of a call. */
  show(id: number) {
    const call = this.#calls.findLast((each) => each.id === id);
    if (!call) return;
    this.#filter.value = "";
    this.#filters = { ...ALL };
    if (call.caller === PERSON) this.#own = true;
    this.#open.add(keyOf(call));
    this.#draw();
    const summary = document.getElementById(`call-${id}`)?.querySelector("summary");
    summary?.scrollIntoView({ block: "nearest" });
    summary?.focus();
  }

  /** Show or hide the filters and statistics. */
  #showMore(shown: boolean) {
    this.#details.hidden = !shown;
    this.#more.setAttribute("aria-expanded", String(shown));
  }

  get #listed() {
    return this.#own ? this.#calls : this.#calls.filter(({ caller }) => caller !== PERSON);
  }

  #shown() {
    return matching(this.#listed, this.#filters, this.#filter.value);
  }

  #draw() {
    const shown = this.#shown();
    const all = this.#listed.length;
    byId("activity-count", HTMLElement).textContent =
      shown.length < all ? `${shown.length} of ${counted(all, "call")}` : all > 0 ? counted(all, "call") : "";
    this.#export.disabled = shown.length === 0;
    // A filter that hides calls must be seen.
    const isFiltered = FACETS.some((facet) => this.#filters[facet] !== "");
    this.#more.classList.toggle("on", isFiltered);
    this.#more.ariaLabel = this.#more.title = `Filters and statistics${isFiltered ? " (filtered)" : ""}`;
    this.#empty.hidden = shown.length > 0;
    this.#empty.textContent =
      all === 0
        ? "No tool calls yet. Calls by agents and scripts are listed here, with their results."
        : "No calls match the filters. Clear the filters to see all calls.";
    render(
      html`${FACETS.map((facet) => this.#facet(facet))}
      <label class="activity-own"><input type="checkbox" id="activity-own" .checked=${this.#own}
        @change=${({ currentTarget }: { currentTarget: HTMLInputElement }) => this.#showOwn(currentTarget.checked)}>
        Your own actions</label>`,
      this.#facets,
    );
    render(
      repeat(shown.toReversed(), keyOf, (call) => this.#row(call)),
      this.#list,
    );
    if (this.#visible) void this.#seen.ask(shown.toReversed());
  }

  #row(call: CallRow) {
    const key = keyOf(call);
    const open = this.#open.has(key);
    const seen = this.#seen.get(call);
    return guard([call, open, seen], () =>
      callRow(call, open, seen, {
        toggle: (now) => this.#toggle(key, now),
        copy: () => void this.#copy(call),
      }),
    );
  }

  #toggle(key: string, open: boolean) {
    if (open === this.#open.has(key)) return;
    if (open) this.#open.add(key);
    else this.#open.delete(key);
    this.#draw();
  }

  #facet(facet: Facet) {
    const selected = this.#filters[facet];
    const found = counts(this.#listed, facet);
    // A selected value stays in the menu even if no call has it.
    const options = selected === "" || found.some(([value]) => value === selected) ? found : [...found, [selected, 0]];
    return html`<select aria-label=${NAMES[facet].replace("Any", "Filter by")} data-facet=${facet}
      @change=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => this.#choose(facet, currentTarget.value)}>
      <option value="" .selected=${selected === ""}>${NAMES[facet]}</option>
      ${options.map(([value, count]) => html`<option value=${value} .selected=${value === selected}>${facet === "caller" ? callerName(String(value)) : value} (${count})</option>`)}
    </select>`;
  }

  #choose(facet: Facet, value: string) {
    this.#filters = { ...this.#filters, [facet]: value };
    save(KEY, this.#filters);
    this.#draw();
  }

  #showOwn(own: boolean) {
    this.#own = own;
    save(OWN_KEY, own);
    // Without them, the filter would match nothing.
    if (!own && this.#filters.caller === PERSON) this.#choose("caller", "");
    this.#drawAll();
  }

  #drawFigures() {
    const calls = this.#listed;
    this.#figures.hidden = calls.length === 0;
    const now = Date.now();
    const minutes = lastMinutes(calls, now);
    const recent = calls.filter(({ started }) => now - Date.parse(started) < MINUTES * 60_000);
    const limit = this.#calls.length >= MAX_CALLS ? html`<p class="muted">Last ${MAX_CALLS} calls.</p>` : nothing;
    render(
      html`
      <p class="activity-counts">${[...counts(calls, "status"), ...counts(calls, "caller")].map(
        ([name, count]) =>
          html`<span class="chip" data-count=${name}>${callerName(name)} ${count.toLocaleString()}</span>`,
      )}</p>
      ${chart(minutes, latency(recent))}${limit}${chartTable(minutes)}`,
      this.#figures,
    );
  }

  async #copy(call: CallRow) {
    const problem = await copyText(JSON.stringify(exported(call), null, 2), "export the calls");
    showProblem(this.#problem, problem);
    if (!problem) this.#announcer.textContent = `Copied the call of ${call.tool}.`;
  }

  #save(ending: "json" | "csv", text: string) {
    const name = `calls-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.${ending}`;
    download(new Blob([text], { type: ending === "json" ? "application/json" : "text/csv" }), name);
    this.#announcer.textContent = `Saved ${counted(this.#shown().length, "call")} as ${name}.`;
  }
}

/** @param uses - returns the companion's counts for models in scheduled runs */
export function showActivity(store: Store, actions: Actions, uses: Parameters<typeof showSpending>[0]) {
  const panel = new ActivityPanel(actions);
  showSpending(uses);
  const changes = byId("activity-changes", HTMLDetailsElement);
  changes.addEventListener("toggle", () => void toggleChanges(changes, actions));
  store.follow(["calls"], (state) => panel.render(state.calls));
  return panel;
}
