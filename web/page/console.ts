// Records a page's console messages and errors, for agents, which can't open developer tools.

import type { Connection } from "../../webmcp_bridge.js";
import * as dom from "./dom.ts";
import { shorten } from "./short_texts.ts";

export type Level = "debug" | "log" | "info" | "warn" | "error";

interface Message {
  level: Level;
  text: string;
  /** `url:line`, if known */
  source: string | null;
  /** ISO 8601 */
  time: string;
}

const LEVELS = ["debug", "log", "info", "warn", "error"] as const;
const MAX_MESSAGES = 200;
const MAX_LENGTH = 2_000;
const MAX_REFUSED = 50;
// The URL in a line of a stack trace in Chromium, Firefox and WebKit.
const PLACE = /((?:https?|file|blob|chrome-extension):\S+?:\d+)(?::\d+)?\)?$/;

export const HAS_MESSAGES = "notifications/has_messages";

/** A log of the page's messages and errors. */
export class Console {
  messages: Message[] = [];
  /** The number of all messages, including dropped ones. */
  count = 0;
  listening = false;
  /** The origins that the page's policy has refused. */
  refused = new Set<string>();
  /** Called after a message was recorded. */
  onMessage = () => {};

  /** Start recording. */
  listen() {
    if (this.listening) return;
    this.listening = true;
    for (const level of LEVELS) this.#wrap(level);
    addEventListener("error", (event) => this.#noteError(event), true);
    addEventListener("unhandledrejection", ({ reason }) => {
      this.note("error", `Uncaught (in promise) ${textOf(reason)}`, placeIn(reason?.stack));
    });
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
      const place = sourceFile ? `${sourceFile}:${lineNumber}` : null;
      const { origin } = URL.parse(blockedURI) ?? { origin: "null" };
      if (origin !== "null" && this.refused.size < MAX_REFUSED) this.refused.add(origin);
      this.note("error", `The page's policy (${violatedDirective}) refused ${blockedURI}`, place);
    });
  }

  note(level: Level, text: string, source: string | null) {
    this.messages.push({ level, text: shorten(text, MAX_LENGTH), source, time: new Date().toISOString() });
    this.count += 1;
    if (this.messages.length > MAX_MESSAGES) this.messages.shift();
    this.onMessage();
  }

  /**
   * Return the latest messages, at most 200.
   * @param options - `since`: the `next` of an earlier call, for later messages only; `clear`: forget the messages
   */
  read({ since, clear = false }: { since?: number | null; clear?: boolean } = {}): {
    messages: Message[];
    next: number;
  } {
    const fresh = Math.max(0, this.count - (since ?? 0));
    const messages = fresh ? this.messages.slice(-fresh) : [];
    if (clear) this.messages = [];
    return { messages, next: this.count };
  }

  /** Record a console method's calls and pass them on. */
  #wrap(level: Level) {
    const note = (args: unknown[]) => this.note(level, formatted(args), caller());
    console[level] = new Proxy(console[level], {
      apply(target, self, args) {
        note(args);
        return Reflect.apply(target, self, args);
      },
    });
  }

  #noteError(event: Event) {
    if (event instanceof ErrorEvent) {
      const { message, filename, lineno } = event;
      return this.note("error", message, filename ? `${filename}:${lineno}` : null);
    }
    // An image, a script or a style sheet that could not be loaded.
    const { target } = event;
    if (!(target instanceof Element)) return;
    const { localName, src, href } = dom.propertiesOf(target);
    if (localName && (src || href)) this.note("error", `Could not load <${localName}> from ${src || href}`, null);
  }
}

/** Report to the surface that there are new messages, once for all of the same moment. */
export function reportMessages(log: Console, surface: Connection) {
  let reported = false;
  log.onMessage = () => {
    if (reported) return;
    reported = true;
    setTimeout(() => {
      reported = false;
      surface.notify(HAS_MESSAGES, {});
    });
  };
}

/** Format arguments as developer tools do. */
function formatted([first, ...rest]: unknown[]) {
  let at = 0;
  // https://console.spec.whatwg.org/#formatter
  const format = (text: string) =>
    text.replace(/%([sdifoOc%])/g, (whole, kind) => {
      if (kind === "%" || at >= rest.length) return kind === "%" ? "%" : whole;
      const value = rest[at++];
      if (kind === "c") return "";
      return kind === "d" || kind === "i" ? String(parseInt(String(value), 10)) : textOf(value);
    });
  const start = typeof first === "string" ? format(first) : textOf(first);
  return [...(first === undefined && rest.length === 0 ? [] : [start]), ...rest.slice(at).map(textOf)].join(" ");
}

/** Describe any value as text. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (value instanceof Element) return `<${dom.localName(value)}${dom.id(value) && `#${dom.id(value)}`}>`;
    if (typeof value === "object" && value !== null) return JSON.stringify(value) ?? String(value);
    return typeof value === "bigint" ? `${value}n` : String(value);
  } catch {
    // The value has a cycle, or its conversion throws.
    return Object.prototype.toString.call(value);
  }
}

/** Return the `url:line` that called the console: the first line of the stack outside this script. */
function caller() {
  const places = (new Error().stack ?? "").split("\n").flatMap((line) => placeIn(line) ?? []);
  const fileOf = (place: string) => place.slice(0, place.lastIndexOf(":"));
  return places.find((place) => fileOf(place) !== fileOf(places[0])) ?? null;
}

function placeIn(stack: unknown): string | null {
  if (typeof stack !== "string") return null;
  for (const line of stack.split("\n")) {
    const found = PLACE.exec(line.trim());
    if (found) return found[1];
  }
  return null;
}
