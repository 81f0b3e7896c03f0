/**
 * Runs in the page's own world before its scripts, and records what only that world sees: listeners for presses, messages
 * and errors, dialogs, and pending timers and requests. It has no power: it answers the content script (hooked.js).
 */

import { Answers } from "../../page/actions/dialogs.js";
import { Console } from "../../page/console.js";
import { keepSources } from "../../page/hooks.js";
import { Listeners } from "../../page/listeners.js";
import { NetworkLog } from "../../page/network_log.js";
import { pendingWork, trackAction, watchPending } from "../../page/pending.js";
import { ANSWER, ASK, HEARS, NOTE } from "./names.js";

function start() {
  const send = dispatchEvent.bind(globalThis);
  const tell = (/** @type {string} */ type, /** @type {unknown} */ value) =>
    void send(new CustomEvent(type, { detail: JSON.stringify(value ?? null) }));
  const listeners = new Listeners();
  listeners.watch(globalThis);
  watchPending(globalThis);
  const network = new NetworkLog();
  network.watch(globalThis);
  keepSources(globalThis);
  const log = new NotingConsole((message) => tell(NOTE, ["console", message]));
  log.listen();
  const answers = new Answers();
  answers.listen((answered) => tell(NOTE, ["answered", answered]));
  let end = () => {};
  /** @type {Record<string, (...args: any[]) => unknown>} */
  const methods = {
    late: () => listeners.late,
    messages: () => log.messages,
    dialogs: (policy) => answers.install(policy),
    track: () => void (end = trackAction()),
    endTrack: () => end(),
    work: () => pendingWork(),
    network: (options) => network.read(options),
  };
  addEventListener(ASK, (event) => {
    event.stopImmediatePropagation();
    const [method, ...args] = JSON.parse(/** @type {CustomEvent} */ (event).detail);
    try {
      tell(ANSWER, methods[method](...args));
    } catch (error) {
      const { message, hint = null } = /** @type {any} */ (error);
      tell(ANSWER, { failed: { message: String(message), hint } });
    }
  }, { capture: true });
  addEventListener(HEARS, (event) => {
    event.stopImmediatePropagation();
    const [element] = event.composedPath();
    if (element instanceof Element && listeners.hasPressListener(element)) event.preventDefault();
  }, { capture: true });
}

class NotingConsole extends Console {
  /** @param {(message: object) => void} tell */
  constructor(tell) {
    super();
    this.tell = tell;
  }

  /** @param {import("../../page/console.js").Level} level @param {string} text @param {string | null} source */
  note(level, text, source) {
    super.note(level, text, source);
    this.tell(this.messages.at(-1) ?? {});
  }
}

// The hook is there already if the script was registered before the document, or the page was shared before.
let there = false;
const onAnswer = () => void (there = true);
addEventListener(ANSWER, onAnswer);
dispatchEvent(new CustomEvent(ASK, { detail: JSON.stringify(["late"]) }));
removeEventListener(ANSWER, onAnswer);
if (!there) start();
