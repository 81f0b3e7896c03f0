// WebMCP for a page in a frame of the surface: `document.modelContext` as the draft defines it
// (https://webmachinelearning.github.io/webmcp/). The browser's own stays closed there, because the tools of a frame could
// pass for the surface's: agents of the browser would see both.

import * as dom from "../dom.ts";
import { formTools } from "./forms.ts";

export interface Offered {
  name: string;
  title?: string;
  description: string;
  inputSchema?: unknown;
  execute: (input: unknown, client: { signal: AbortSignal }) => unknown;
  annotations?: Record<string, boolean>;
}

// https://webmachinelearning.github.io/webmcp/#dom-modelcontext-registertool
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** The tools that a page registers by script, and the tools of its forms. */
class ModelContext extends EventTarget {
  #registered = new Map<string, Offered>();
  ontoolchange: ((event: Event) => void) | null = null;
  document: Document;

  constructor(document: Document) {
    super();
    this.addEventListener("toolchange", (event) => this.ontoolchange?.call(this, event));
    const observer = new MutationObserver((records) => {
      if (records.some(touchesForm)) this.#changed();
    });
    observer.observe(document, { subtree: true, childList: true, attributeFilter: ["toolname", "tooldescription"] });
    this.document = document;
  }

  async registerTool(tool: Offered, { signal }: { signal?: AbortSignal } = {}) {
    if (signal?.aborted) return;
    const { name, description, execute } = tool ?? {};
    if (typeof execute !== "function") throw new TypeError("The tool has no execute function.");
    if (!NAME.test(String(name)) || typeof description !== "string" || !description) {
      throw new DOMException(
        `The tool ${JSON.stringify(name)} has no valid name or no description.`,
        "InvalidStateError",
      );
    }
    if (this.#registered.has(name))
      throw new DOMException(`The tool ${name} is already registered.`, "InvalidStateError");
    this.#registered.set(name, tool);
    signal?.addEventListener("abort", () => this.#remove(name, tool), { once: true });
    this.#changed();
  }

  #remove(name: string, tool: Offered) {
    if (this.#registered.get(name) !== tool) return;
    this.#registered.delete(name);
    this.#changed();
  }

  #changed() {
    queueMicrotask(() => this.dispatchEvent(new Event("toolchange")));
  }

  #all(): Offered[] {
    const forms = formTools(this.document).filter(({ name }) => !this.#registered.has(name));
    return [...this.#registered.values(), ...forms];
  }

  async getTools() {
    return this.#all().map(({ name, title = "", description, inputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema: inputSchema ?? { type: "object", properties: {} },
      annotations,
      origin: location.origin,
      window,
    }));
  }

  async executeTool(
    { name }: { name: string },
    input: unknown,
    { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
  ) {
    const tool = this.#all().find((each) => each.name === name);
    if (!tool) throw new DOMException(`There is no tool ${name}.`, "NotFoundError");
    signal.throwIfAborted();
    const cancelled = new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
    );
    const value = await Promise.race([tool.execute(input, { signal }), cancelled]);
    return value === null ? null : typeof value === "object" ? JSON.stringify(value) : String(value);
  }
}

function touchesForm({ type, addedNodes, removedNodes }: MutationRecord) {
  if (type === "attributes") return true;
  return [...addedNodes, ...removedNodes].some(
    (node) =>
      node instanceof Element &&
      (dom.matches(node, "form[toolname]") || dom.querySelector(node, "form[toolname]") !== null),
  );
}

/** Give a framed document its own model context, unless it already has one that works. */
export function offerContext(document: Document) {
  const view = dom.defaultView(document);
  if (!view || view === view.top) return;
  const context = new ModelContext(document);
  Object.defineProperty(document, "modelContext", { value: context, configurable: true, enumerable: true });
}
