// The options of `git diff` that are refused, and the ways that work.
import { refuse } from "../repository/refusals.ts";

const WAYS: [RegExp, string][] = [
  [/^--color/, "use --word-diff, which is colored on a terminal"],
  [/^--(patience|histogram|anchored|diff-algorithm)/, "leave it out: the algorithm is Myers'"],
  [/^--(dirstat|cumulative)|^-X/, "use --stat"],
  [/^-m$/, "use --first-parent, or git diff COMMIT^2 COMMIT"],
  [/^-O/, "name the paths that are wanted"],
  [/^-[BlD]|^--(break-rewrites|irreversible-delete|find-copies-harder)/, "leave it out, or use -M"],
];

export function refuseOption(command: string, word: string): never {
  const way =
    WAYS.find(([pattern]) => pattern.test(word))?.[1] ?? `git ${command} --help lists the options that it has`;
  refuse(`git ${command} has no ${word} here`, way);
}
