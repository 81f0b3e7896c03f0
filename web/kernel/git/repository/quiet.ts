// `-q`, which just-git lacks: the command runs, and its output is dropped unless it fails.
import type { Answer } from "./answers.ts";
import { takeFlag } from "./options.ts";

/** The commands that take it, with the letters of their options that have a value. */
const VALUED: Record<string, string> = {
  init: "b",
  clone: "bo",
  fetch: "",
  pull: "",
  push: "",
  commit: "mFcC",
  checkout: "bB",
  switch: "cC",
  reset: "",
  stash: "m",
  merge: "ms",
  rebase: "",
  branch: "u",
  rm: "",
  "cherry-pick": "m",
  revert: "m",
  add: "",
  gc: "",
  submodule: "",
  "rev-parse": "",
  restore: "s",
  apply: "",
  am: "",
  "format-patch": "",
  tag: "mu",
};

export function takeQuiet(name: string, args: string[]): { quiet: boolean; args: string[] } {
  const valued = VALUED[name];
  if (valued === undefined) return { quiet: false, args };
  const { found, args: rest } = takeFlag(args, "q", "--quiet", valued);
  return { quiet: found, args: rest };
}

export function silenced(name: string, done: Answer): Answer {
  if (name === "rev-parse") return done.exitCode ? { stdout: "", stderr: "", exitCode: 1 } : done;
  // Git says even so which files it merges.
  const merged = name === "merge" || name === "pull" ? (done.stdout.match(/^Auto-merging .*\n/gm) ?? []).join("") : "";
  return done.exitCode ? done : { stdout: merged, stderr: "", exitCode: 0 };
}
