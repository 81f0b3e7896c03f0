/** One call in the list: a summary line, and its details when opened. */

import { html, nothing, type TemplateResult } from "lit";
import type { CallRow } from "../../../generated/types.ts";
import { callerName } from "../../lib/caller_names.ts";
import { clock, duration, fullTime, indented, oneLine, plainJson } from "../../lib/format.ts";
import { statusOf } from "./calls.ts";

const BRIEF_ARGUMENTS = 160;

export function callRow(
  call: CallRow,
  open: boolean,
  { toggle, copy }: { toggle: (open: boolean) => void; copy: () => void },
): TemplateResult {
  const { tool, caller, duration_ms: took, arguments: given } = call;
  const status = statusOf(call);
  return html`<details class="call" id="call-${call.id}" data-status=${status} ?open=${open}
    @toggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => toggle(currentTarget.open)}>
    <summary><span class="call-status"><span class="visually-hidden">${status}: </span></span>
      <span class="call-tool">${tool}</span>
      <span class="call-time">${took === null ? "running" : duration(took)}</span>
      <span class="call-facts"><span class="chip">${callerName(caller)}</span>
        <span class="call-brief">${oneLine(given, BRIEF_ARGUMENTS)}</span></span></summary>
    ${open ? details(call, copy) : nothing}</details>`;
}

/** Draw the details only for open rows, because a burst of calls creates hundreds. */
function details(call: CallRow, copy: () => void) {
  const { effect, started, result_preview: result, arguments: given } = call;
  const outcome = statusOf(call) === "failed" ? "Error" : "Result";
  return html`<dl>
      <dt>Started</dt><dd><time datetime=${started} title=${fullTime(started)}>${clock(started)}</time></dd>
      <dt>Effect</dt><dd>${effect}</dd>
      <dt>Arguments</dt><dd><pre tabindex="0" aria-label="Arguments">${plainJson(given)}</pre></dd>
      ${
        result === null
          ? nothing
          : html`<dt>${outcome}</dt><dd><pre tabindex="0" aria-label=${outcome}>${indented(result)}</pre></dd>`
      }
    </dl>
    <p class="call-acts"><button type="button" @click=${copy}>Copy as JSON</button></p>`;
}
