/** MCP clients: the switch, the endpoint, a test call, and the connected clients. */

import { html, nothing } from "lit";
import type { CompanionStatus, McpClient, McpTest } from "../../companion/types.ts";
import { counted, duration, fullTime, when } from "../../lib/format.ts";
import { isPressOf } from "../../lib/trusted.ts";
import type { Failure } from "../../state/types.ts";
import type { Attempts } from "./attempts.ts";

type Tools = CompanionStatus["mcp"]["tools"];

const CHOICES: { value: Tools; label: string }[] = [
  { value: "all", label: "All" },
  { value: "code", label: "Code" },
];

interface McpCallbacks {
  setOn: (on: boolean) => Promise<object | Failure>;
  chooseTools: (tools: Tools) => Promise<object | Failure>;
  test: () => Promise<McpTest | Failure>;
  copy: (what: string, text: string) => unknown;
  /** draws the companion's port */
  port: () => unknown;
}

const TURN = "mcp";
const TEST = "mcp-test";
const TOOLS = "mcp-tools";

export function mcpView({ mcp, clients }: CompanionStatus, attempts: Attempts, callbacks: McpCallbacks) {
  const { on, url } = mcp;
  const press = (event: Event) => {
    if (!isPressOf(event) || attempts.busy(TURN)) return;
    attempts.report(TEST, "");
    void attempts.follow(TURN, on ? "Turning off…" : "Turning on…", callbacks.setOn(!on), () => "");
  };
  const test = () =>
    attempts.follow(
      TEST,
      "Testing…",
      callbacks.test(),
      ({ tools, called, protocol, duration_ms }) =>
        `It works: ${counted(tools, "tool")} listed, ${called} responded, ${duration(duration_ms)} in total, MCP ${protocol}.`,
    );
  return html`
    <div class="line"><span>Answer MCP clients</span>
      <button type="button" role="switch" class="switch" id="mcp-switch" aria-checked=${String(on)} aria-label="Answer MCP clients"
        @click=${press}><span aria-hidden="true"></span>${on ? "On" : "Off"}</button></div>
    ${attempts.outcome(TURN)}
    ${
      on
        ? nothing
        : html`<p class="outcome bad">MCP is off. Clients get an error that says so, and their sessions have
      ended.</p>`
    }
    ${toolsView(mcp.tools, attempts, callbacks)}
    <dl class="endpoint">
      <div><dt>Endpoint</dt><dd><code id="mcp-url">${url}</code>
        ${attempts.button("Copy", () => callbacks.copy("mcp-url", url), { name: "Copy the endpoint" })}</dd></div>
    </dl>
    ${callbacks.port()}
    ${attempts.outcome("mcp-url")}
    ${attempts.button("Test MCP", test, { of: TEST })}
    ${attempts.outcome(TEST)}
    <h4 id="clients-title">Connected clients</h4>
    ${
      clients.length === 0
        ? html`<p class="muted" id="no-clients">None yet. Add a configuration below to your client; it is
      listed here after its first request.</p>`
        : html`<ul class="rows" id="mcp-clients" aria-labelledby="clients-title">
      ${clients.map(clientRow)}</ul>`
    }`;
}

function toolsView(chosen: Tools, attempts: Attempts, { chooseTools }: McpCallbacks) {
  const choose = (event: Event, tools: Tools) => {
    if (isPressOf(event)) void attempts.follow(TOOLS, "Saving…", chooseTools(tools), () => "");
  };
  return html`<h4 id="mcp-tools-title">Tools for MCP clients</h4>
    <div class="choices" role="radiogroup" aria-labelledby="mcp-tools-title" aria-describedby="mcp-tools-about">
      ${CHOICES.map(
        ({ value, label }) => html`<label><input type="radio" name="mcp-tools" value=${value}
          .checked=${value === chosen} @click=${(event: Event) => choose(event, value)}> ${label}</label>`,
      )}
    </div>
    <p class="muted" id="mcp-tools-about">${
      chosen === "code"
        ? "Clients list two tools, run and find, and write Python over all others."
        : "Code lists two tools instead, run and find, with which clients write Python over all others."
    }</p>
    ${attempts.outcome(TOOLS)}`;
}

function clientRow({ key, name, transport, live, calls, last, heard, tools }: McpClient) {
  const most = tools.map((tool) => `${tool.name} × ${tool.calls.toLocaleString()}`).join(", ");
  return html`<li data-live=${String(live)}><div>
    <b>${name}</b> <span class="chip ${live ? "busy" : ""}">${live ? "connected" : "disconnected"}</span>
    <span class="muted">with the key <code>${key}</code> over ${transport === "stdio" ? "standard input and output" : "HTTP"}, last seen
      <time datetime=${heard} title=${fullTime(heard)}>${when(heard)}</time></span>
    <p>${calls === 0 ? "No calls yet." : html`${counted(calls, "call")}, the last one to <code>${last}</code>.`}</p>
    ${tools.length < 2 ? nothing : html`<p class="muted">${most}</p>`}
  </div></li>`;
}
