/**
 * The panel of agents' runs. What draws it comes when it is first seen.
 *
 * @import { Actions } from "../actions.js"
 * @import { Failure } from "../types.js"
 * @import { Store } from "../store.js"
 * @import { RunsPanel } from "./main.js"
 *
 * @typedef {object} Agents
 * @property {(id: string) => void} show opens the panel with a run
 * @property {() => Promise<Failure | null>} demo starts the demo, and shows it
 * @property {() => void} settings opens those of language models
 */

import { isFailure } from "../call.js";
import { byId, showProblem } from "../elements.js";
import { loadPart } from "../parts.js";
import { whenChanged } from "../store.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {(id: string) => void} openPanel
 * @param {() => void} settings opens those of language models
 * @returns {Agents}
 */
export function showAgents(store, actions, openPanel, settings) {
  const section = byId("agent", HTMLElement);
  const problem = byId("agent-problem", HTMLElement);
  /** @type {RunsPanel | null} */
  let panel = null;
  /** @type {string | null} */
  let wanted = null;
  const load = async () => {
    try {
      const { showRuns } = await loadPart("ui-agents.js");
      if (panel === null) {
        panel = /** @type {RunsPanel} */ (showRuns(actions, { settings }));
        store.subscribe(whenChanged(({ runs, kernel, models }) => [runs, kernel, models], (state) => panel?.render(state)));
      }
      showProblem(problem, null);
      if (wanted !== null) panel.show(wanted);
      wanted = null;
    } catch (error) {
      const message = `The panel could not be loaded: ${error instanceof Error ? error.message : error}`;
      showProblem(problem, { message, hint: "Open it again when this computer is online." });
    }
  };
  new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && void load()).observe(section);
  const show = (/** @type {string} */ id) => {
    wanted = id;
    openPanel("agent");
    void load();
  };
  return {
    show,
    settings,
    async demo() {
      const started = await actions.startDemo();
      if (isFailure(started)) return started;
      show(started.run_id);
      return null;
    },
  };
}
