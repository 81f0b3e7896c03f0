/** The Agent panel. Its bundle loads when it is first visible. */

import type { GuessFollowUpResult as FollowUp } from "../../../generated/types.ts";
import type { Actions, Strategy } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { controlAlt, onControlAlt } from "../../lib/chords.ts";
import { commands } from "../../lib/commands.ts";
import { byId, showProblem } from "../../lib/elements.ts";
import { LazyView } from "../../lib/lazy_bundles.ts";
import { type Example, startDemo } from "./demo_view.ts";
import { askFollowUp, guessFollowUp } from "./follow_up.ts";
import type { Store } from "../../state/store.ts";
import type { Failure } from "../../state/types.ts";
import type { RunsPanel } from "./main.ts";

export interface Agents {
  /** opens the panel with a run */
  show: (id: string) => Promise<void>;
  /** starts and shows a run */
  start: (task: string, strategy?: Strategy) => Promise<Failure | null>;
  /** continues and shows a run */
  followUp: (task: string, run: string) => Promise<Failure | null>;
  /** whether a message continues the last run; null if there is none, or Python is busy */
  guess: (message: string) => Promise<FollowUp | null>;
  /** the same of a model that costs nothing; null if there is none */
  ask: (message: string) => Promise<FollowUp | null>;
  /** starts and shows the demo, or an example in its place */
  demo: (example?: Example) => Promise<Failure | null>;
  /** opens the dialog that connects a model */
  connect: () => unknown;
  /** opens the panel with a task, which the user starts */
  compose: (task: string) => Promise<void>;
}

/**
 * @param to.connectModel - opens the dialog that connects a model
 * @param to.tab - shows a tab
 * @param to.file - opens a file in the editor
 */
export function showAgents(
  store: Store,
  actions: Actions,
  openPanel: (id: string) => void,
  {
    connectModel,
    tab,
    file,
  }: {
    connectModel: (then: () => unknown) => unknown;
    tab: (tab: string) => void;
    file: (path: string) => unknown;
  },
): Agents {
  const view: LazyView<RunsPanel, typeof import("./main.ts")> = new LazyView({
    id: "agent",
    part: "ui-agents.js",
    create({ showRuns }) {
      const otherClient = () => commands.all.find(({ id }) => id === "connect-client") ?? null;
      const panel = showRuns(actions, { connectModel, tab, file, otherClient });
      store.follow(["runs", "kernel", "models", "tabs"], (state) => panel.render(state));
      return panel;
    },
  });
  const show = async (id: string) => {
    openPanel("agent");
    (await view.get())?.show(id);
  };
  const hasRuns = () => store.state.runs.length > 0;
  const showChanges = async () => {
    openPanel("agent");
    await (await view.get())?.showChanges();
  };
  commands.add({
    id: "run-changes",
    title: "Show what the agent changed",
    keywords: "revert take back undo files diff run",
    shortcut: controlAlt("U"),
    available: hasRuns,
    run: showChanges,
  });
  onControlAlt("U", () => hasRuns() && showChanges());
  const demo = async (example?: Example) => {
    const started = await startDemo(actions, example);
    if (isFailure(started)) return started;
    await show(started.run_id);
    return null;
  };
  commands.add({
    id: "demo",
    title: "Watch the demo",
    keywords: "see example agent try without model",
    starter: 0.5,
    available: () => store.state.kernel === "ready",
    async run() {
      const failure = await demo();
      if (failure === null) return;
      openPanel("agent");
      showProblem(byId("agent-problem", HTMLElement), failure.error);
    },
  });
  return {
    show,
    connect: () => connectModel(() => show("")),
    async compose(task) {
      openPanel("agent");
      (await view.get())?.compose(task);
    },
    async start(task, strategy = "react") {
      const started = await actions.startRun({ task, strategy });
      if (isFailure(started)) return started;
      await show(started.run_id);
      return null;
    },
    async followUp(task, run) {
      const started = await actions.followUp({ run_id: run, task });
      if (isFailure(started)) return started;
      await show(started.run_id);
      return null;
    },
    guess: (message) => guessFollowUp(actions, message),
    ask: (message) => askFollowUp(actions, store.state.models, message),
    demo,
  };
}
