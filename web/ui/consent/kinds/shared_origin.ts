/** Opening a file as a page on a host without a separate origin for files: `{path}`. */

import { html } from "lit";
import { block } from "../text.ts";
import type { Kind } from "./kind.ts";

export const sharedOrigin: Kind = {
  name: "Pages made of files",
  answers: ["once", "run"],
  subject: () => "open files as pages on the surface's own origin",
  question: ({ path }, before) => html`
    <p>Python wants to open a file as a page on the surface's own origin.</p>
    <p>This host has no separate origin for files. Code in the page can do whatever the surface can: read its files, call
      its tools, answer its dialogs.</p>
    ${block(path, before?.path)}`,
  repeats: ({ path }) => path,
};
