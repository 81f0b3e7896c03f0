/**
 * The user's MCP servers, whose tools agents can use. The companion has them, and never returns the value of a variable or a
 * header (py/gemini_companion/settings/mcp_servers.py).
 */

import { html, noChange, nothing } from "lit";
import type { CompanionLink } from "../../companion/link.ts";
import { exact, shown } from "../../consent/text.ts";
import { expect } from "../../lib/elements.ts";
import { submittingPress, valueOf } from "../../lib/forms.ts";
import { counted } from "../../lib/format.ts";
import { isPressOf } from "../../lib/trusted.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { Store } from "../../state/store.ts";
import type { Failure } from "../../state/types.ts";
import { CompanionSection } from "./companion_section.ts";
import { named, programOf, withSecret } from "./mcp_fields.ts";

interface Server {
  name: string;
  transport: "stdio" | "http";
  /** the command line, or the address */
  place: string;
  directory: string;
  /** the names of its variables or headers */
  values: string[];
  on: boolean;
  /** whether agents have its tools in their lists */
  listed: boolean;
  allowed: boolean;
  state: "off" | "starting" | "ready" | "waiting" | "failed";
  problem: string | null;
  restarts: number;
  /** null: not listed yet */
  tools: number | null;
  problems: string[];
}

type Status = { keyring: string | null; file: string; servers: Server[] };
type Secret = { name: string; places: string[] };
type Imported = { added: string[]; refused: Record<string, string>; unused: Record<string, string[]> };

const ADD = "mcp-server-add";

class McpServers extends CompanionSection<Status> {
  /** the names of secrets that a program or an address may get */
  #secrets: string[] = [];

  async read(isConnected: boolean) {
    if (isConnected) await this.#readSecrets();
    await super.read(isConnected);
  }

