/** The words of Source Control, in the panel and the status line. */

import type { SourceControlRow } from "../../../generated/types.ts";
import { counted } from "../../lib/format.ts";

export const LETTERS: Record<string, string> = {
  M: "Modified",
  A: "Added",
  D: "Deleted",
  T: "Type changed",
  U: "Untracked",
  "!": "Conflict",
};

/** The branch, or the commit if HEAD is detached. */
export const headLabel = ({ head, commit }: SourceControlRow) =>
  head.branch ?? (commit === null ? "No branch" : `${commit} (detached)`);

/** The numbers of commits to push and to pull. */
export function upstreamLabel({ head: { upstream, ahead, behind } }: SourceControlRow) {
  if (upstream === null) return "";
  const counts = [ahead > 0 ? `${ahead} ahead of` : "", behind > 0 ? `${behind} behind` : ""]
    .filter(Boolean)
    .join(", ");
  return `${counts === "" ? "up to date with" : counts} ${upstream}`;
}

/** The label in the status line: the branch and the number of changed files. */
export function statusLabel(state: SourceControlRow) {
  const count = state.staged_count + state.changes_count;
  return count === 0 ? headLabel(state) : `${headLabel(state)}, ${counted(count, "change")}`;
}
