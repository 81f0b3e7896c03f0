/**
 * Trusted input in one shared tab, if the person has chosen it: the content script asks for it while an action runs, through
 * a connection of its own, and the browser's debugger sends it.
 *
 * @import { DocumentLink } from "../../shared/document_link.js"
 * @import { Options } from "../capture.js"
 * @import { Answered, Policy } from "./session.js"
 */

import { INPUT } from "../content/names.js";
import { commandOf } from "./commands.js";
import { takePicture } from "./picture.js";
import { Session } from "./session.js";

// The methods of the page script that press and type.
const PRESSING = new Set(["click", "type", "pressKey", "select", "hover", "drag"]);
const NO_CHOOSER =
  "The page asked for the browser's file dialog, which stays closed. Use type with `files` on the button or the file input.";

export class TrustedTab {
  #id;
  #session;
  /** The connection to a document's content script, and the document. @type {{ port: any, document: string } | null} */
  #connection = null;

  /** @param {number} id of the browser's tab @param {() => void} onCancel called when the person presses Cancel in the browser's bar */
  constructor(id, onCancel) {
    this.#id = id;
    this.#session = new Session(id, (cancelled) => {
      this.#disconnect();
      if (cancelled) onCancel();
    });
  }

  /** @param {Policy} policy */
  answerBy(policy) {
    this.#session.policy = policy;
  }

  /**
   * Perform a method of the page script, with trusted input if it presses or types.
   *
   * @param {string} method
   * @param {string} document the browser's id of the document
   * @param {() => Promise<any>} act asks the page script
   * @returns {Promise<any>}
   */
  async perform(method, document, act) {
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
    const notes = [result.note, problem && untrusted(problem), this.#session.takeChoosers() && NO_CHOOSER].filter(Boolean);
    return withAnswers(notes.length > 0 ? { ...result, note: notes.join(" ") } : result, this.#session.takeAnswered());
  }

  /** @param {DocumentLink} link @param {Options} options @param {AbortSignal} [signal] */
  picture(link, options, signal) {
    return this.#session.use(() => takePicture(this.#session, link, options, signal));
  }

  /** @param {string} document */
  async #connect(document) {
    if (this.#connection?.document === document) return;
    this.#disconnect();
    const port = chrome.tabs.connect(this.#id, { name: INPUT, documentId: document });
    this.#connection = { port, document };
    await new Promise((resolve) => {
      port.onMessage.addListener((/** @type {any} */ message) => {
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

  /** @param {any} port @param {string} document @param {any} request `{id, kind, event}` */
  async #onRequest(port, document, request) {
    const { id, kind, event } = request ?? {};
    const command = this.#session.used ? commandOf(kind, event) : null;
    const problem = command === null ? "this input isn't allowed" : await this.#send(document, command);
    // The document may be gone.
    if (this.#connection?.port === port) port.postMessage({ id, problem });
  }

  /**
   * Send input, if the tab still shows the document that asks for it: one that has been left runs for a while beside the
   * next one, which would get the input.
   *
   * @param {string} document
   * @param {{ method: string, params: object }} command
   * @returns {Promise<string | null>} why it wasn't sent; null if it was
   */
  async #send(document, { method, params }) {
    try {
      const shown = await chrome.webNavigation.getFrame({ tabId: this.#id, frameId: 0 });
      if (shown?.documentId !== document) return "the tab shows another document";
      await this.#session.send(method, params);
      return null;
    } catch (error) {
      return /** @type {Error} */ (error).message;
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

/** @param {string} problem */
function untrusted(problem) {
  return `The browser refused trusted input here (${problem}), so the page's events weren't trusted.`;
}

/** @param {any} result @param {Answered[]} answered */
function withAnswers(result, answered) {
  return answered.length === 0 ? result : { ...result, answered: [...(result.answered ?? []), ...answered] };
}
