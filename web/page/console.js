// What a page writes to its console, and what goes wrong in it, for those who can't open the developer tools.

/**
 * @typedef {"debug" | "log" | "info" | "warn" | "error"} Level
 * @typedef {object} Message
 * @property {Level} level
 * @property {string} text
 * @property {string | null} source `url:line`, where the browser tells it
 * @property {string} time ISO 8601
 */

const LEVELS = /** @type {const} */ (["debug", "log", "info", "warn", "error"]);
const MOST = 200;
const LONGEST = 2_000;
// The address in a line of a stack, as Chromium, Firefox and WebKit write it.
const PLACE = /((?:https?|file|blob):\S+?:\d+)(?::\d+)?\)?$/;

export class Console {
  /** @type {Message[]} */
  messages = [];
  /** How many there were, those that are forgotten too. */
  count = 0;
  listening = false;

  /** Record from now on. */
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
      this.note("error", `The page's policy (${violatedDirective}) refused ${blockedURI}`, place);
    });
  }

  /** @param {Level} level @param {string} text @param {string | null} source */
  note(level, text, source) {
    const cut = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
    this.messages.push({ level, text: cut, source, time: new Date().toISOString() });
    this.count += 1;
    if (this.messages.length > MOST) this.messages.shift();
  }

  /**
   * The last messages, at most 200.
   * @param {{ since?: number | null, clear?: boolean }} options `since`: the `next` of an earlier answer, for what came later
   * @returns {{ messages: Message[], next: number }}
   */
  read({ since, clear = false } = {}) {
    const fresh = Math.max(0, this.count - (since ?? 0));
    const messages = fresh ? this.messages.slice(-fresh) : [];
    if (clear) this.messages = [];
    return { messages, next: this.count };
  }

  /** The page's own console goes on getting what it gets. @param {Level} level */
  #wrap(level) {
    const note = (/** @type {unknown[]} */ given) => this.note(level, told(given), caller());
    console[level] = new Proxy(console[level], {
      apply(target, self, given) {
        note(given);
        return Reflect.apply(target, self, given);
      },
    });
  }

  /** @param {Event} event */
  #noteError(event) {
    if (event instanceof ErrorEvent) {
      const { message, filename, lineno } = event;
      return this.note("error", message, filename ? `${filename}:${lineno}` : null);
    }
    // An image, a script or a style sheet that didn't come.
    const { localName, src, href } = /** @type {any} */ (event.target);
    if (localName && (src || href)) this.note("error", `Could not load <${localName}> from ${src || href}`, null);
  }
}

/** As the developer tools would show it. @param {unknown[]} given */
function told([first, ...rest]) {
  let at = 0;
  // https://console.spec.whatwg.org/#formatter
  const format = (/** @type {string} */ text) => text.replace(/%([sdifoOc%])/g, (whole, kind) => {
    if (kind === "%" || at >= rest.length) return kind === "%" ? "%" : whole;
    const value = rest[at++];
    if (kind === "c") return "";
    return kind === "d" || kind === "i" ? String(parseInt(String(value), 10)) : textOf(value);
  });
  const start = typeof first === "string" ? format(first) : textOf(first);
  return [...(first === undefined && rest.length === 0 ? [] : [start]), ...rest.slice(at).map(textOf)].join(" ");
}

/** What can be said of any value in some words. @param {any} value @returns {string} */
export function textOf(value) {
  if (typeof value === "string") return value;
  try {
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (value instanceof Element) return `<${value.localName}${value.id && `#${value.id}`}>`;
    if (typeof value === "object" && value !== null) return JSON.stringify(value) ?? String(value);
    return typeof value === "bigint" ? `${value}n` : String(value);
  } catch {
    // It refers to itself, or refuses to be told.
    return Object.prototype.toString.call(value);
  }
}

/** Where the page called its console from: the first line of the stack that isn't in this script. */
function caller() {
  const places = (new Error().stack ?? "").split("\n").flatMap((line) => placeIn(line) ?? []);
  const fileOf = (/** @type {string} */ place) => place.slice(0, place.lastIndexOf(":"));
  return places.find((place) => fileOf(place) !== fileOf(places[0])) ?? null;
}

/** @param {unknown} stack @returns {string | null} */
function placeIn(stack) {
  if (typeof stack !== "string") return null;
  for (const line of stack.split("\n")) {
    const found = PLACE.exec(line.trim());
    if (found) return found[1];
  }
  return null;
}
