// Names of refs, and the patterns that choose them.
import type { Repository } from "./repository.ts";
import { setting, type Setting } from "./settings.ts";

export const shortName = (name: string) => name.replace(/^refs\/(heads|tags|remotes)\//, "");

/** The ref that a branch follows. */
export function upstreamOf(settings: Setting[], branch: string) {
  const [remote, merge] = [setting(settings, `branch.${branch}.remote`), setting(settings, `branch.${branch}.merge`)];
  if (remote === undefined || merge === undefined) return null;
  return remote === "." ? merge : `refs/remotes/${remote}/${merge.replace(/^refs\/heads\//, "")}`;
}

/** The only remote branch of a name. */
export async function remoteBranch(name: string, { refStore }: Repository) {
  const refs = await refStore.listRefs("refs/remotes");
  const found = refs.filter((ref) => ref.name.replace(/^refs\/remotes\/[^/]+\//, "") === name);
  return found.length === 1 ? (found[0] ?? null) : null;
}

export function matchesGlob(pattern: string, name: string) {
  const escaped = pattern
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${escaped}$`).test(name);
}
