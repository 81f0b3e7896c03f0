// The page script's errors. The message says what was wrong, the hint what to do about it, and `data` has the facts.
// Types are strings, because minifiers rename classes.

/** Return the message of what was thrown, also of an error of another realm. */
export function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error);
}

/** Return whether the browser has refused something of another origin. */
export function isSecurityError(error: unknown) {
  return typeof error === "object" && error !== null && "name" in error && error.name === "SecurityError";
}

type Details = { hint?: string; data?: unknown };

/** The base class of the page script's errors. `type` is its name on the wire. */
export class PageProblem extends Error {
  type = "PageProblem";
  hint: string | undefined;
  data: unknown;

  constructor(message: string, { hint, data }: Details = {}) {
    super(message);
    this.hint = hint;
    this.data = data;
  }

  get name() {
    return this.type;
  }
}

const problem = (type: string) =>
  class extends PageProblem {
    type = type;
  };

/** Options are missing or invalid. */
export const InvalidArguments = problem("InvalidArguments");

/** Throw InvalidArguments unless a text may have so many characters. */
export function checkMost(characters: number, least: number) {
  if (Number.isInteger(characters) && characters >= least) return;
  throw new InvalidArguments(`max_chars must be an integer of at least ${least}, not ${JSON.stringify(characters)}.`);
}

/** The target matches no element; `data.candidates` are similar ones. */
export const NotFound = problem("NotFound");

/** The element of a ref has left the page; `data.match` is the most similar one. */
export const StaleRef = problem("StaleRef");

/** Another element, `data.by`, would receive the click. */
export const Covered = problem("Covered");

/** The element is disabled. */
export const Disabled = problem("Disabled");

/** The element isn't visible. */
export const Hidden = problem("Hidden");

/** The element doesn't support the action, such as typing into a link. */
export const Unsupported = problem("Unsupported");

/** The user must agree to the action first. */
export const ConsentNeeded = problem("ConsentNeeded");

/** The element belongs to the surface itself, where only users act. */
export const OffLimits = problem("OffLimits");

/** The target is in a document of another origin. */
export const CrossOrigin = problem("CrossOrigin");

/** The caller's JavaScript threw; `data.stack` is the stack trace. */
export const ScriptFailed = problem("ScriptFailed");

/** The time limit was reached. */
export const TimedOut = problem("TimedOut");
