/**
 * The switch of a group of tools.
 *
 * @import { SettingsRow, ToolRow } from "../../generated/types.js"
 * @import { TemplateResult } from "lit"
 */

import { html } from "lit";
import { isPressOf } from "../trusted.js";

/** @typedef {{name: string, on: boolean, tools: ToolRow[]}} Group */

/**
 * Return the groups by name, including those that are off.
 *
 * @param {ToolRow[]} tools the tools that agents can call
 * @param {SettingsRow | null} settings
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
  return [...groups.values()].sort((left, right) => left.name.localeCompare(right.name));
}

/**
 * @param {Group} group
 * @param {boolean} ready
 * @param {(group: string, on: boolean) => void} onSwitch
 * @returns {TemplateResult}
 */
export function groupSwitch({ name, on }, ready, onSwitch) {
  // Only the person may switch, so presses by scripts don't count.
  const press = (/** @type {MouseEvent} */ event) => isPressOf(event) && onSwitch(name, !on);
  return html`<button type="button" role="switch" class="switch" aria-checked=${String(on)} ?disabled=${!ready}
    aria-label="Tool group ${name}" data-group=${name} @click=${press}><span aria-hidden="true"></span
    >${on ? "On" : "Off"}</button>`;
}
