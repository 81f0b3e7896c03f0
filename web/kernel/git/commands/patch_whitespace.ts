// White space of the lines that a patch adds, of which `git apply` warns (`--whitespace` in git-apply(1)).
import { GitProblem } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { faultsOf } from "../differences/whitespace_check.ts";
import { setting, type Setting } from "../repository/settings.ts";

/** a patch, and how git names where it is */
export type Source = { name: string; text: string };

const ACTIONS = new Set(["warn", "nowarn", "error", "error-all"]);
/** of these lines at most, each is named, but with `error-all` */
const MOST_NAMED = 5;

/** The faults of a patch's added lines, as git prints them. */
function faultsIn({ name, text }: Source): string[] {
  const faults: string[] = [];
  let [old, now] = [0, 0];
  for (const [at, line] of text.split("\n").entries()) {
    const [, before = "1", after = "1"] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
    if (line.startsWith("@@ ")) [old, now] = [Number(before), Number(after)];
    else if (old > 0 || now > 0) {
      if (!line.startsWith("+")) old--;
      if (!line.startsWith("-")) now--;
      const found = line.startsWith("+") ? faultsOf(line.slice(1)) : [];
      if (found.length) faults.push(`${name}:${at + 1}: ${found.join(", ")}.\n${line.slice(1)}\n`);
    }
  }
  return faults;
}

/**
 * Return the warnings for what the patches add: of lines, and then of all.
 * @throws {GitProblem} such lines are errors, or the action isn't there
 */
export function whitespaceWarnings(sources: Source[], given: string | undefined, settings: Setting[]) {
  const action = given ?? setting(settings, "apply.whitespace") ?? "warn";
  if (!ACTIONS.has(action))
    refuse(`git apply has no --whitespace=${action} here`, "apply it, and use sed -i 's/[ \\t]*$//' FILE");
  const faults = action === "nowarn" ? [] : sources.flatMap(faultsIn);
  if (faults.length === 0) return { ofLines: "", ofAll: "" };
  const named = action === "error-all" ? faults : faults.slice(0, MOST_NAMED);
  const more = faults.length - named.length;
  const squelched = more ? `warning: squelched ${more} whitespace error${more === 1 ? "" : "s"}\n` : "";
  const lines = `${faults.length} line${faults.length === 1 ? " adds" : "s add"} whitespace errors.`;
  if (action === "warn") return { ofLines: named.join(""), ofAll: `${squelched}warning: ${lines}\n` };
  throw new GitProblem(`${named.join("")}${squelched}error: ${lines}`, 128);
}
