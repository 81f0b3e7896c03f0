/**
 * Opening another origin whose address the user has entered: `{url, origin}`. A standing permission to open its pages
 * holds, too.
 */

import { html } from "lit";
import { block, name } from "../text.ts";
import type { Kind } from "./kind.ts";

export const visit: Kind = {
  name: "Open pages",
  grantsOf: "open",
  ofPerson: true,
  answers: ["once"],
  preferred: "once",
  labels: { once: "Open", refuse: "Cancel" },
  subject: ({ origin }) => `open pages of ${origin}`,
  title: ({ origin }) => html`Open ${name(origin.replace(/^https:\/\//, ""))}?`,
  question: ({ url }, before) => html`${block(url, before?.url)}
    <p class="muted">You entered this address. You won’t be asked again for this site until you reload the page.</p>`,
};
