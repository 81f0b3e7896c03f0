/** The form of an agent's file. */

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import type { AgentFields, SkillRow } from "../../../generated/types.ts";
import { submitting, valueOf } from "../../lib/forms.ts";
import type { State } from "../../state/types.ts";

/** The fields of a new agent. */
export const NEW: AgentFields = {
  role: "",
  model: null,
  tools: null,
  skills: [],
  python: "shared",
  strategy: "react",
  budgets: { run: {}, day: {} },
  color: "#808080",
  prompt: "",
};

const STRATEGIES: [name: AgentFields["strategy"], label: string][] = [
  ["react", "Step by step"],
  ["plan", "Plan"],
  ["code", "Write code"],
];
const LIMITS: [kind: string, name: string, label: string, step: string][] = [
  ["run", "steps", "Steps per run", "1"],
  ["run", "tokens", "Tokens per run", "1"],
  ["run", "cost", "Cost per run, $", "0.01"],
  ["run", "minutes", "Minutes per run", "any"],
  ["day", "tokens", "Tokens per day", "1"],
  ["day", "cost", "Cost per day, $", "0.01"],
];

interface Options {
  isNew: boolean;
  fields: AgentFields;
  state: State;
  skills: SkillRow[];
  /** by the field's path */
  problems: Record<string, string>;
  isBlocked: boolean;
  submit: (form: HTMLFormElement) => void;
}

export function agentForm({ isNew, fields, state, skills, problems, isBlocked, submit }: Options) {
  const field = (path: string) => ({ id: `agent-field-${path.replaceAll(".", "-")}`, problem: problems[path] ?? null });
  const note = (path: string) => {
    const { id, problem } = field(path);
    return problem === null ? nothing : html`<span class="problem" id=${`${id}-problem`}>${problem}</span>`;
  };
  const wrong = (path: string) => (problems[path] === undefined ? nothing : "true");
  const says = (path: string) => (problems[path] === undefined ? nothing : `${field(path).id}-problem`);
  const allowed = skills.filter(({ state: is }) => is === "allowed").map(({ name }) => name);
  return html`<form class="team-form agent-form" aria-label=${isNew ? "New agent" : "The agent's file"} novalidate @submit=${submitting(submit)}>
    ${
      isNew
        ? html`<label>Name <input name="name" id=${field("name").id} autocomplete="off" data-focus-first aria-invalid=${wrong("name")}
      aria-describedby=${says("name")}>${note("name")}</label>`
        : nothing
    }
    <label>Role, in one sentence (leaders choose agents by it)
      <input name="role" .value=${fields.role} autocomplete="off" aria-invalid=${wrong("role")} aria-describedby=${says("role")}>${note("role")}</label>
    <label>Prompt <textarea name="prompt" rows="8" .value=${fields.prompt} aria-invalid=${wrong("prompt")} aria-describedby=${says("prompt")}></textarea>
      ${note("prompt")}</label>
    <div class="team-options">
      <label>Model <select name="model" aria-invalid=${wrong("model")}>${models(state, fields.model)}</select>${note("model")}</label>
      <label>Strategy <select name="strategy" aria-invalid=${wrong("strategy")} aria-describedby=${says("strategy")}>
        ${STRATEGIES.map(([name, label]) => html`<option value=${name} ?selected=${name === fields.strategy}>${label}</option>`)}</select>${note("strategy")}</label>
      <label>Color <input name="color" type="color" .value=${fields.color}>${note("color")}</label></div>
    <label>Tools and groups, separated by commas (empty: all that cost no money)
      <input name="tools" .value=${(fields.tools ?? []).join(", ")} autocomplete="off" list="agent-tools" aria-invalid=${wrong("tools")}
        aria-describedby=${says("tools")}>${note("tools")}</label>
    <datalist id="agent-tools">${[...new Set(state.tools.map(({ group }) => group))].map((group) => html`<option value=${group}></option>`)}</datalist>
    <fieldset><legend>Skills</legend>
      ${[...new Set([...allowed, ...fields.skills])].map(
        (name) => html`<label class="agent-check"><input type="checkbox" name="skills" value=${name}
        .checked=${live(fields.skills.includes(name))}> ${name}${allowed.includes(name) ? "" : " (not allowed)"}</label>`,
      )}
      ${allowed.length + fields.skills.length === 0 ? html`<p class="muted">You have allowed no skills. The Skills panel lists them.</p>` : nothing}</fieldset>
    <label class="agent-check"><input type="checkbox" name="python" value="own" .checked=${live(fields.python === "own")}>
      A Python of its own: other agents' code can't block it, and shares no names with it</label>
    <fieldset><legend>Limits</legend><div class="team-options">${LIMITS.map(([kind, name, label, step]) => {
      const path = `budgets.${kind}.${name}`;
      return html`<label>${label} <input name=${path} type="number" min="0" step=${step} .value=${String(fields.budgets[kind]?.[name] ?? "")}
        aria-invalid=${wrong(path)} aria-describedby=${says(path)}>${note(path)}</label>`;
    })}</div></fieldset>
    <button type="submit" class="primary" data-action=${isNew ? "create_agent" : "save_agent"} ?disabled=${isBlocked}>${isNew ? "Create" : "Save"}</button></form>`;
}

function models({ models: { choices } }: State, chosen: string | null) {
  const ids = choices.map(({ id }) => id);
  if (chosen !== null && !ids.includes(chosen)) ids.push(chosen);
  return html`<option value="" ?selected=${chosen === null}>Default model</option>
    ${ids.map((id) => html`<option value=${id} ?selected=${id === chosen}>${id}</option>`)}`;
}

export function fieldsOf(form: HTMLFormElement): AgentFields {
  const tools = valueOf(form, "tools")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const budgets: Record<string, Record<string, number | null>> = { run: {}, day: {} };
  for (const [kind, name] of LIMITS) {
    const text = valueOf(form, `budgets.${kind}.${name}`).trim();
    budgets[kind][name] = text === "" ? null : Number(text);
  }
  return {
    role: valueOf(form, "role"),
    model: valueOf(form, "model") || null,
    tools: tools.length === 0 ? null : tools,
    skills: new FormData(form).getAll("skills").map(String),
    python: new FormData(form).has("python") ? "own" : "shared",
    strategy: valueOf(form, "strategy") as AgentFields["strategy"],
    budgets,
    color: valueOf(form, "color"),
    prompt: valueOf(form, "prompt"),
  };
}
