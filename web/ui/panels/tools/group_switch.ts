/** The switch of a group of tools. */

import { html, type TemplateResult } from "lit";
import type { SettingsRow, ToolRow } from "../../../generated/types.ts";
import { isPressOf } from "../../lib/trusted.ts";

export type Group = { name: string; on: boolean; tools: ToolRow[] };

const LABELS: Record<string, string> = {
  dom: "Browser",
  dom_extra: "Browser, more",
  eyes: "Pictures",
  mcp: "MCP servers",
  web: "Web search",
  team: "Teams",
};

/** Return a group's name, as users read it. */
export function groupLabel(name: string): string {
  return Object.hasOwn(LABELS, name) ? LABELS[name] : name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

/**
 * Return the groups by name, including those that are off.
 *
 * @param tools - the tools that agents can call
 */
export function groupsOf(tools: ToolRow[], settings: SettingsRow | null): Group[] {
  const groups = new Map<string, Group>();
  const off = settings?.tools_off ?? [];
  const names = new Set(off.map(({ name }) => name));
  for (const tool of [...tools.filter(({ name }) => !names.has(name)), ...off]) {
    const name = tool.group ?? "other";
    const group = groups.get(name) ?? { name, on: !settings?.groups_off.includes(name), tools: [] };
    group.tools.push(tool);
    groups.set(name, group);
  }
  return [...groups.values()].sort((left, right) => groupLabel(left.name).localeCompare(groupLabel(right.name)));
}

export function groupSwitch(
  { name, on }: Group,
  ready: boolean,
  onSwitch: (group: string, on: boolean) => void,
): TemplateResult {
  // Only the user may switch, so presses by scripts don't count.
  const press = (event: MouseEvent) => isPressOf(event) && onSwitch(name, !on);
  return html`<button type="button" role="switch" class="switch" aria-checked=${String(on)} ?disabled=${!ready}
    aria-label="Tool group ${groupLabel(name)}" data-group=${name} @click=${press}><span aria-hidden="true"></span
    >${on ? "On" : "Off"}</button>`;
}
