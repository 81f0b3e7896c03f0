/**
 * Facts that the page script of the isolated world gets from the page's own world, through the hook (hook.ts). The page
 * can forge them, so they are checked.
 */

import { Answers } from "../../page/actions/dialogs.ts";
import { Console } from "../../page/console.ts";
import * as dom from "../../page/dom.ts";
import { NotFound, Unsupported } from "../../page/errors.ts";
import { Listeners } from "../../page/listeners.ts";
import { NetworkLog } from "../../page/network_log.ts";
import { ANSWER, ASK, HEARS, NOTE } from "./names.ts";

const LEVELS = ["debug", "log", "info", "warn", "error"] as const;
const KINDS = ["alert", "confirm", "prompt"] as const;

/** an object of the page, with any values */
type Forged = Partial<Record<string, unknown>>;

/** @returns undefined if it isn't JSON */
function valueOf(event: Event): unknown {
  try {
    return JSON.parse(String(Reflect.get(event, "detail")));
  } catch {
    return undefined;
  }
}

/**
 * Call a method of the hook.
 * @returns undefined if there is no hook
 */
function ask(method: string, ...args: unknown[]): unknown {
  let answer: unknown;
  const onAnswer = (event: Event) => {
    event.stopImmediatePropagation();
    answer = valueOf(event);
  };
  addEventListener(ANSWER, onAnswer, { capture: true });
  dispatchEvent(new CustomEvent(ASK, { detail: JSON.stringify([method, ...args]) }));
  removeEventListener(ANSWER, onAnswer, { capture: true });
  return answer;
}

/** Call `listener` with each note of a kind. */
function onNote(kind: string, listener: (value: Forged) => void) {
  addEventListener(
    NOTE,
    (event) => {
      const note = valueOf(event);
      if (Array.isArray(note) && note[0] === kind && typeof note[1] === "object" && note[1] !== null) listener(note[1]);
    },
    { capture: true },
  );
}

export class HookedListeners extends Listeners {
  constructor() {
    super();
    this.late = ask("late") !== false;
  }

  watch() {}

  isExposed(element: Element) {
    return this.hasPressListener(element);
  }

  hasPressListener(element: Element) {
    return !dom.dispatchEvent(element, new Event(HEARS, { cancelable: true, composed: true }));
  }
}

export class HookedAnswers extends Answers {
  constructor() {
    super();
    onNote("answered", ({ kind, message, answer }) => {
      const isAnswer = typeof answer === "boolean" || typeof answer === "string" || answer === null;
      const known = KINDS.find((each) => each === kind);
      if (known && isAnswer) this.answer(known, message, answer);
    });
  }

  cover() {
    ask("dialogs", this.installed ? this.policy : null);
  }
}

export class HookedNetwork extends NetworkLog {
  watch() {}

  read(options: object) {
    const { requests, total, next, body, failed }: Forged = Object(ask("network", options) ?? {});
    if (failed) {
      const { message, hint }: Forged = Object(failed);
      throw new NotFound(String(message), { hint: hint === null ? undefined : String(hint) });
    }
    if (!Array.isArray(requests)) {
      throw new Unsupported("The page's requests weren't recorded.", {
        hint: "Reload the tab, then repeat what sends them.",
      });
    }
    const listed = { requests: requests.map(checkedRequest), total: Number(total) || 0, next: Number(next) || 0 };
    return typeof body === "string" ? { ...listed, body } : listed;
  }
}

/** Return a request with values of the right kinds only. */
function checkedRequest(request: Forged | null) {
  const { id, method, url, type, status, size, ms, failed, has_body: hasBody } = request ?? {};
  const number = (value: unknown) => (typeof value === "number" ? value : null);
  return {
    id: Number(id) || 0,
    method: String(method),
    url: String(url),
    type: String(type),
    status: number(status),
    size: number(size),
    ms: number(ms),
    ...(typeof failed === "string" ? { failed } : {}),
    ...(hasBody === true ? { has_body: true } : {}),
  };
}

export class HookedConsole extends Console {
  #listens = false;

  listen() {
    if (this.#listens) return;
    this.#listens = true;
    const keep = (message: Forged | null) => {
      const { level, text, source } = message ?? {};
      const known = LEVELS.find((each) => each === level);
      if (known) this.note(known, String(text), typeof source === "string" ? source : null);
    };
    const before = ask("messages");
    for (const message of Array.isArray(before) ? before : []) keep(message);
    onNote("console", keep);
  }
}

/** The pending work of an action in the page's own world; see web/page/pending.ts. */
export const hookedPending = {
  track() {
    ask("track");
    return () => void ask("endTrack");
  },
  work() {
    const { count, ended }: Forged = Object(ask("work") ?? {});
    return { count: Number(count) || 0, ended: Number(ended) || 0 };
  },
};
