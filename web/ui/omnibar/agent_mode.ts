/** Agent mode: starts a run with a task. */

import type { GuessFollowUpResult as FollowUp } from "../../generated/types.ts";
import type { Strategy } from "../state/actions.ts";
import { ASK_MS, shortTask } from "../panels/agents/follow_up.ts";
import type { Agents } from "../panels/agents/panel.ts";
import type { Store } from "../state/store.ts";
import { plain, type Mode, type Suggestion, type Suggestions } from "./mode.ts";
import { pause } from "./pause.ts";

const STRATEGIES: { strategy: Strategy; title: string; detail: string }[] = [
  { strategy: "react", title: "Step by step", detail: "observes, thinks and acts, one step at a time" },
  { strategy: "plan", title: "Plan first", detail: "plans a few steps ahead; you can see and edit the plan" },
  { strategy: "code", title: "Write code", detail: "writes Python that does many steps at once" },
];

export function agentMode(store: Store, agents: Agents): Mode {
  return {
    id: "agent",
    label: "Agent",
    placeholder: "Describe a task for an agent",
    prefix: "!",
    wait: 0,
    async suggest(text, signal) {
      const task = text.trim();
      const starts: Suggestion[] = STRATEGIES.map(({ strategy, title, detail }) => ({
        kind: "run",
        title: plain(title),
        detail: plain(detail),
        run: () => agents.start(task, strategy),
      }));
      const hasModel = Boolean(store.state.models.chosen);
      const without: Suggestion[] = [
        {
          kind: "demo",
          title: plain("Watch the demo"),
          detail: plain("a script plays the model"),
          run: () => agents.demo(),
        },
        { kind: "panel", title: plain("Connect a language model"), run: () => agents.connect() },
      ];
      const note = hasModel
        ? task === ""
          ? "Describe a task."
          : undefined
        : `No language model is set up. ${store.state.models.why ?? ""}`;
      /** The action of Enter comes first. */
      const shown = (guessed: FollowUp | null): Suggestions => ({
        items: [...ordered(starts, goesOn(agents, task, guessed), guessed), ...(hasModel ? [] : without)],
        note,
      });
      if (task === "") return { items: hasModel ? [] : without, note };
      const guessed = hasModel ? await agents.guess(task) : null;
      const found = shown(guessed);
      if (guessed && !guessed.sure && !signal.aborted) {
        found.more = pause(ASK_MS, signal)
          .then(() => agents.ask(task))
          .then((asked) => (asked ? shown(asked) : found));
      }
      return found;
    },
  };
}

/** @returns the item that continues the last run */
function goesOn(agents: Agents, task: string, guessed: FollowUp | null): Suggestion[] {
  const run = guessed?.run_id ?? null;
  if (guessed === null || run === null) return [];
  const detail = guessed.continues ? guessed.why : "with its files, tab and conversation";
  return [
    {
      kind: "go on",
      title: plain(`Continue “${shortTask(guessed.task)}”`),
      detail: plain(detail),
      run: () => agents.followUp(task, run),
    },
  ];
}

function ordered(starts: Suggestion[], more: Suggestion[], guessed: FollowUp | null) {
  return guessed?.continues ? [...more, ...starts] : [...starts, ...more];
}
