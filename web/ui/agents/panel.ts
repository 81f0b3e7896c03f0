/**
 * The Agent panel. Its bundle loads when it is first visible.
 *
 * @import { Actions, Strategy } from "../actions.js"
 * @import { GuessFollowUpResult as FollowUp } from "../../generated/types.js"
 * @import { Failure } from "../types.js"
 * @import { Store } from "../store.js"
 * @import { RunsPanel } from "./main.js"
 *
 * @typedef {object} Agents
 * @property {(id: string) => Promise<void>} show opens the panel with a run
 * @property {(task: string, strategy?: Strategy) => Promise<Failure | null>} start starts and shows a run
 * @property {(task: string, run: string) => Promise<Failure | null>} followUp continues and shows a run
 * @property {(message: string) => Promise<FollowUp | null>} guess whether a message continues the last run; null if there is none, or Python is busy
 * @property {(message: string) => Promise<FollowUp | null>} ask the same of a model that costs nothing; null if there is none
 * @property {() => Promise<Failure | null>} demo starts and shows the demo
 * @property {() => unknown} connect opens the dialog that connects a model
 * @property {(task: string) => Promise<void>} compose opens the panel with a task, which the person starts
 */

import { isFailure } from "../call.js";
import { commands } from "../commands.js";
import { byId } from "../elements.js";
import { LazyView } from "../parts.js";
import { askFollowUp, guessFollowUp } from "./follow_up.js";
import { whenChanged } from "../store.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {(id: string) => void} openPanel
 * @param {object} to
 * @param {(then: () => unknown) => unknown} to.connectModel opens the dialog that connects a model
 * @param {(tab: string) => void} to.tab shows a tab
 * @param {(path: string) => unknown} to.file opens a file in the editor
 * @returns {Agents}
 */
export function showAgents(store, actions, openPanel, { connectModel, tab, file }) {
  /** @type {LazyView<RunsPanel>} */
  const view = new LazyView({
    part: "ui-agents.js",
    place: byId("agent", HTMLElement),
    problem: byId("agent-problem", HTMLElement),
    create({ showRuns }) {
      const panel = /** @type {RunsPanel} */ (showRuns(actions, { connectModel, tab, file }));
      store.subscribe(whenChanged(({ runs, kernel, models, tabs }) => [runs, kernel, models, tabs], (state) => panel.render(state)));
      return panel;
    },
  });
  const show = async (/** @type {string} */ id) => {
    openPanel("agent");
    (await view.get())?.show(id);
  };
  commands.add({
    id: "run-changes", title: "Show what the agent changed", keywords: "revert take back undo files diff run",
    available: () => store.state.runs.length > 0,
    async run() {
      openPanel("agent");
      await (await view.get())?.showChanges();
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
    async demo() {
      const started = await actions.startDemo();
      if (isFailure(started)) return started;
      await show(started.run_id);
      return null;
    },
  };
}
