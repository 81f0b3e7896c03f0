/** One call in the list: a summary line, and its details when opened. */

import { html, nothing, type TemplateResult } from "lit";
import type { CallRow } from "../../../generated/types.ts";
import { callerName } from "../../lib/caller_names.ts";
import { clock, duration, fullTime } from "../../lib/format.ts";
import { partView, rawView, sentence } from "../call_view.ts";
import { statusOf } from "./calls.ts";
import type { SeenCall } from "../../state/types.ts";

/** @param seen - the call as people see it; null until the kernel has answered */
export function callRow(
  call: CallRow,
  open: boolean,
  seen: SeenCall | null,
  { toggle, copy }: { toggle: (open: boolean) => void; copy: () => void },
): TemplateResult {
  const { tool, caller, duration_ms: took } = call;
  const status = statusOf(call);
  return html`<details class="call" id="call-${call.id}" data-status=${status} ?open=${open}
    @toggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => toggle(currentTarget.open)}>
    <summary><span class="call-status"><span class="visually-hidden">${status}: </span></span>
      <span class="call-said">${seen ? sentence(seen.said, status === "failed") : nothing}</span>
      <span class="call-time">${took === null ? "running" : duration(took)}</span>
      <span class="call-facts"><span class="chip">${callerName(caller)}</span>
        <span class="call-tool">${tool}</span></span></summary>
    ${open ? details(call, seen, copy) : nothing}</details>`;
}

/** Draw the details only for open rows, because a burst of calls creates hundreds. */
function details(call: CallRow, seen: SeenCall | null, copy: () => void) {
  const { tool, effect, started, result_preview: result, arguments: given, duration_ms: took } = call;
  const outcome = statusOf(call) === "failed" ? "Error" : "Result";
  return html`<div class="call-inside">${seen ? seen.shown.map(partView) : nothing}
    ${rawView(tool, { given: JSON.stringify(given), result, outcome, took })}</div>
    <dl>
      <dt>Started</dt><dd><time datetime=${started} title=${fullTime(started)}>${clock(started)}</time></dd>
      <dt>Effect</dt><dd>${effect}</dd>
    </dl>
    <p class="call-acts"><button type="button" @click=${copy}>Copy as JSON</button></p>`;
}
