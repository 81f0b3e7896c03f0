// Names of refs, and the patterns that choose them.
import { setting, type Setting } from "./settings.ts";

export const shortName = (name: string) => name.replace(/^refs\/(heads|tags|remotes)\//, "");

/** The ref that a branch follows. */
export function upstreamOf(settings: Setting[], branch: string) {
  const [remote, merge] = [setting(settings, `branch.${branch}.remote`), setting(settings, `branch.${branch}.merge`)];
  if (remote === undefined || merge === undefined) return null;
  return remote === "." ? merge : `refs/remotes/${remote}/${merge.replace(/^refs\/heads\//, "")}`;
}

export function matchesGlob(pattern: string, name: string) {
  const escaped = pattern
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${escaped}$`).test(name);
}
