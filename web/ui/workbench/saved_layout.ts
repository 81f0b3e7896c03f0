/** The layout that this browser has saved, also one of an earlier version of the page. */

import { loadSaved, save } from "../../shared/local_state.ts";
import { LAYOUT_VERSION, type SavedLayout } from "./dock.ts";

const NAME = "layout";

/** the panels of an earlier layout, whose positions mean nothing now */
export interface EarlierLayout {
  open: string[];
  /** those in front */
  shown: string[];
}

/** @returns null if none is saved */
export function loadLayout(): SavedLayout | EarlierLayout | null {
  const saved = loadSaved<unknown>(NAME, null);
  if (typeof saved !== "object" || saved === null) return null;
  // What was saved as this version has its form, or the dock refuses it.
  if ("version" in saved && saved.version === LAYOUT_VERSION) return saved as SavedLayout;
  const groups = groupsIn(saved);
  return { open: groups.flatMap(({ views }) => views), shown: groups.flatMap(({ front }) => front ?? []) };
}

export function saveLayout(layout: SavedLayout | undefined) {
  save(NAME, layout);
}

/** Return the groups of panels in a layout of dockview's, at any depth. */
function groupsIn(value: unknown): { views: string[]; front: string | null }[] {
  if (Array.isArray(value)) return value.flatMap(groupsIn);
  if (typeof value !== "object" || value === null) return [];
  if (!("views" in value) || !Array.isArray(value.views)) return Object.values(value).flatMap(groupsIn);
  const views = value.views.filter((id) => typeof id === "string");
  const front = "activeView" in value && typeof value.activeView === "string" ? value.activeView : null;
  return [{ views, front }];
}
