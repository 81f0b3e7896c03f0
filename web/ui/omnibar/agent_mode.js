/**
 * Agent mode: starts a run with a task.
 *
 * @import { Strategy } from "../actions.js"
 * @import { Agents } from "../agents/panel.js"
 * @import { Store } from "../store.js"
 * @import { Mode, Suggestion } from "./mode.js"
 */

import { plain } from "./mode.js";

/** @type {{strategy: Strategy, title: string, detail: string}[]} */
const STRATEGIES = [
  { strategy: "react", title: "Step by step", detail: "observes, thinks and acts, one step at a time" },
  { strategy: "plan", title: "Plan first", detail: "plans a few steps ahead; you can see and edit the plan" },
];

/**
 * @param {Store} store
 * @param {Agents} agents
 * @returns {Mode}
 */
export function agentMode(store, agents) {
  return {
    id: "agent",
    label: "Agent",
    placeholder: "Describe a task for an agent",
    prefix: "!",
    wait: 0,
    suggest(text) {
      const task = text.trim();
      /** @type {Suggestion[]} */
      const starts = STRATEGIES.map(({ strategy, title, detail }) => (
        { kind: "run", title: plain(title), detail: plain(detail), run: () => agents.start(task, strategy) }));
      const hasModel = Boolean(store.state.models.chosen);
      /** @type {Suggestion[]} */
      const without = [
        { kind: "demo", title: plain("See a demo"), detail: plain("a script plays the model"), run: () => agents.demo() },
        { kind: "panel", title: plain("Connect a language model"), run: () => agents.connect() },
      ];
      return {
        items: [...(task === "" ? [] : starts), ...(hasModel ? [] : without)],
        note: hasModel ? (task === "" ? "Describe a task." : undefined) : `No language model is set up. ${store.state.models.why ?? ""}`,
      };
    },
  };
}
