/**
 * A courtesy question of a tool that a script declares: no facts, all of it is Python's words. It opens nothing.
 *
 * @import { Kind } from "./kind.js"
 */

import { html } from "lit";

/** @type {Kind} */
export const tool = {
  name: "Tools of scripts",
  answers: ["once", "run", "always"],
  subject: (_, __, { tool: called, within, caller }) =>
    `${within ? `${within}: ${called ?? ""}` : (called ?? "a tool")}, called by ${caller ?? "a caller without a name"}`,
  question: () => html`<p>A tool that a script declares asks before it goes on. This page can't check what the tool does;
    your answer allows nothing outside by itself.</p>`,
};
