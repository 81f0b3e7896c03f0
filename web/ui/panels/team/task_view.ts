/** One task of a team: its brief, the tasks before it, its question, result and sources. */

import { html, nothing } from "lit";
import { ref } from "lit/directives/ref.js";
import type { Actions } from "../../state/actions.ts";
import { counted, firstLine } from "../../lib/format.ts";
import { markdown } from "../agents/markdown.ts";
import { submitting, valueOf } from "../../lib/forms.ts";
import type { Failure } from "../../state/types.ts";
import { stateOf, waitOf, type Task } from "./texts.ts";

/** the panel that shows the task */
interface Panel {
  actions: Actions;
  isBlocked: boolean;
  act: <Result>(action: () => Promise<Result | Failure>, success: string) => Promise<Result | Failure | null>;
  to: { run: (id: string) => unknown };
  /** suggests mentions in a field */
  mentions: (field: Element | undefined) => void;
}

/** @param tasks - of the team, the leader's first */
export function taskView(panel: Panel, team: string, task: Task, tasks: Task[]) {
  const { actions } = panel;
  const given = { team, task: task.id };
  const isLeader = task === tasks[0];
  const act = (action: () => Promise<object | Failure>, success: string) => () => void panel.act(action, success);
  return html`<li class="team-task" data-task=${task.id} data-status=${task.status}>
    <h4>${task.agent} <span class="muted">${stateOf(task).words}</span></h4>
    ${waitOf(task) === "" ? nothing : html`<p class="team-wait">Waits${waitOf(task)}.</p>`}
    ${task.question === null ? nothing : question(panel, given, task)}
    ${task.status === "waiting" ? editor(panel, given, task) : html`<p class="team-brief">${task.brief}</p>`}
    ${task.expects === "" ? nothing : html`<p class="muted">Expected: ${task.expects}</p>`}
    ${isLeader ? nothing : edges(panel, given, task, tasks)}
    ${task.result === null ? nothing : html`<div class="team-result">${markdown(task.result)}</div>`}
    ${[...task.files, ...task.urls].length === 0 ? nothing : html`<p class="muted">Sources: ${[...task.files, ...task.urls].join(", ")}</p>`}
    ${task.blocked_by === null ? nothing : html`<p class="problem">Can't begin: a task before it isn't done.</p>`}
    ${task.reason === null ? nothing : html`<p class="problem">${task.reason}${task.failures > 0 ? ` (${counted(task.failures, "failure")})` : ""}</p>`}
    <div class="team-buttons">
      ${task.run_id === null ? nothing : html`<button type="button" class="quiet" data-does="Shows the run" @click=${() => panel.to.run(task.run_id ?? "")}>Show run</button>`}
      ${
        task.status === "dead" || task.status === "cancelled"
          ? html`<button type="button" data-action="retry_task" ?disabled=${panel.isBlocked}
        @click=${act(() => actions.retryTask(given), "The task runs again.")}>Retry</button>`
          : nothing
      }
      ${
        ["waiting", "running", "parked"].includes(task.status) && !isLeader
          ? html`<button type="button" class="quiet" data-action="stop_task"
        ?disabled=${panel.isBlocked} @click=${act(() => actions.stopTask(given), "The task was cancelled.")}>Cancel task</button>`
          : nothing
      }</div></li>`;
}

function nameOf({ agent, brief }: Task) {
  return `${agent}: ${firstLine(brief)}`;
}

/** The tasks that come before a task, which can change while it waits. */
function edges(panel: Panel, given: { team: string; task: string }, task: Task, tasks: Task[]) {
  const before = task.after.flatMap((id) => tasks.find((other) => other.id === id) ?? []);
  const canChange = task.status === "waiting";
  const others = tasks.slice(1).filter((other) => other !== task && !before.includes(other));
  return html`${
    before.length === 0
      ? nothing
      : html`<p class="muted">After</p><ul class="team-before">${before.map(
          (other) => html`<li>${nameOf(other)}
      ${
        canChange
          ? html`<button type="button" class="quiet" data-action="unlink_tasks" aria-label=${`Remove: after ${nameOf(other)}`} ?disabled=${panel.isBlocked}
        @click=${() => void panel.act(() => panel.actions.unlinkTasks({ ...given, after: other.id }), "The edge was removed.")}>Remove</button>`
          : nothing
      }</li>`,
        )}</ul>`
  }
    ${
      canChange && others.length > 0
        ? html`<form class="team-link" aria-label=${`Tasks before: ${nameOf(task)}`} @submit=${submitting(
            (form) =>
              void panel.act(
                () => panel.actions.linkTasks({ ...given, after: valueOf(form, "after") }),
                "The edge was added.",
              ),
          )}>
      <label>Wait for <select name="after">${others.map((other) => html`<option value=${other.id}>${nameOf(other)}</option>`)}</select></label>
      <button type="submit" data-action="link_tasks" ?disabled=${panel.isBlocked}>Add</button></form>`
        : nothing
    }`;
}

function editor(panel: Panel, given: { team: string; task: string }, task: Task) {
  const submit = submitting(
    (form) =>
      void panel.act(
        () => panel.actions.editTask({ ...given, brief: valueOf(form, "brief") }),
        "The brief was changed.",
      ),
  );
  return html`<form class="team-form" aria-label=${`Change the brief: ${nameOf(task)}`} @submit=${submit}>
    <label>Brief <textarea name="brief" rows="3" required .value=${task.brief} ${ref(panel.mentions)}></textarea></label>
    <button type="submit" data-action="edit_task" ?disabled=${panel.isBlocked}>Change</button></form>`;
}

function question(panel: Panel, given: { team: string; task: string }, task: Task) {
  const submit = submitting(
    (form) => void panel.act(() => panel.actions.answerTask({ ...given, text: valueOf(form, "text") }), "Answered."),
  );
  return html`<form class="team-form team-question" aria-label=${`Answer: ${nameOf(task)}`} @submit=${submit}>
    <label>${task.question} <input name="text" required autocomplete="off" placeholder="@ mentions agents, files and tabs" ${ref(panel.mentions)}></label>
    <button type="submit" class="primary" data-action="answer_task" ?disabled=${panel.isBlocked}>Answer</button></form>`;
}
