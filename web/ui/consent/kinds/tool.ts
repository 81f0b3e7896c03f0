/** A courtesy question of a tool that a script declares. It has no facts: all text is Python's. It grants nothing. */

import { html } from "lit";
import { callerInSentence } from "../../lib/caller_names.ts";
import type { Kind } from "./kind.ts";

export const tool: Kind = {
  name: "Tools of scripts",
  isInWords: true,
  answers: ["once", "run", "always"],
  subject: (_, __, { tool: called, within, caller }) =>
    `${within ? `${within}: ${called ?? ""}` : (called ?? "a tool")}, called by ${nameOf(caller)}`,
  question:
    () => html`<p>A tool that a script declares asks before it continues. This page can't check what the tool does.
    Your answer grants no access by itself.</p>`,
};

/** Python sends what it likes as words. */
const nameOf = (caller: unknown) =>
  typeof caller === "string" && caller !== "" ? callerInSentence(caller) : "an unnamed caller";
