/** The spending of an agent by day, as a chart, and as a table. */

import { html, svg } from "lit";
import type { ShowAgentResult } from "../../../generated/types.ts";
import { counted } from "../../lib/format.ts";
import { price } from "./texts.ts";

const [STEP, HEIGHT] = [10, 48];
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** @param days - oldest first */
export function spendChart(days: ShowAgentResult["days"]) {
  const tokens = days.reduce((sum, day) => sum + day.tokens, 0);
  if (tokens === 0)
    return html`<section aria-label="Spend"><h4>Spend</h4><p class="muted">Nothing spent in the last ${days.length} days.</p></section>`;
  const cost = days.reduce((sum, day) => sum + day.cost, 0);
  // Models that cost nothing have tokens only.
  const amounts = days.map((day) => (cost > 0 ? day.cost : day.tokens));
  const most = Math.max(...amounts) || 1;
  const total = `${counted(tokens, "token")}${price(cost)} in the last ${days.length} days`;
  return html`<section aria-label="Spend"><h4>Spend</h4>
    <svg class="agent-spend" role="img" aria-label=${total} viewBox="0 0 ${days.length * STEP} ${HEIGHT}" preserveAspectRatio="none">
      <rect class="ground" y=${HEIGHT - 1} width=${days.length * STEP} height="1"></rect>
      ${amounts.map((amount, index) => {
        const height = amount === 0 ? 0 : Math.max(1, (amount / most) * (HEIGHT - 2));
        return svg`<rect class="spent" x=${index * STEP + 1} width=${STEP - 2} y=${HEIGHT - 1 - height} height=${height}></rect>`;
      })}</svg>
    <p class="muted">${total}</p>
    <details><summary>Show as table</summary><table class="agent-days"><thead><tr><th scope="col">Day</th><th scope="col">Tokens</th><th scope="col">Cost</th></tr></thead>
      <tbody>${days
        .filter((day) => day.tokens > 0)
        .map(
          (day) => html`<tr><th scope="row">${DAY.format(new Date(day.day))}</th>
        <td>${day.tokens.toLocaleString()}</td><td>$${day.cost.toFixed(2)}</td></tr>`,
        )}</tbody></table></details></section>`;
}
