/** The editor's status line: the file's path, the last message, and the place of the caret. */

import { html, nothing } from "lit";
import { MOD } from "../../lib/commands.ts";
import { counted } from "../../lib/format.ts";
import type { OpenText } from "./open_text.ts";

const LINE_ENDS: Record<string, string> = { lf: "LF", crlf: "CRLF", cr: "CR" };

/**
 * @param text - in front, if a file is open
 * @param isNotebook - without a caret of its own
 */
export function statusLine(
  text: OpenText | null,
  { isNotebook, message, listProblems }: { isNotebook: boolean; message: string; listProblems: () => void },
) {
  const { line = 1, column = 1 } = text?.buffer?.place ?? {};
  const count = text?.buffer?.problems.length ?? 0;
  const problems = html`<button id="editor-problems" type="button" class="link" title="List the problems (${MOD}+Shift+M)"
    @click=${listProblems}>${counted(count, "problem")}</button> · `;
  return html`
    <div class="facts"><span class="path" title=${text?.path ?? ""}>${text?.path ?? ""}</span></div>
    <span id="editor-announcement" role="status">${message}</span>
    ${text?.buffer && !isNotebook ? html`<span class="keys">${count > 0 ? problems : nothing}${LINE_ENDS[text.lineEnding]} · Ln ${line}, Col ${column}</span>` : nothing}`;
}
