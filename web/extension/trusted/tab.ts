/**
 * Trusted input in one shared tab, if the user has chosen it: the content script asks for it while an action runs, through
 * a separate connection, and the browser's debugger sends it.
 */

import { messageOf } from "../../shared/thrown.ts";
import type { DocumentLink } from "../../shared/document_link.ts";
import type { Options } from "../capture.ts";
import { INPUT } from "../content/names.ts";
import { commandOf } from "./commands.ts";
import { takePicture } from "./picture.ts";
import { Session, type Answered, type Policy } from "./session.ts";

// The methods of the page script that press and type.
const PRESSING = new Set(["click", "type", "pressKey", "select", "hover", "drag"]);
const NO_CHOOSER =
  "The page asked for the browser's file dialog, which stays closed. Use type with `files` on the button or the file input.";

/** the page script's answer to an action, as far as it matters here */
export interface ActionResult {
  success?: boolean;
  note?: string;
  answered?: Answered[];
  navigates_to?: string;
}

export class TrustedTab {
  #id: number;
  #session: Session;
  /** The connection to a document's content script, and the document. */
  #connection: { port: chrome.Port; document: string } | null = null;

  /**
   * @param id - of the browser's tab
   * @param onCancel - called when the user presses Cancel in the browser's bar
   */
  constructor(id: number, onCancel: () => void) {
    this.#id = id;
    this.#session = new Session(id, (cancelled) => {
      this.#disconnect();
      if (cancelled) onCancel();
    });
  }

  answerBy(policy: Policy) {
    this.#session.policy = policy;
  }

  /**
   * Perform a method of the page script, with trusted input if it presses or types.
   *
   * @param document - the browser's id of the document
   * @param act - asks the page script
   */
  async perform(
    method: string,
    document: string,
    act: () => Promise<ActionResult | null>,
  ): Promise<ActionResult | null> {
    if (!PRESSING.has(method)) return act();
    let problem = "";
    let begun = false;
    const run = async () => {
      begun = true;
      await this.#connect(document);
      return act();
    };
    const result = await this.#session.use(run).catch((error) => {
      if (begun) throw error;
      problem = error.message;
      return act();
    });
    const notes = [result?.note, problem && untrusted(problem), this.#session.takeChoosers() && NO_CHOOSER].filter(
      Boolean,
    );
    return withAnswers(notes.length > 0 ? { ...result, note: notes.join(" ") } : result, this.#session.takeAnswered());
  }

  picture(link: DocumentLink, options: Options, signal?: AbortSignal) {
    return this.#session.use(() => takePicture(this.#session, link, options, signal));
  }

  async #connect(document: string) {
    if (this.#connection?.document === document) return;
    this.#disconnect();
    const port = chrome.tabs.connect(this.#id, { name: INPUT, documentId: document });
    this.#connection = { port, document };
    await new Promise((resolve) => {
      port.onMessage.addListener((message) => {
        if (message === "ready") resolve(undefined);
        else void this.#onRequest(port, document, message);
      });
      port.onDisconnect.addListener(() => {
        void chrome.runtime.lastError;
        if (this.#connection?.port === port) this.#connection = null;
        resolve(undefined);
      });
    });
  }

  /** @param request - `{id, kind, event}` */
  async #onRequest(port: chrome.Port, document: string, request: unknown) {
    const { id, kind, event }: { id?: unknown; kind?: unknown; event?: unknown } = Object(request ?? {});
    const command = this.#session.used ? commandOf(kind, event) : null;
    const problem = command === null ? "this input isn't allowed" : await this.#send(document, command);
    // The document may be gone.
    if (this.#connection?.port === port) port.postMessage({ id, problem });
  }

  /**
   * Send input, if the tab still shows the document that asks for it: one that has been left runs for a while next to
   * the next one, which would get the input.
   *
   * @returns why it wasn't sent; null if it was
   */
  async #send(document: string, { method, params }: { method: string; params: object }): Promise<string | null> {
    try {
      const shown = await chrome.webNavigation.getFrame({ tabId: this.#id, frameId: 0 });
      if (shown?.documentId !== document) return "the tab shows another document";
      await this.#session.send(method, params);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  #disconnect() {
    this.#connection?.port.disconnect();
    this.#connection = null;
  }

  /** Detach the debugger until it is needed again. */
  async end() {
    this.#disconnect();
    await this.#session.end();
  }

  /** Detach the debugger, and stop listening. */
  async close() {
    this.#disconnect();
    await this.#session.close();
  }
}

function untrusted(problem: string) {
  return `The browser refused trusted input here (${problem}), so the page's events weren't trusted.`;
}

function withAnswers(result: ActionResult | null, answered: Answered[]): ActionResult | null {
  return answered.length === 0 ? result : { ...result, answered: [...(result?.answered ?? []), ...answered] };
}
