/**
 * Runs in the page's own world before its scripts, and records what only that world sees: listeners for presses, messages
 * and errors, dialogs, and pending timers and requests. It has no power: it answers the content script (hooked.ts).
 */

import { Answers, type Policy } from "../../page/actions/dialogs.ts";
import { Console, type Level } from "../../page/console.ts";
import { keepSources } from "../../page/hooks.ts";
import { Listeners } from "../../page/listeners.ts";
import { NetworkLog } from "../../page/network_log.ts";
import { pendingWork, trackAction, watchPending } from "../../page/pending.ts";
import { ANSWER, ASK, HEARS, NOTE } from "./names.ts";

function start() {
  const send = dispatchEvent.bind(globalThis);
  const tell = (type: string, value: unknown) =>
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
  const methods: Record<string, { answer(...args: never[]): unknown }["answer"]> = {
    late: () => listeners.late,
    messages: () => log.messages,
    dialogs: (policy: Policy | null) => answers.install(policy),
    track: () => void (end = trackAction()),
    endTrack: () => end(),
    work: () => pendingWork(),
    network: (options: Parameters<NetworkLog["read"]>[0]) => network.read(options),
  };
  addEventListener(
    ASK,
    (event) => {
      event.stopImmediatePropagation();
      const [method, ...args] = JSON.parse(Reflect.get(event, "detail"));
      try {
        tell(ANSWER, Reflect.apply(methods[method], methods, args));
      } catch (error) {
        const { message, hint = null }: { message?: unknown; hint?: unknown } = Object(error);
        tell(ANSWER, { failed: { message: String(message), hint } });
      }
    },
    { capture: true },
  );
  addEventListener(
    HEARS,
    (event) => {
      event.stopImmediatePropagation();
      const [element] = event.composedPath();
      if (element instanceof Element && listeners.hasPressListener(element)) event.preventDefault();
    },
    { capture: true },
  );
}

class NotingConsole extends Console {
  tell: (message: object) => void;

  constructor(tell: (message: object) => void) {
    super();
    this.tell = tell;
  }

  note(level: Level, text: string, source: string | null) {
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
