/** The part of a question about the line that the user has typed. */

import { html, nothing } from "lit";
import { clock } from "../lib/format.ts";
import { name } from "./text.ts";
import type { TypedUse } from "./typed.ts";

export const FOR_COMMAND = "Allow for this command";

export function typedView(use: TypedUse | null) {
  if (use === null) return nothing;
  const { text, terminal, at } = use.command;
  return html`<p id="approval-typed">You typed ${name(text)} in ${name(terminal)} at ${clock(new Date(at).toISOString())}.${
    use.installs ? " It reads from the package index, its file server and Pyodide’s packages." : nothing
  }</p>`;
}

/** Return the scope of the answer for the typed line, as a row of the list of scopes. */
export function typedScope(use: TypedUse | null, exact: (text: string) => unknown) {
  if (use === null || use.covers === null) return nothing;
  return html`<li>${FOR_COMMAND}: <b>${exact(use.covers)}</b>, until you type another line in ${name(use.command.terminal)}, at most ten minutes.</li>`;
}
