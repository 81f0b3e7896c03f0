/** The calls of the last minutes as a chart, and as a table for screen readers. */

import { html, svg, type TemplateResult } from "lit";
import { counted, duration } from "../../lib/format.ts";
import type { Minute } from "./statistics.ts";

const [STEP, BARS, GAP, LINES] = [20, 36, 8, 28];
const HEIGHT = BARS + GAP + LINES;
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

/** @param latency - of all calls */
export function chart(
  minutes: Minute[],
  { median, p95 }: { median: number | null; p95: number | null },
): TemplateResult {
  const total = minutes.reduce((sum, { calls }) => sum + calls, 0);
  const took = median === null || p95 === null ? "" : `; median ${duration(median)}, 95th percentile ${duration(p95)}`;
  const name = `${counted(total, "call")} in the last ${minutes.length} minutes${took}`;
  return html`
    <svg class="activity-chart" role="img" aria-label=${name} viewBox="0 0 ${minutes.length * STEP} ${HEIGHT}"
      preserveAspectRatio="none"><rect class="ground" y=${BARS} width=${minutes.length * STEP} height="1"></rect>${bars(minutes)}${line(minutes, "p95")}${line(minutes, "median")}</svg>
    <p class="muted activity-legend"><span>${counted(total, "call")} in ${minutes.length} min</span>
      <span>median ${median === null ? "–" : duration(median)}</span><span>p95 ${p95 === null ? "–" : duration(p95)}</span></p>`;
}

function bars(minutes: Minute[]) {
  const most = Math.max(1, ...minutes.map(({ calls }) => calls));
  return minutes.map(({ calls, failed }, index) => {
    const [high, bad] = [calls, failed].map((count) => (count / most) * BARS);
    const place = (height: number, kind: string) => svg`<rect class=${kind}
      x=${index * STEP + 2} width=${STEP - 4} y=${BARS - height} height=${height}></rect>`;
    return svg`${place(high ?? 0, "calls")}${place(bad ?? 0, "failed")}`;
  });
}

/** Draw a line on a logarithmic scale, because calls take from a millisecond to minutes. */
function line(minutes: Minute[], which: "median" | "p95") {
  const scale = (took: number) => Math.log10(Math.max(1, took));
  const most = Math.max(1, ...minutes.map(({ p95 }) => scale(p95 ?? 0)));
  const points = minutes.flatMap(({ [which]: took }, index) =>
    took === null ? [] : `${(index + 0.5) * STEP},${HEIGHT - 2 - (scale(took) / most) * (LINES - 4)}`,
  );
  // A single minute is drawn as a short stroke.
  const [only = ""] = points;
  const path =
    points.length === 1 ? `${only} ${Number(only.split(",")[0]) + 4},${only.split(",")[1]}` : points.join(" ");
  return svg`<polyline class=${which} points=${path}></polyline>`;
}

export function chartTable(minutes: Minute[]): TemplateResult {
  return html`<details class="activity-table"><summary>Show as table</summary><table>
    <thead><tr>${["Minute", "Calls", "Failed", "Median", "p95"].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${minutes
      .filter(({ calls }) => calls > 0)
      .map(
        ({ start, calls, failed, median, p95 }) => html`<tr>
      <th scope="row">${TIME.format(start)}</th><td>${calls}</td><td>${failed}</td>
      <td>${median === null ? "" : duration(median)}</td><td>${p95 === null ? "" : duration(p95)}</td></tr>`,
      )}
    </tbody></table></details>`;
}
