/**
 * The person's computer: `{command, directory, action, program, until}`. The companion stores the grants, until the
 * hour that it names (py/gemini_companion/host/consent.py). `action` is "open" (a shell), "run" (a command) or "type"
 * (keys into a running program).
 *
 * @import { Kind } from "./kind.js"
 */

import { html } from "lit";
import { block, factList, sizeRow } from "../text.js";

/** @type {Record<string, string>} */
const ACTIONS = {
  open: "Python wants to open a shell on your computer. It runs as you.",
  run: "Python wants to run a command on your computer, as you.",
  type: "Python wants to type into a program that runs on your computer, as you.",
};

/** @type {Record<string, string>} */
const GRANTED = {
  open: "open shells on this computer",
  run: "run any command on this computer",
  type: "type into any program in this computer’s terminals",
};

/** @type {Kind} */
export const host = {
  name: "This computer",
  savedByOwner: true,
  answers: ["once", "program", "hour"],
  subject: ({ action, program, directory }, answer) =>
    answer === "program" && program ? `run ${program} with any arguments in ${directory}` : GRANTED[action] ?? "use this computer",
  question: ({ command, directory, action, program }, before) => html`
    <p>${ACTIONS[action] ?? "Python wants to act on your computer, as you."}</p>
    ${factList([["Directory", directory], program ? ["Program", program] : null, sizeRow(command)])}
    ${command ? block(command, before?.command) : null}`,
};
