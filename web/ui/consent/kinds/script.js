/**
 * JavaScript in a document that can do what the person can do there: `{origin, code}`. Asked each time.
 *
 * @import { Kind } from "./kind.js"
 */

import { html } from "lit";
import { block, name } from "../text.js";

/** @type {Kind} */
export const script = {
  name: "JavaScript",
  answers: ["once"],
  subject: ({ origin }) => `run JavaScript at ${origin}`,
  question: ({ origin, code }) => html`
    <p>JavaScript is to run in a page of <b>${name(origin)}</b>. It can read and do there whatever you can.</p>
    ${block(code)}`,
};
