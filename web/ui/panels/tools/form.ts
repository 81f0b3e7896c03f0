/** The argument fields of a tool's form. */

import { html, nothing, type TemplateResult } from "lit";
import { expect } from "../../lib/elements.ts";
import type { Field } from "./fields.ts";

/** @param form - the beginning of the ids of the fields */
export function fieldList(
  fields: Field[],
  problem: { field: string; message: string } | null,
  form = "tool",
): TemplateResult {
  if (fields.length === 0) return html`<p class="muted">No arguments.</p>`;
  return html`<div class="tool-fields">${fields.map((field) => fieldRow(field, problem, form))}</div>`;
}

/** Return the control of a field in its form. */
export function controlOf(form: HTMLFormElement, field: string) {
  const control = form.elements.namedItem(field);
  if (control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement) return control;
  return expect(control, HTMLInputElement);
}

function fieldRow(field: Field, problem: { field: string; message: string } | null, form: string) {
  const { name, type, required, description, fallback } = field;
  const wrong = problem?.field === name ? problem.message : null;
  const about = `${form}-about-${name}`;
  return html`<div class="tool-field">
    <label for="${form}-field-${name}"><code>${name}</code>
      <span class="muted">${type}${required ? ", required" : fallback === null ? "" : `, default ${fallback}`}</span></label>
    ${control(field, `${form}-field-${name}`, about, wrong)}
    <p id=${about} class="muted" ?hidden=${!description && !wrong}>${description}
      ${wrong ? html`<span class="wrong">${wrong}</span>` : nothing}</p>
  </div>`;
}

function control({ name, kind, required, choices, schema }: Field, id: string, about: string, wrong: string | null) {
  const invalid = wrong ? "true" : nothing;
  if (kind === "choice") {
    return html`<select id=${id} name=${name} aria-describedby=${about} aria-invalid=${invalid}>
      ${required ? nothing : html`<option value="">not set</option>`}
      ${choices.map((choice) => html`<option value=${JSON.stringify(choice)}>${String(choice)}</option>`)}
    </select>`;
  }
  if (kind === "number") {
    return html`<input id=${id} name=${name} type="text" inputmode="decimal" autocomplete="off" class="mono"
      aria-describedby=${about} aria-invalid=${invalid} aria-required=${String(required)}
      placeholder=${range(schema)}>`;
  }
  if (schema.format === "password") {
    return html`<input id=${id} name=${name} type="password" autocomplete="off" aria-describedby=${about} aria-invalid=${invalid} aria-required=${String(required)}>`;
  }
  return html`<textarea id=${id} name=${name} class="mono" rows="1" autocomplete="off" autocapitalize="off"
    spellcheck="false" aria-describedby=${about} aria-invalid=${invalid} aria-required=${String(required)}
    placeholder=${kind === "json" ? "JSON" : ""}></textarea>`;
}

function range({ minimum, maximum }: { minimum?: number; maximum?: number }) {
  if (minimum === undefined && maximum === undefined) return "";
  return maximum === undefined ? `${minimum} or more` : `${minimum ?? "up"} to ${maximum}`;
}
