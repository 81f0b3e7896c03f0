/**
 * The switch of a group of tools.
 *
 * @import { Settings, ToolRow } from "../types.js"
 * @import { TemplateResult } from "lit"
 */

import { html } from "lit";

/** @typedef {{name: string, on: boolean, tools: ToolRow[]}} Group */

/**
 * The groups by name, with those that are off.
 *
 * @param {ToolRow[]} tools what agents are told
 * @param {Settings | null} settings
 * @returns {Group[]}
 */
export function groupsOf(tools, settings) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  const off = settings?.tools_off ?? [];
  const names = new Set(off.map(({ name }) => name));
  for (const tool of [...tools.filter(({ name }) => !names.has(name)), ...off]) {
    const name = tool.group ?? "other";
    const group = groups.get(name) ?? { name, on: !settings?.groups_off.includes(name), tools: [] };
    group.tools.push(tool);
    groups.set(name, group);
  }
  return [...groups.values()].sort((one, other) => one.name.localeCompare(other.name));
}

/**
 * @param {Group} group
 * @param {boolean} ready
 * @param {(group: string, on: boolean) => void} flip
 * @returns {TemplateResult}
 */
export function groupSwitch({ name, on }, ready, flip) {
  // A script's click says nothing of what the person wants.
  const press = (/** @type {MouseEvent} */ { isTrusted }) => isTrusted && flip(name, !on);
  return html`<button type="button" role="switch" class="switch" aria-checked=${String(on)} ?disabled=${!ready}
    aria-label="Tools of the group ${name}" data-group=${name} @click=${press}><span aria-hidden="true"></span
    >${on ? "On" : "Off"}</button>`;
}
