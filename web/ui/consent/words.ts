/** Python's unchecked description of a request, formatted for reading and with nothing hidden. */

import { html, nothing, type TemplateResult } from "lit";
import { counted, plainJson } from "../lib/format.ts";
import type { Words } from "./consent.ts";
import { folded, shown } from "./text.ts";

const EFFECTS: Record<string, string> = {
  read: "The tool says that it reads from this page.",
  write: "The tool says that it changes files or terminals of this page.",
  outside: "The tool says that it reaches outside this page: the network, another site, or your computer.",
  spend: "The tool says that it spends money, for example on a language model.",
};

const CALLERS: Record<string, string> = {
  webmcp: "An agent in your browser (WebMCP)",
  mcp: "A program outside the browser (MCP)",
  agent: "An agent of this page",
  script: "A script on this page",
  console: "Code in the Python console",
  person: "You, from a panel of this page",
  hook: "A program that git runs for a repository, such as a hook",
};

/** @param caller - of any type, as all that Python says */
function callerName(caller: unknown): unknown {
  // A command that is typed in a terminal runs outside of any tool.
  if (!caller) return "A command in a terminal, or other code,";
  const [kind, name = ""] = String(caller).split(/:(.*)/s);
  if (!Object.hasOwn(CALLERS, kind)) return html`The caller ${shown(JSON.stringify(caller))}`;
  return name === "" || name === kind ? CALLERS[kind] : html`${CALLERS[kind]}, ${shown(JSON.stringify(name))},`;
}

export function wordsView({ tool, within, caller, run, for: purpose, effect, arguments: given, origins = [] }: Words) {
  return html`
    <figcaption id="approval-caption">What Python says about it (unverified)</figcaption>
    <div id="approval-words" role="group" tabindex="0" aria-labelledby="approval-caption">
      ${purpose ? html`<p>For ${shown(purpose)}</p>` : nothing}
      ${
        purpose && !tool && !caller
          ? nothing
          : html`<p><strong id="approval-who">${callerName(caller)}</strong>${run ? html` in run <bdi class="mono">${shown(run)}</bdi>` : nothing}
        ${
          tool || within
            ? html`wants to ${within ? nothing : "call "}<strong id="approval-tool" class="mono">${shown(tool ?? "run code")}</strong>${
                within ? html`, by <bdi class="mono">${shown(within)}</bdi>` : nothing
              }`
            : "wants this"
        }.</p>`
      }
      ${effect && Object.hasOwn(EFFECTS, effect) ? html`<p id="approval-effect">${EFFECTS[effect]}</p>` : nothing}
      <div id="approval-arguments">${given === undefined ? nothing : argumentList(given)}</div>
      ${origins.length > 0 ? originList(origins) : nothing}
      <p class="muted end" data-end>End of what Python says.</p>
    </div>`;
}

function originList(origins: NonNullable<Words["origins"]>) {
  return html`<h3 id="approval-origins">Not the agent's own words</h3>
    <ul>${origins.map(
      ({ argument, text, origin }) => html`<li>
      <bdi class="mono">${shown(argument)}</bdi>: <q>${shown(text)}</q> is from <bdi class="mono">${shown(origin)}</bdi></li>`,
    )}</ul>`;
}

/** List every argument with its value as text. */
function argumentList(given: unknown): TemplateResult {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return html`<div class="argument">${value(given)}</div>`;
  }
  const entries = Object.entries(given);
  if (entries.length === 0) return html`<p class="muted">The call has no arguments.</p>`;
  return html`${entries.map(
    ([name, each]) => html`
    <div class="argument">
      <h3>${shown(name)} <span class="muted">${kind(each)}</span></h3>
      ${value(each)}
    </div>`,
  )}`;
}

function value(each: unknown) {
  if (each === "") return html`<pre><i>empty</i></pre>`;
  return html`<pre>${typeof each === "string" ? folded(each) : plainJson(each)}</pre>`;
}

function kind(each: unknown) {
  if (typeof each !== "string") return each === null ? "nothing" : Array.isArray(each) ? "list" : typeof each;
  const lines = each.split("\n").length;
  return html`text${lines > 1 ? html`, ${counted(lines, "line")}` : nothing}${
    each.length > 200 ? html`, ${counted(each.length, "character")}` : nothing
  }`;
}
