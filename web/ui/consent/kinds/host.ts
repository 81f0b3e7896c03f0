/**
 * The user's computer: `{command, directory, action, program, until}`. The companion stores the grants, until the
 * hour that it names (py/gemini_companion/host/consent.py). `action` is "open" (a shell), "run" (a command) or "type"
 * (keys into a running program).
 */

import { html } from "lit";
import { block, factList, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

const ACTIONS: Record<string, string> = {
  open: "Python wants to open a shell on your computer. It runs as you.",
  run: "Python wants to run a command on your computer, as you.",
  type: "Python wants to type into a program that runs on your computer, as you.",
};

const GRANTED: Record<string, string> = {
  open: "open shells on this computer",
  run: "run any command on this computer",
  type: "type into any program in this computer’s terminals",
};

export const host: Kind = {
  name: "This computer",
  savedByOwner: true,
  answers: ["once", "program", "hour"],
  subject: ({ action, program, directory }, answer) =>
    answer === "program" && program
      ? `run ${program} with any arguments in ${directory}`
      : (GRANTED[action] ?? "use this computer"),
  question: ({ command, directory, action, program }, before) => html`
    <p>${ACTIONS[action] ?? "Python wants to act on your computer, as you."}</p>
    ${factList([["Directory", directory], program ? ["Program", program] : null, sizeRow(command)])}
    ${command ? block(command, before?.command) : null}`,
};
