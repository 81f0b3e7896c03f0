/**
 * The Skills panel: the skills in the project's and the home directory's folders, with all their files, to allow or not. A
 * separate bundle.
 */

import { html, nothing, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { SkillRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { shown } from "../../consent/text.ts";
import { showProblem } from "../../lib/elements.ts";
import { bytes, counted } from "../../lib/format.ts";
import { ListPanel } from "../list_panel.ts";
import { icon } from "../../lib/icons.ts";

/** The meaning of each state for agents. */
const STATES = {
  allowed: "Agents can use this.",
  new: "Agents can't use this yet. Read its files, then allow them.",
  changed: "Changed since you allowed it: agents can't use this until you allow its files again.",
};

export class SkillsPanel extends ListPanel<SkillRow[]> {
  /** Contents of opened files, by folder, file and hash. */
  #texts = new Map<string, string>();
  actions: Actions;

  constructor(actions: Actions) {
    super("skills", [], () => actions.listSkills());
    this.actions = actions;
  }

  draw() {
    render(
      html`<div class="skills-heading">
        <p class="muted">A skill is a folder with a <code>SKILL.md</code> in <code>.agents/skills</code> or <code>.claude/skills</code>.</p>
        <button type="button" class="quiet icon" id="skills-refresh" data-focus-next data-action="list_skills" title="Refresh" aria-label="Refresh"
          ?disabled=${this.isBlocked} @click=${() => void this.load()}>${icon("reload")}</button></div>
      ${
        this.shown.length > 0
          ? nothing
          : html`<p class="empty">No skills yet. Upload a skill's folder into <code>/project/.agents/skills</code>, or write one there.</p>`
      }
      ${repeatBy(this.shown, "folder", (row) => this.#skill(row))}`,
      this.body,
    );
  }

  #skill(row: SkillRow) {
    const { folder, name, description, tools, state, files } = row;
    const size = files.reduce((sum, file) => sum + file.size, 0);
    return html`<section class="skill" data-skill=${name} data-state=${state} aria-label=${`Skill ${name}`}>
      <h3>${name}</h3>
      ${row.problem === null ? nothing : html`<p class="problem">${row.problem}</p>`}
      ${description === "" ? nothing : html`<p>${description}</p>`}
      ${state === "broken" ? nothing : html`<p class="muted">${STATES[state]} ${tools === null ? "" : `While it is followed, the agent has only: ${tools.join(", ") || "no tools"}.`}</p>`}
      <details><summary>${counted(files.length, "file")}, ${bytes(size)}, in ${folder}</summary>
        ${repeat(
          files,
          ({ path, sha256 }) => `${path} ${sha256}`,
          (file) => html`<details class="skill-file" data-file=${file.path}
          @toggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => currentTarget.open && void this.#read(folder, file)}>
          <summary>${file.path} <span class="muted">${bytes(file.size)}</span></summary>
          <pre tabindex="0" aria-label=${file.path}>${shown(this.#texts.get(keyOf(folder, file)) ?? "Loading…")}</pre></details>`,
        )}</details>
      <div class="skill-buttons">${
        state === "broken" || state === "allowed"
          ? nothing
          : html`<button type="button" class="primary" data-action="allow_skill" aria-label=${`Allow ${name}`} ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.allowSkill({ folder, fingerprint: row.fingerprint }), `${name} is allowed.`)}>Allow</button>`
      }
        ${
          state === "allowed" || state === "changed"
            ? html`<button type="button" data-action="withdraw_skill" aria-label=${`Withdraw ${name}`}
          ?disabled=${this.isBlocked} @click=${() => void this.act(() => this.actions.withdrawSkill({ folder }), `${name} is no longer allowed.`)}>Withdraw</button>`
            : nothing
        }</div></section>`;
  }

  async #read(folder: string, file: SkillRow["files"][number]) {
    const key = keyOf(folder, file);
    if (this.#texts.has(key)) return;
    const found = await this.actions.readSkill({ folder, file: file.path });
    if (isFailure(found)) showProblem(this.problem, found.error);
    else this.#texts.set(key, found.text);
    this.draw();
  }
}

function keyOf(folder: string, { path, sha256 }: SkillRow["files"][number]) {
  return `${folder}\n${path}\n${sha256}`;
}
