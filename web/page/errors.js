// What can go wrong in a page. Each error says in a sentence what it was, its hint what to do about it, and `data` holds
// the facts. The type is written out, since a minifier renames classes.

/** @typedef {{ hint?: string, data?: any }} Details */

/** Base of the page script's errors. `type` is its name on the wire. */
export class PageProblem extends Error {
  /** @param {string} message @param {Details} [details] */
  constructor(message, { hint, data } = {}) {
    super(message);
    this.type = "PageProblem";
    this.hint = hint;
    this.data = data;
  }

  get name() {
    return this.type;
  }
}

/** @param {string} type */
const problem = (type) =>
  class extends PageProblem {
    /** @param {string} message @param {Details} [details] */
    constructor(message, details) {
      super(message, details);
      this.type = type;
    }
  };

/** The options don't say what to do, or on what. */
export const InvalidArguments = problem("InvalidArguments");

/** No element is where the target says; `data.candidates` are close ones. */
export const NotFound = problem("NotFound");

/** The element of a ref has left the page; `data.match` is the nearest living one. */
export const StaleRef = problem("StaleRef");

/** Another element would get the click; `data.by` is that element. */
export const Covered = problem("Covered");

/** The element is disabled. */
export const Disabled = problem("Disabled");

/** The element has no place on the screen. */
export const Hidden = problem("Hidden");

/** The element can't do that, as a link can't be typed into. */
export const Unsupported = problem("Unsupported");

/** The person has to be asked before the field is typed into. */
export const ConsentNeeded = problem("ConsentNeeded");

/** It belongs to the surface itself, where only people act. */
export const OffLimits = problem("OffLimits");

/** The target is in a document of another origin. */
export const CrossOrigin = problem("CrossOrigin");

/** JavaScript that the caller sent threw; `data.stack` has where. */
export const ScriptFailed = problem("ScriptFailed");

/** A limit on time ran out. */
export const TimedOut = problem("TimedOut");

/** The caller gave the request up. */
export const Cancelled = problem("Cancelled");
