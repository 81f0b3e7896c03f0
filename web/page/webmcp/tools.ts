// The tools that a page offers by WebMCP. All about them is the page's own text.

import type { Connection } from "../../../webmcp_bridge.js";
import { executeTool, listTools, modelContextOf, onToolChange } from "../../../webmcp_adapter.js";
import type { InputDevices } from "../actions/input_devices.ts";
import * as dom from "../dom.ts";
import { ConsentNeeded, InvalidArguments, NotFound, messageOf, ScriptFailed } from "../errors.ts";

interface Schema {
  required?: string[];
  properties?: object;
  additionalProperties?: unknown;
}

/** as the browser lists it */
interface ListedTool {
  name: string;
  description?: string;
  /** JSON Schema, also as text */
  inputSchema?: unknown;
  annotations?: Record<string, boolean>;
  window?: Window;
}

interface PageTool {
  name: string;
  description: string;
  /** JSON Schema; null if it is too long */
  input_schema: Schema | null;
  annotations?: Record<string, boolean>;
}

export const TOOLS_CHANGED = "notifications/tools_changed";
const MOST_TOOLS = 100;
const LONGEST_NAME = 128;
const LONGEST_DESCRIPTION = 1_000;
const LONGEST_SCHEMA = 8_000;
// A declared form is filled at once. Then it waits for a press, and its call with it.
const FILLS_MS = 100;
const WAITING_FORM = "form:tool-form-active:not([toolautosubmit])";
const FILLED = "The form is filled and waits: check it, then press its submit button.";

/** The names of tools that the page has offered, also of those that have gone. */
const seen = new Set<string>();

/** @returns the tools of this document, as the browser lists them */
async function listed(): Promise<ListedTool[]> {
  const context = modelContextOf(document);
  if (!context) return [];
  try {
    const tools: ListedTool[] = await listTools(context);
    return tools.filter(({ window: view }) => (view ?? window) === window).slice(0, MOST_TOOLS);
  } catch (error) {
    // The document may not use WebMCP.
    if (error instanceof DOMException && error.name === "NotAllowedError") return [];
    throw error;
  }
}

/** Return the tools of the page. */
export async function pageTools(): Promise<{ tools: PageTool[] }> {
  const tools = (await listed()).map(rowOf);
  for (const { name } of tools) seen.add(name);
  return { tools };
}

/** Return the names of the page's tools. */
export async function toolNames() {
  return (await pageTools()).tools.map(({ name }) => name);
}

/** Report changes of the page's tools to the surface. */
export function reportTools(surface: Connection) {
  const report = async () => {
    const tools = await toolNames();
    surface.notify(TOOLS_CHANGED, { tools });
  };
  const context = modelContextOf(document);
  if (context) onToolChange(context, () => void report());
}

/** Call a tool of the page, and report what changed. */
export async function callTool(
  devices: InputDevices,
  {
    name,
    input = {},
    consented,
    signal,
  }: {
    name: string;
    input?: Record<string, unknown>;
    consented?: boolean;
    signal?: AbortSignal;
  },
) {
  const tools = await listed();
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw missing(name, tools.map(rowOf));
  const row = rowOf(tool);
  requireArguments(row, input);
  if (tool.annotations?.consequentialHint && consented !== true) {
    throw new ConsentNeeded("The page says that this tool has consequences.", {
      hint: "The user must agree first.",
      data: { page_tool: name, arguments: input },
    });
  }
  return devices.perform({ signal }, async (outcome) => {
    const result = await Promise.race([
      executed(tool, input, signal),
      outcome.departure.promise.then(() => null),
      filled(),
    ]);
    // One that answers has done its work, even if it changes nothing.
    return () => ({ ...(result === null ? {} : { success: true, note: undefined }), result });
  });
}

async function executed(tool: ListedTool, input: object, signal?: AbortSignal) {
  try {
    return parsed(await executeTool(modelContextOf(document), tool, input, signal));
  } catch (error) {
    signal?.throwIfAborted();
    throw new ScriptFailed(`The page's tool ${tool.name} failed: ${messageOf(error)}`, {
      hint: "Browsers don't pass on the page's reason; its console may have it.",
    });
  }
}

/** Return a sentence when a form is filled and waits for a press; never for other tools. */
function filled(): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(() => {
      if (CSS.supports("selector(:tool-form-active)") && dom.querySelector(document, WAITING_FORM)) resolve(FILLED);
    }, FILLS_MS);
  });
}

/** @returns the value of JSON, or the text */
function parsed(text: string | null): unknown {
  if (text === null || !/^\s*[[{"\d-]|^\s*(true|false|null)\s*$/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function rowOf({ name, description, inputSchema, annotations }: ListedTool): PageTool {
  const schema = (typeof inputSchema === "string" ? parsed(inputSchema) : inputSchema) || {
    type: "object",
    properties: {},
  };
  const tooLong = JSON.stringify(schema).length > LONGEST_SCHEMA;
  return {
    name: String(name).slice(0, LONGEST_NAME),
    description: String(description ?? "").slice(0, LONGEST_DESCRIPTION),
    input_schema: tooLong ? null : schema,
    ...(annotations ? { annotations: { ...annotations } } : {}),
  };
}

function missing(name: string, tools: PageTool[]) {
  const names = tools.map((each) => each.name).join(", ");
  const gone = seen.has(name)
    ? `The page no longer offers its tool ${JSON.stringify(name)}.`
    : `The page has no tool ${JSON.stringify(name)}.`;
  return new NotFound(gone, {
    hint: names ? `It offers: ${names}.` : "It offers none.",
    data: { tools: names ? names.split(", ") : [] },
  });
}

function requireArguments({ name, input_schema: schema }: PageTool, input: unknown) {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new InvalidArguments("`arguments` must be an object.");
  }
  const lacks = (schema?.required ?? []).filter((key) => !Object.hasOwn(input, key));
  const unknown =
    schema?.additionalProperties === false
      ? Object.keys(input).filter((key) => !Object.hasOwn(schema.properties ?? {}, key))
      : [];
  if (!lacks.length && !unknown.length) return;
  const said = [
    lacks.length ? `needs ${lacks.join(", ")}` : "",
    unknown.length ? `doesn't take ${unknown.join(", ")}` : "",
  ];
  throw new InvalidArguments(`The page's tool ${name} ${said.filter(Boolean).join(" and ")}.`, {
    data: { input_schema: schema },
  });
}
