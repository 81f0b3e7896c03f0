/** The Source Control panel: the changes of a repository, staged and not, and committing them. A separate bundle. */

import { html, nothing, render } from "lit";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { SourceControlRow } from "../../../generated/types.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { byId, showProblem, focusIn } from "../../lib/elements.ts";
import { counted } from "../../lib/format.ts";
import { agrees } from "../../lib/question.ts";
import { icon } from "../../lib/icons.ts";
import { loadSaved, save } from "../../../shared/local_state.ts";
import type { Actions } from "../../state/actions.ts";
import type { Failure, State } from "../../state/types.ts";
import { commitForm, identityForm } from "./forms.ts";
import { Differences } from "./differences.ts";
import { headLabel, LETTERS, upstreamLabel } from "./labels.ts";

type Change = SourceControlRow["changes"][number];

const MESSAGE = "source_control.message";

export class SourceControlPanel {
  #body = byId("source-control-body", HTMLElement);
  #problem = byId("source-control-problem", HTMLElement);
  #announcer = byId("source-control-announcement", HTMLElement);
  #state: SourceControlRow | null = null;
  #ready = false;
  #busy = false;
  #message = loadSaved(MESSAGE, "");
  #asksIdentity = false;
  #differences: Differences;
  actions: Actions;

  constructor(actions: Actions) {
    this.actions = actions;
    this.#differences = new Differences(actions);
    // Remove the loading note.
    this.#body.replaceChildren();
  }

