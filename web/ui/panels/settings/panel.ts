/** The page's own settings: theme, tools for agents, storage. */

import { html, nothing, render } from "lit";
import { isFailure } from "../../state/kernel_calls.ts";
import { byId, showProblem } from "../../lib/elements.ts";
import { bytes, counted } from "../../lib/format.ts";
import { FORMAT_ON_SAVE } from "../editor/code_helper.ts";
import { loadSaved, save } from "../../../shared/local_state.ts";
import type { Actions } from "../../state/actions.ts";
import type { Store } from "../../state/store.ts";
import type { Terminals } from "../terminals/terminals.ts";
import { setTheme, currentTheme, onThemeChange, THEMES, type Theme } from "../../lib/theme.ts";
import { groupLabel, groupsOf, groupSwitch } from "../tools/group_switch.ts";
import type { State, StorageUse } from "../../state/types.ts";

class SettingsPanel {
  #section = byId("settings", HTMLElement);
  #problem = byId("settings-problem", HTMLElement);
  #state: State | null = null;
  #used: StorageUse[] | null = null;
  actions: Actions;
  terminals: Terminals;

  constructor(actions: Actions, terminals: Terminals) {
    this.actions = actions;
    this.terminals = terminals;
    // A command of the search bar can also change it.
    onThemeChange(() => this.#draw());
    // Counting takes longer with more files, so it waits until the panel is visible.
    new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void this.#measure();
    }).observe(this.#section);
  }

  render(state: State) {
    const started = state.kernel === "ready" && this.#state?.kernel !== "ready";
    this.#state = state;
    this.#draw();
    if (started && this.#section.checkVisibility()) void this.#measure();
  }

  #draw() {
    if (!this.#state) return;
    render(this.#themes(), byId("settings-theme", HTMLElement));
    render(this.#aloud(), byId("settings-aloud", HTMLElement));
    render(this.#editor(), byId("settings-editor", HTMLElement));
    render(this.#groups(), byId("settings-groups", HTMLElement));
    render(this.#storage(), byId("settings-storage", HTMLElement));
  }

  get #ready() {
    return this.#state?.kernel === "ready";
  }

  #themes() {
    const current = currentTheme();
    return THEMES.map(
      ({ value, label }) => html`<label><input type="radio" name="theme" value=${value}
      .checked=${value === current} @change=${() => this.#choose(value)}> ${label}</label>`,
    );
  }

  #choose(theme: Theme) {
    setTheme(theme);
  }

  #aloud() {
    return html`<label><input type="checkbox" .checked=${this.terminals.aloud}
      @change=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        this.terminals.readAloud(currentTarget.checked)}> Read terminals aloud</label>`;
  }

  #editor() {
    return html`<label><input type="checkbox" .checked=${loadSaved(FORMAT_ON_SAVE, false)}
      @change=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        save(FORMAT_ON_SAVE, currentTarget.checked || undefined)}> Format Python files on save</label>`;
  }

  #groups() {
    // Nothing is drawn before there is a state.
    const { tools, settings } = this.#state as State;
    return html`<ul class="rows" aria-labelledby="groups-title">${groupsOf(tools, settings).map(
      (group) => html`<li>
      <span><b>${groupLabel(group.name)}</b> <span class="muted">${counted(group.tools.length, "tool")}</span></span>
      ${groupSwitch(group, this.#ready, (name, on) => this.#do(this.actions.switchGroup({ group: name, on })))}</li>`,
    )}</ul>`;
  }

  #storage() {
    const { used, quota } = this.#state?.measured ?? {};
    return html`
      ${
        this.#used === null
          ? html`<p class="muted">Available when Python has started.</p>`
          : html`
        <table><caption class="visually-hidden">Data stored in this browser</caption>
          <thead><tr><th scope="col">Item</th><th scope="col">Files</th><th scope="col">Size</th></tr></thead>
          <tbody>${this.#used.map(
            (used) => html`<tr><th scope="row">${used.what}<code>${used.path}</code></th>
            <td>${used.entries.toLocaleString()}</td><td>${bytes(used.bytes)}</td></tr>`,
          )}</tbody></table>`
      }
      ${
        used == null || quota == null
          ? nothing
          : html`<p>The surface uses <b>${bytes(used)}</b> of ${bytes(quota)} that the browser allows, with the space that
        the database reserves and the offline copy of Python.</p>
        <meter min="0" max=${quota} .value=${used} aria-label="Storage used">${bytes(used)}</meter>`
      }
      <button type="button" id="measure" ?disabled=${!this.#ready} @click=${() => this.#measure()}>Refresh</button>`;
  }

  async #measure() {
    if (!this.#ready) return;
    const used = await this.actions.storageUsage();
    if (isFailure(used)) {
      showProblem(this.#problem, used.error);
      return;
    }
    this.#used = used;
    this.#draw();
  }

  async #do(asked: Promise<unknown>) {
    showProblem(this.#problem, null);
    const answer = await asked;
    if (isFailure(answer)) showProblem(this.#problem, answer.error);
  }
}

export function showSettings(store: Store, actions: Actions, terminals: Terminals) {
  const panel = new SettingsPanel(actions, terminals);
  store.follow(
    // The figure of the status line, so that both agree.
    ({ measured }) => [measured?.used, measured?.quota],
    (state) => panel.render(state),
  );
  store.follow(["kernel", "tools", "settings"], (state) => panel.render(state));
}
