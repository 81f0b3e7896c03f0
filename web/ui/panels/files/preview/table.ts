/** The first rows of a CSV file (RFC 4180), or one with another, detected separator. */

import { html, nothing } from "lit";
import Papa from "papaparse";
import { counted } from "../../../lib/format.ts";

const MOST_ROWS = 200;
const MOST_COLUMNS = 50;

/** @param truncated - whether the last row may be incomplete */
export function table(text: string, truncated: boolean) {
  const parsed = Papa.parse<string[]>(text, { skipEmptyLines: true });
  const all = truncated ? parsed.data.slice(0, -1) : parsed.data;
  const columns = all.reduce((most, row) => Math.max(most, row.length), 0);
  const [header = [], ...rows] = all.slice(0, MOST_ROWS + 1).map((row) => row.slice(0, MOST_COLUMNS));
  const limits = [
    all.length > MOST_ROWS + 1 ? `the first ${MOST_ROWS} of ${counted(all.length - 1, "row")}` : "",
    columns > MOST_COLUMNS ? `the first ${MOST_COLUMNS} of ${counted(columns, "column")}` : "",
  ]
    .filter(Boolean)
    .join(" and ");
  return html`
    ${limits ? html`<p class="note">Showing ${limits}.</p>` : nothing}
    <div class="preview-table" tabindex="0" role="region" aria-label="Table">
      <table>
        <thead><tr>${header.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
        <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
      </table>
    </div>`;
}
