/**
 * The words of Source Control, in the panel and the status line.
 *
 * @import { SourceControlRow } from "../../generated/types.js"
 */

import { counted } from "../format.js";

/** @type {Record<string, string>} */
export const LETTERS = { M: "Modified", A: "Added", D: "Deleted", T: "Type changed", U: "Untracked", "!": "Conflict" };

/** The branch, or the commit if HEAD is detached. @param {SourceControlRow} state */
export const headLabel = ({ head, commit }) => head.branch ?? (commit === null ? "No branch" : `${commit} (detached)`);

/** The numbers of commits to push and to pull. @param {SourceControlRow} state */
export function upstreamLabel({ head: { upstream, ahead, behind } }) {
  if (upstream === null) return "";
  const counts = [ahead > 0 ? `${ahead} ahead of` : "", behind > 0 ? `${behind} behind` : ""].filter(Boolean).join(", ");
  return `${counts === "" ? "up to date with" : counts} ${upstream}`;
}

/** The label in the status line: the branch and the number of changed files. @param {SourceControlRow} state */
export function statusLabel(state) {
  const count = state.staged_count + state.changes_count;
  return count === 0 ? headLabel(state) : `${headLabel(state)}, ${counted(count, "change")}`;
}
