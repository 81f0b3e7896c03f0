/**
 * A question of one of the user's MCP servers during a call: `{server, message, fields}`, or `{server, message, url}` for a
 * page that it wants the user to open. `fields` are `{name, label, description, type, choices, required, default}`
 * (py/gemini_companion/mcp_servers/elicitation.py). All but `server` are the server's words.
 */

import { html, nothing } from "lit";
import { block, name, prose, shown } from "../text.ts";
import type { Filled, Kind } from "./kind.ts";

interface Field {
  name: string;
  label: string;
  description: string;
  type: "text" | "number" | "whole" | "yes" | "choice" | "choices";
  choices?: [value: string, label: string][];
  required: boolean;
  default?: string | number | boolean;
}

export const mcpQuestion: Kind = {
  name: "Questions of MCP servers",
  savedByOwner: true,
  answers: ["once"],
  labels: { once: "Send answer", refuse: "Decline" },
  title: ({ server }) => html`A question of the MCP server ${name(server)}`,
  subject: ({ server, url }) => (url === undefined ? `answer ${server}` : `open a page for ${server}`),
  question: ({ server, message, fields, url }) => html`
    <p>The MCP server <b>${name(server)}</b> asks, in its own words:</p>
    ${prose(message)}
    ${
      url === undefined
        ? html`<div class="fields">${(fields as Field[]).map(field)}</div>
      <p class="muted">Your answer goes to this server. Enter no password here.</p>`
        : html`<p>It wants this page to open in your browser:</p>${block(url)}`
    }`,
  enter,
};

function field({ name: key, label, description, type, choices, required, default: usual }: Field, position: number) {
  const id = `mcp-field-${position}`;
  const text = html`${shown(label)}${required ? " (required)" : nothing}`;
  const note = description ? html`<small class="muted">${shown(description)}</small>` : nothing;
  switch (type) {
    case "yes":
      return html`<label><input id=${id} data-field=${key} type="checkbox" ?checked=${usual === true}> ${text}</label>${note}`;
    case "choice":
    case "choices":
      return html`<label>${text} <select id=${id} data-field=${key} ?multiple=${type === "choices"}>
        ${type === "choice" && !required ? html`<option value=""></option>` : nothing}
        ${(choices ?? []).map(([value, name]) => html`<option value=${value} ?selected=${value === usual}>${name}</option>`)}
      </select></label>${note}`;
    default:
      return html`<label>${text} <input id=${id} data-field=${key} type=${type === "text" ? "text" : "number"}
        step=${type === "number" ? "any" : nothing} value=${usual === undefined ? nothing : String(usual)}
        autocomplete="off" spellcheck="false" maxlength="4000"></label>${note}`;
  }
}

function enter(question: Element): Filled | string {
  const values: Filled["values"] = {};
  for (const input of question.querySelectorAll("[data-field]")) {
    if (!(input instanceof HTMLElement)) continue;
    const key = input.dataset.field ?? "";
    if (input instanceof HTMLSelectElement) {
      const chosen = [...input.selectedOptions].map(({ value }) => value);
      if (input.multiple) values[key] = chosen;
      else if (chosen[0]) values[key] = chosen[0];
    } else if (input instanceof HTMLInputElement && input.type === "checkbox") values[key] = input.checked;
    else if (input instanceof HTMLInputElement && input.value !== "") values[key] = input.value;
    if (input.parentElement?.textContent?.includes("(required)") && !(key in values))
      return "Fill in the required fields.";
  }
  return { values };
}