  render({ sourceControl, kernel }: State) {
    if (sourceControl?.root !== this.#state?.root) this.#differences.clear();
    this.#ready = kernel === "ready";
    this.#state = sourceControl;
    if (sourceControl?.root) void this.#refreshDifferences(sourceControl, sourceControl.root);
    this.#draw();
  }

  async #refreshDifferences({ staged, changes }: SourceControlRow, root: string) {
    await this.#differences.refresh(root, (path, isStaged) =>
      (isStaged ? staged : changes).some((one) => one.path === path),
    );
    this.#draw();
  }

  #draw() {
    const state = this.#state;
    if (state === null) return;
    const had = this.#body.contains(document.activeElement);
    render(state.root === null ? this.#without(state) : this.#repository(state, state.root), this.#body);
    // If the focused element was removed or disabled, keep the focus in the panel.
    if (had && !this.#busy && !this.#body.contains(document.activeElement)) this.#focus();
  }

  #focus() {
    focusIn(this.#body, "#source-control-message, #source-control-init");
  }

  #without({ folder }: SourceControlRow) {
    return html`<p class="empty">${folder} isn't in a git repository.</p>
      <p class="source-control-empty"><button type="button" class="primary" id="source-control-init" data-action="init_repository" data-focus-first ?disabled=${this.#isBlocked}
        @click=${() => void this.#act(() => this.actions.initRepository({ folder }), "Repository initialized.")}>Initialize repository</button></p>`;
  }

  #repository(state: SourceControlRow, root: string) {
    const { staged, changes } = state;
    const none = state.staged_count + state.changes_count === 0;
    return html`${this.#heading(state, root)}
      ${state.problem === null ? nothing : html`<p class="problem" role="alert">${state.problem}</p>`}
      ${this.#asksIdentity ? identityForm((name, email) => void this.#setIdentity(root, name, email), this.#isBlocked) : nothing}
      ${commitForm({
        branch: headLabel(state),
        message: this.#message,
        blocked: this.#isBlocked,
        onInput: (message) => this.#setMessage(message),
        onSubmit: () => void this.#commit(root),
      })}
      ${none && state.problem === null ? html`<p class="empty">No changes.</p>` : nothing}
      ${this.#group("Staged changes", staged, state.staged_count, true, root)}
      ${this.#group("Changes", changes, state.changes_count, false, root)}`;
  }

  #heading(state: SourceControlRow, root: string) {
    const { roots } = state;
    const repository =
      roots.length < 2
        ? html`<span class="source-control-root mono">${root}</span>`
        : html`<select id="source-control-roots" aria-label="Repository" ?disabled=${this.#isBlocked}
          @change=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
            void this.#act(() => this.actions.selectRepository({ root: currentTarget.value }))}>
          ${roots.map((one) => html`<option value=${one} ?selected=${one === root}>${one}</option>`)}</select>`;
    return html`<div class="source-control-heading">${repository}
      <span><strong id="source-control-branch">${headLabel(state)}</strong> <span class="muted">${upstreamLabel(state)}</span></span>
      <button type="button" class="quiet icon" id="source-control-refresh" data-action="refresh_changes" title="Refresh"
        aria-label="Refresh" ?disabled=${this.#isBlocked} @click=${() => void this.#act(() => this.actions.refreshChanges())}>${icon(
          "reload",
        )}</button></div>`;
  }

  #group(title: string, rows: Change[], count: number, staged: boolean, root: string) {
    if (count === 0) return nothing;
    const id = staged ? "source-control-staged" : "source-control-changes";
    const all = staged
      ? html`<button type="button" class="quiet" id="source-control-unstage-all" data-action="unstage_changes" title="Unstage all" aria-label="Unstage all"
          ?disabled=${this.#isBlocked} @click=${() => void this.#unstage(root)}>−</button>`
      : html`<button type="button" class="quiet" id="source-control-discard-all" data-action="discard_changes" title="Discard all changes" aria-label="Discard all changes"
          ?disabled=${this.#isBlocked} @click=${() => void this.#discard(root, rows, count)}>↶</button>
        <button type="button" class="quiet" id="source-control-stage-all" data-action="stage_changes" title="Stage all" aria-label="Stage all"
          ?disabled=${this.#isBlocked} @click=${() => void this.#stage(root)}>+</button>`;
    return html`<section aria-labelledby="${id}-title">
      <div class="source-control-row"><h3 id="${id}-title">${title} <span class="muted">${count}</span></h3>${all}</div>
      <ul class="source-control-list"
        id=${id}>${repeatBy(rows, "path", (change) => this.#row(change, staged, root))}</ul>
      ${rows.length < count ? html`<p class="muted">${counted(count - rows.length, "more file")}</p>` : nothing}</section>`;
  }

  #row(change: Change, staged: boolean, root: string) {
    const { path, letter } = change;
    const place = this.#differences.place(path, staged);
    const at = path.replace(/\/$/, "").lastIndexOf("/");
    const buttons = staged
      ? html`<button type="button" class="quiet" data-do="unstage" data-action="unstage_changes" title="Unstage" aria-label=${`Unstage ${path}`} ?disabled=${this.#isBlocked}
          @click=${() => void this.#unstage(root, [path])}>−</button>`
      : html`${
          letter === "!"
            ? nothing
            : html`<button type="button" class="quiet" data-do="discard" data-action="discard_changes" title="Discard changes" aria-label=${`Discard changes of ${path}`}
            ?disabled=${this.#isBlocked} @click=${() => void this.#discard(root, [change], 1)}>↶</button>`
        }
        <button type="button" class="quiet" data-do="stage" data-action="stage_changes" title="Stage" aria-label=${`Stage ${path}`} ?disabled=${this.#isBlocked}
          @click=${() => void this.#stage(root, [path])}>+</button>`;
    return html`<li data-path=${path}><div class="source-control-row">
        <button type="button" class="quiet source-control-file" aria-expanded=${place !== null} title=${path}
          @click=${() => void this.#toggle(root, path, staged)}>
          <span class="source-control-name" data-letter=${letter}>${path.slice(at + 1)}</span>
          <span class="source-control-folder muted">${path.slice(0, Math.max(at, 0))}</span>
          <abbr class="source-control-letter" data-letter=${letter} title=${LETTERS[letter] ?? ""}>${letter}</abbr></button>
        ${buttons}</div>${place ?? nothing}</li>`;
  }

  get #isBlocked() {
    return this.#busy || !this.#ready;
  }

  async #toggle(root: string, path: string, staged: boolean) {
    await this.#differences.toggle(root, path, staged);
    this.#draw();
  }

  #setMessage(message: string) {
    this.#message = message;
    save(MESSAGE, message || undefined);
  }

  #stage(root: string, paths?: string[]) {
    return this.#act(
      () => this.actions.stageChanges({ root, paths }),
      ({ paths: done }) => `${counted(done.length, "file")} staged.`,
    );
  }

  #unstage(root: string, paths?: string[]) {
    return this.#act(
      () => this.actions.unstageChanges({ root, paths }),
      ({ paths: done }) => `${counted(done.length, "file")} unstaged.`,
    );
  }

  async #discard(root: string, rows: Change[], count: number) {
    const [first] = rows;
    const untracked = rows.every(({ letter }) => letter === "U");
    const what = count === 1 ? (first?.path ?? "") : counted(count, "file");
    const text = untracked
      ? "Untracked files move to the trash."
      : "The files are as they were last staged or committed. Untracked files move to the trash.";
    const title = untracked ? `Delete ${what}?` : `Discard the changes of ${what}?`;
    if (!(await agrees(title, text, { value: "discard", label: untracked ? "Delete" : "Discard" }))) return;
    const paths = count === rows.length ? rows.map(({ path }) => path) : undefined;
    await this.#act(
      () => this.actions.discardChanges({ root, paths }),
      ({ paths: done }) => `${counted(done.length, "file")} discarded.`,
    );
  }

  /** @param all - stage all changes first */
  async #commit(root: string, all = false) {
    const message = this.#message;
    const done = await this.#act(
      () => this.actions.commitChanges({ root, message, stage_all: all }),
      ({ commit }) => `Committed ${commit}.`,
    );
    if (done === null) return;
    if (!isFailure(done)) {
      this.#setMessage("");
      this.#asksIdentity = false;
    } else if (done.error.type === "IdentityMissing") this.#asksIdentity = true;
    else if (done.error.type === "NothingStaged" && (this.#state?.changes_count ?? 0) > 0) {
      showProblem(this.#problem, null);
      const yes = { value: "all", label: "Stage all and commit" };
      if (await agrees("No staged changes", "Stage all changes and commit them?", yes)) await this.#commit(root, true);
    }
    this.#draw();
    focusIn(this.#body, "#source-control-user-name, #source-control-message");
  }

  async #setIdentity(root: string, name: string, email: string) {
    const done = await this.#act(() => this.actions.setIdentity({ root, name, email }), "Author saved.");
    if (done !== null && isFailure(done)) return;
    this.#asksIdentity = false;
    this.#draw();
    this.#focus();
  }

  /** Run an action, and show its error or announce its success. Returns null while another action runs. */
  async #act<Result>(action: () => Promise<Result | Failure>, success: string | ((result: Result) => string) = "") {
    if (this.#busy) return null;
    this.#busy = true;
    this.#draw();
    const done = await action();
    this.#busy = false;
    showProblem(this.#problem, isFailure(done) ? done.error : null);
    if (!isFailure(done)) this.#announcer.textContent = typeof success === "string" ? success : success(done as Result);
    this.#draw();
    if (document.activeElement === document.body) this.#focus();
    return done;
  }
}
