/**
 * What scheduled runs have used of models without a question, as the companion has counted it. It comes from the companion
 * itself, so Python can neither change nor hide it.
 */

import { isFailure } from "../../state/kernel_calls.ts";
import type { Failure } from "../../state/types.ts";
import { html, render } from "lit";
import { byId, expect } from "../../lib/elements.ts";
import { counted, fullTime, when } from "../../lib/format.ts";
import { shown } from "../../consent/text.ts";

type Use = { at: string; provider: string; model: string; requests: number; tokens: number; dollars: number };

const REDRAW_MS = 10_000;

/** @param fetch - returns `{uses}`, the latest first, or a Failure */
export function showSpending(fetch: () => Promise<{ uses?: Use[] } | Failure>) {
  const section = byId("activity-spending", HTMLDetailsElement);
  const panel = byId("activity", HTMLElement);
  const draw = async () => {
    if (!panel.checkVisibility()) return;
    const found = await fetch();
    if (!isFailure(found) && Array.isArray(found.uses)) drawUses(section, found.uses);
  };
  new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && void draw()).observe(panel);
  setInterval(() => void draw(), REDRAW_MS);
}

function drawUses(section: HTMLDetailsElement, uses: Use[]) {
  section.hidden = uses.length === 0;
  const requests = uses.reduce((sum, use) => sum + use.requests, 0);
  expect(section.querySelector("summary"), HTMLElement).textContent =
    `Models in scheduled runs: ${counted(requests, "request")} by your allowance`;
  const list = expect(section.querySelector("ul"), HTMLElement);
  render(
    uses.map(
      (use) => html`<li><span><time datetime=${use.at} title=${fullTime(use.at)}>${when(use.at)}</time>
    <b>${shown(use.model)}</b> of ${shown(use.provider)}: ${counted(use.requests, "request")}, ${counted(use.tokens, "token")}${
      use.dollars > 0 ? `, $${use.dollars.toFixed(4)}` : ""
    }</span></li>`,
    ),
    list,
  );
}