  async #readSecrets() {
    const found = await this.link.settings<{ secrets: Secret[] }>("secrets");
    const secrets = isFailure(found) ? [] : found.secrets;
    this.#secrets = secrets
      .filter(({ places }) => places.includes("mcp") || places.includes("header"))
      .map(({ name }) => name);
    this.draw();
  }

  async #do<Answer>(of: string, busy: string, asked: Promise<Answer | Failure>, done: (answer: Answer) => string) {
    const worked = await this.attempts.follow(of, busy, asked, done);
    await this.read(true);
    return worked;
  }

  view() {
    // What the user has entered in a form stays while the companion is away.
    if (this.status === null) return noChange;
    const { servers, keyring, file } = this.status;
    return html`<p class="muted">Agents can use the tools of other MCP servers. You are asked before a server starts, and before each of
        its tools. What a server says is text from outside.</p>
      <ul class="rows" aria-labelledby="mcp-servers-title" ?hidden=${servers.length === 0}>${servers.map((each) => this.#row(each))}</ul>
      <details @toggle=${() => this.#readSecrets()}><summary>Add a server</summary>${this.#form()}</details>
      <details><summary>Import servers of Claude Desktop, Cursor or VS Code</summary>${this.#import()}</details>
      ${
        keyring === null
          ? html`<p class="muted">This computer has no keyring: values of variables and headers are saved as plain text
        in <code>${file}</code>, which only you can read.</p>`
          : nothing
      }
      ${this.attempts.outcome(ADD)}`;
  }

  #row(server: Server) {
    const { name, place, values, on, listed } = server;
    const ask = (method: string, more: object = {}) => this.link.settings(method, { name, ...more });
    const flip = (more: object, done: string) => this.#do(name, "Saving…", ask("switch_mcp_server", more), () => done);
    return html`<li>
      <span><b>${shown(name)}</b> <span class="muted">${stateOf(server)}</span><br>
        <code>${exact(place)}</code>
        ${values.length > 0 ? html`<br><span class="muted">with ${exact(values.join(", "))}</span>` : nothing}
        ${server.problem === null ? nothing : html`<br><span class="bad">${shown(server.problem)}</span>`}
        ${server.problems.map((problem) => html`<br><span class="muted">${shown(problem)}</span>`)}
        <br><label><input type="checkbox" .checked=${on}
          @change=${(event: Event) => isPressOf(event) && flip({ on: !on }, on ? "Switched off." : "Switched on.")}> On</label>
        <label><input type="checkbox" .checked=${listed}
          @change=${(event: Event) => isPressOf(event) && flip({ listed: !listed }, listed ? "Agents find its tools by mcp_tools." : "Agents have its tools in their lists.")}>
          In agents’ lists</label></span>
      ${this.attempts.button("Start", () => this.#do(name, "Starting…", ask("start_mcp_server") as Promise<{ tools: number } | Failure>, ({ tools }) => `It has ${counted(tools, "tool")}.`), { of: name, name: `Start ${name}` })}
      ${this.attempts.button("Remove", () => this.#do(name, "Removing…", ask("remove_mcp_server"), () => "Removed, with its values."), { of: name, name: `Remove ${name}` })}
      ${this.attempts.outcome(name)}</li>`;
  }

  #form() {
    return html`<form id="mcp-server-form" class="limits" aria-label="Add a server" @submit=${this.#submitting((form) => this.#add(form))}>
      <label>Name <input name="name" required maxlength="64" autocomplete="off" spellcheck="false"></label>
      <label>Command line or address <input name="place" required maxlength="20000" autocomplete="off" spellcheck="false"
        placeholder="npx -y @modelcontextprotocol/server-memory"></label>
      <label>Variables or headers, a NAME=value in each line <textarea name="values" rows="2" autocomplete="off" spellcheck="false"></textarea></label>
      ${this.#secretChoice()}
      <button type="submit">Add server</button>
    </form>`;
  }

  #secretChoice() {
    if (this.#secrets.length === 0)
      return html`<p class="muted">A value can be one of your secrets, once one is for MCP servers or headers (<b>Secrets</b>).</p>`;
    return html`<label>Use a secret as the value <select @change=${(event: Event) => this.#useSecret(expect(event.target, HTMLSelectElement))}>
      <option value="">Choose a secret…</option>${this.#secrets.map((name) => html`<option>${name}</option>`)}</select></label>`;
  }

  /** Write the chosen secret into the variables, and select the variable's name if it is ours. */
  #useSecret(choice: HTMLSelectElement) {
    const form = expect(choice.form, HTMLFormElement);
    const values = expect(form.elements.namedItem("values"), HTMLTextAreaElement);
    const place = expect(form.elements.namedItem("place"), HTMLInputElement).value;
    const { text, start, end } = withSecret(values.value, values.selectionEnd, choice.value, isAddress(place));
    choice.value = "";
    values.value = text;
    values.focus();
    values.setSelectionRange(start, end);
  }

  #import() {
    return html`<form id="mcp-servers-import" class="limits" aria-label="Import servers" @submit=${this.#submitting((form) => this.#importText(valueOf(form, "text")))}>
      <label>The block with mcpServers, or servers <textarea name="text" rows="5" required maxlength="1000000" autocomplete="off" spellcheck="false"></textarea></label>
      <button type="submit">Import servers</button>
    </form>`;
  }

  /** Return a listener of `submit`. The values of a refused form remain, to be corrected. */
  #submitting(save: (form: HTMLFormElement) => Promise<boolean>) {
    return submittingPress(async (form) => (await save(form)) && form.reset());
  }

  #add(form: HTMLFormElement) {
    const text = (field: string) => valueOf(form, field).trim();
    const [name, place, lines] = [text("name"), text("place"), text("values")];
    const values = named(lines);
    if (typeof values === "string") return this.#refuse(values);
    const in_file = this.status?.keyring === null;
    if (isAddress(place)) {
      const asked = this.link.settings("add_mcp_address", { name, url: place, headers: values, in_file });
      return this.#do(ADD, "Saving…", asked, () => "Added. Start it to see its tools.");
    }
    const program = programOf(place);
    if (typeof program === "string") return this.#refuse(program);
    const [command, ...rest] = program;
    const asked = this.link.settings("add_mcp_program", { name, command, arguments: rest, variables: values, in_file });
    return this.#do(ADD, "Saving…", asked, () => "Added. Start it to see its tools.");
  }

  #importText(text: string) {
    const asked = this.link.settings<Imported>("import_mcp_servers", { text, in_file: this.status?.keyring === null });
    return this.#do(ADD, "Importing…", asked, importedText);
  }

  async #refuse(message: string) {
    this.attempts.fail(ADD, { type: "InvalidArguments", message });
    return false;
  }
}

function isAddress(place: string) {
  return /^\s*https?:\/\//.test(place);
}

function importedText({ added, refused, unused }: Imported) {
  const parts = [`Added: ${added.join(", ") || "none"}.`];
  for (const [name, why] of Object.entries(refused)) parts.push(`Not ${name}: ${why}.`);
  for (const [name, members] of Object.entries(unused)) parts.push(`Not used of ${name}: ${members.join(", ")}.`);
  return parts.join(" ");
}

function stateOf({ on, state, allowed, tools, restarts }: Server) {
  if (!on) return "off";
  if (state === "ready")
    return counted(tools ?? 0, "tool") + (restarts > 0 ? `, started again ${counted(restarts, "time")}` : "");
  if (state === "starting") return "starting";
  if (state === "waiting") return "ended, starts again in a moment";
  if (state === "failed") return "doesn’t start";
  return allowed ? "starts when it is needed" : "not allowed yet";
}

export function showMcpServers(store: Store, link: CompanionLink) {
  new McpServers("settings-mcp-servers", "mcp_servers", link).follow(store, (mcp) => mcp?.servers);
}
