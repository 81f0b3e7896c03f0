/**
 * Agent mode: starts a run with a task.
 *
 * @import { Strategy } from "../actions.js"
 * @import { Agents } from "../agents/panel.js"
 * @import { Store } from "../store.js"
 * @import { GuessFollowUpResult as FollowUp } from "../../generated/types.js"
 * @import { Mode, Suggestion, Suggestions } from "./mode.js"
 */

import { ASK_MS, shortTask } from "../agents/follow_up.js";
import { plain } from "./mode.js";
import { pause } from "./pause.js";

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
    async suggest(text, signal) {
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
      const note = hasModel ? (task === "" ? "Describe a task." : undefined) : `No language model is set up. ${store.state.models.why ?? ""}`;
      /** The action of Enter comes first. @param {FollowUp | null} guessed @returns {Suggestions} */
      const shown = (guessed) => ({ items: [...ordered(starts, goesOn(agents, task, guessed), guessed), ...(hasModel ? [] : without)], note });
      if (task === "") return { items: hasModel ? [] : without, note };
      const guessed = hasModel ? await agents.guess(task) : null;
      const found = shown(guessed);
      if (guessed && !guessed.sure && !signal.aborted) {
        found.more = pause(ASK_MS, signal).then(() => agents.ask(task)).then((asked) => (asked ? shown(asked) : found));
      }
      return found;
    },
  };
}

/** @param {Agents} agents @param {string} task @param {FollowUp | null} guessed @returns {Suggestion[]} the item that continues the last run */
function goesOn(agents, task, guessed) {
  const run = guessed?.run_id ?? null;
  if (guessed === null || run === null) return [];
  const detail = guessed.continues ? guessed.why : "with its files, tab and conversation";
  return [{ kind: "go on", title: plain(`Continue “${shortTask(guessed.task)}”`), detail: plain(detail), run: () => agents.followUp(task, run) }];
}

/** @param {Suggestion[]} starts @param {Suggestion[]} more @param {FollowUp | null} guessed */
function ordered(starts, more, guessed) {
  return guessed?.continues ? [...more, ...starts] : [...starts, ...more];
}
