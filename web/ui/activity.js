/**
 * The activity log: every tool call with its caller, arguments, result and time, newest first.
 *
 * @import { Call } from "./types.js"
 * @import { Store } from "./store.js"
 */

import { byId, h } from "./elements.js";
import { clock, counted, duration, fullTime, laidOut, oneLine, plainJson } from "./format.js";
import { whenChanged } from "./store.js";

const BRIEF_ARGUMENTS = 160;

/** @typedef {{element: HTMLDetailsElement, call: Call}} Row */

class ActivityPanel {
  #list = byId("activity-list", HTMLElement);
  #filter = byId("activity-filter", HTMLInputElement);
  #empty = byId("activity-empty", HTMLElement);
  #count = byId("activity-count", HTMLElement);
  /** @type {Map<string, Row>} */
  #rows = new Map();

  constructor() {
    this.#filter.addEventListener("input", () => this.#applyFilter());
  }

  /** @param {Call[]} calls oldest first */
  render(calls) {
    const kept = new Set(calls.map(keyOf));
    for (const [key, { element }] of this.#rows) {
      if (kept.has(key)) continue;
      element.remove();
      this.#rows.delete(key);
    }
    for (const call of calls) this.#place(call);
    this.#count.textContent = calls.length > 0 ? counted(calls.length, "call") : "";
    this.#applyFilter();
  }

  /** Opens the row of a call, and puts the keyboard there. @param {number} id */
  show(id) {
    this.#filter.value = "";
    this.#applyFilter();
    const row = [...this.#rows.values()].findLast(({ call }) => call.id === id);
    if (!row) return;
    row.element.open = true;
    row.element.scrollIntoView({ block: "nearest" });
    row.element.querySelector("summary")?.focus();
  }

  /** @param {Call} call */
  #place(call) {
    const row = this.#rows.get(keyOf(call));
    if (row?.call === call) return;
    const element = row?.element ?? this.#add(keyOf(call));
    drawCall(element, call);
    this.#rows.set(keyOf(call), { element, call });
  }

  /** @param {string} key */
  #add(key) {
    const element = h("details", { class: "call" });
    // Few rows are ever opened, and a burst of calls makes hundreds of them.
    element.addEventListener("toggle", () => {
      const row = this.#rows.get(key);
      if (row && element.open) drawDetails(element, row.call);
    });
    this.#list.prepend(element);
    return element;
  }

  #applyFilter() {
    const words = this.#filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { element, call } of this.#rows.values()) {
      element.hidden = words.length > 0 && !matches(call, words);
      if (!element.hidden) shown += 1;
    }
    this.#empty.hidden = shown > 0;
    this.#empty.textContent = this.#rows.size === 0
      ? "No tool was called yet. Calls by agents, scripts and you are listed here, with their results."
      : "No call matches the filter. Clear it to see all of them.";
  }
}

/**
 * A call's name on the page: a kernel that takes the place of a dead one counts from 1 again.
 *
 * @param {Call} call
 */
function keyOf({ id, started }) {
  return `${started} ${id}`;
}

/** @param {Call} call */
function status({ ok }) {
  return ok === null ? "running" : ok ? "done" : "failed";
}

/** @param {Call} call @param {string[]} words */
function matches(call, words) {
  const { tool, caller, effect, arguments: given, result_preview: result } = call;
  const text = [tool, caller, effect, status(call), JSON.stringify(given), result].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * @param {HTMLDetailsElement} element
 * @param {Call} call
 */
function drawCall(element, call) {
  const { tool, caller, duration_ms: took } = call;
  const state = status(call);
  element.dataset.status = state;
  element.replaceChildren(
    h("summary", {},
      h("span", { class: "call-status" }, h("span", { class: "visually-hidden" }, `${state}: `)),
      h("span", { class: "call-tool" }, tool),
      h("span", { class: "call-time" }, took === null ? "running" : duration(took)),
      h("span", { class: "call-facts" },
        h("span", { class: "chip" }, caller),
        h("span", { class: "call-brief" }, oneLine(call.arguments, BRIEF_ARGUMENTS)))),
  );
  if (element.open) drawDetails(element, call);
}

/**
 * @param {HTMLDetailsElement} element
 * @param {Call} call
 */
function drawDetails(element, call) {
  const { effect, started, result_preview: result } = call;
  element.querySelector("dl")?.remove();
  element.append(
    h("dl", {},
      ...field("Started", h("time", { datetime: started, title: fullTime(started) }, clock(started))),
      ...field("Effect", effect),
      ...field("Arguments", h("pre", { tabindex: 0 }, plainJson(call.arguments))),
      ...(result === null ? [] : field(status(call) === "failed" ? "Error" : "Result", resultBlock(result)))),
  );
}

/** @param {string} result */
function resultBlock(result) {
  return h("pre", { tabindex: 0 }, laidOut(result));
}

/**
 * @param {string} name
 * @param {HTMLElement | string} value
 */
function field(name, value) {
  return [h("dt", {}, name), h("dd", {}, value)];
}

/** @param {Store} store */
export function showActivity(store) {
  const panel = new ActivityPanel();
  store.subscribe(whenChanged(({ calls }) => [calls], (state) => panel.render(state.calls)));
  return panel;
}
