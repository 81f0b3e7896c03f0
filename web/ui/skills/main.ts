/**
 * The Skills panel: the skills in the project's and the home directory's folders, with all their files, to allow or not. A
 * separate bundle.
 *
 * @import { Actions } from "../actions.js"
 * @import { SkillRow } from "../../generated/types.js"
 */

import { html, nothing, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { isFailure } from "../call.js";
import { shown } from "../consent/text.js";
import { showProblem } from "../elements.js";
import { bytes, counted } from "../format.js";
import { ListPanel } from "../list_panel.js";
import { icon } from "../workbench/icons.js";

/** The meaning of each state for agents. */
const STATES = {
  allowed: "Allowed: agents follow it.",
  new: "New: agents can't follow it until you allow its files.",
  changed: "Changed since you allowed it: agents can't follow it until you allow its files again.",
};

/** @extends {ListPanel<SkillRow[]>} */
export class SkillsPanel extends ListPanel {
  /** Texts of opened files, by folder, file and hash. @type {Map<string, string>} */
  #texts = new Map();

  /** @param {Actions} actions */
  constructor(actions) {
    super("skills", [], () => actions.listSkills());
    this.actions = actions;
  }

  draw() {
    render(html`<div class="skills-heading">
        <p class="muted">A skill is a folder with a <code>SKILL.md</code> in <code>.agents/skills</code> or <code>.claude/skills</code>.</p>
        <button type="button" class="quiet icon" id="skills-refresh" data-focus-next data-action="list_skills" title="Refresh" aria-label="Refresh"
          ?disabled=${this.isBlocked} @click=${() => void this.load()}>${icon("reload")}</button></div>
      ${this.shown.length > 0 ? nothing
        : html`<p class="empty">No skills yet. Upload a skill's folder into <code>/project/.agents/skills</code>, or write one there.</p>`}
      ${repeat(this.shown, ({ folder }) => folder, (row) => this.#skill(row))}`, this.body);
  }

  /** @param {SkillRow} row */
  #skill(row) {
    const { folder, name, description, tools, state, files } = row;
    const size = files.reduce((sum, file) => sum + file.size, 0);
    return html`<section class="skill" data-skill=${name} data-state=${state} aria-label=${`Skill ${name}`}>
      <h3>${name}</h3>
      ${row.problem === null ? nothing : html`<p class="problem">${row.problem}</p>`}
      ${description === "" ? nothing : html`<p>${description}</p>`}
      ${state === "broken" ? nothing : html`<p class="muted">${STATES[state]} ${tools === null ? "" : `While it is followed, the agent has only: ${tools.join(", ") || "no tools"}.`}</p>`}
      <details><summary>${counted(files.length, "file")}, ${bytes(size)}, in ${folder}</summary>
        ${repeat(files, ({ path, sha256 }) => `${path} ${sha256}`, (file) => html`<details class="skill-file" data-file=${file.path}
          @toggle=${(/** @type {{currentTarget: HTMLDetailsElement}} */ { currentTarget }) => currentTarget.open && void this.#read(folder, file)}>
          <summary>${file.path} <span class="muted">${bytes(file.size)}</span></summary>
          <pre tabindex="0" aria-label=${file.path}>${shown(this.#texts.get(keyOf(folder, file)) ?? "Loading…")}</pre></details>`)}</details>
      <div class="skill-buttons">${state === "broken" || state === "allowed" ? nothing
        : html`<button type="button" class="primary" data-action="allow_skill" aria-label=${`Allow ${name}`} ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.allowSkill({ folder, fingerprint: row.fingerprint }), `${name} is allowed.`)}>Allow</button>`}
        ${state === "allowed" || state === "changed" ? html`<button type="button" data-action="withdraw_skill" aria-label=${`Withdraw ${name}`}
          ?disabled=${this.isBlocked} @click=${() => void this.act(() => this.actions.withdrawSkill({ folder }), `${name} is no longer allowed.`)}>Withdraw</button>`
          : nothing}</div></section>`;
  }

  /** @param {string} folder @param {SkillRow["files"][number]} file */
  async #read(folder, file) {
    const key = keyOf(folder, file);
    if (this.#texts.has(key)) return;
    const found = await this.actions.readSkill({ folder, file: file.path });
    if (isFailure(found)) showProblem(this.problem, found.error);
    else this.#texts.set(key, found.text);
    this.draw();
  }
}

/** @param {string} folder @param {SkillRow["files"][number]} file */
function keyOf(folder, { path, sha256 }) {
  return `${folder}\n${path}\n${sha256}`;
}
