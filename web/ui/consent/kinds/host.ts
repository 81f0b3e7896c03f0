/**
 * The user's computer: `{command, directory, action, program, until, secrets}`. The companion stores the grants, until the
 * hour that it names (py/gemini_companion/host/consent.py). `action` is "open" (a shell), "run" (a command) or "type"
 * (keys into a running program). `secrets`, if any, are the names of secrets that the command gets, by variable.
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

function secretsRow(secrets: Record<string, string> | undefined): [string, string] | null {
  const named = Object.entries(secrets ?? {}).map(([variable, name]) => `${name} as ${variable}`);
  return named.length === 0 ? null : ["Secrets it gets", named.join(", ")];
}

export const host: Kind = {
  name: "This computer",
  savedByOwner: true,
  answers: ["once", "program", "hour"],
  subject: ({ action, program, directory }, answer) =>
    answer === "program" && program
      ? `run ${program} with any arguments in ${directory}`
      : (GRANTED[action] ?? "use this computer"),
  question: ({ command, directory, action, program, secrets }, before) => html`
    <p>${ACTIONS[action] ?? "Python wants to act on your computer, as you."}</p>
    ${factList([["Directory", directory], program ? ["Program", program] : null, secretsRow(secrets), sizeRow(command)])}
    ${command ? block(command, before?.command) : null}
    ${secretsRow(secrets) ? html`<p><strong>The command can pass the secret on, to anywhere.</strong></p>` : null}`,
};
