// The page script's errors. The message says what was wrong, the hint what to do about it, and `data` has the facts.
// Types are strings, because minifiers rename classes.

type Details = { hint?: string; data?: any };

/** The base class of the page script's errors. `type` is its name on the wire. */
export class PageProblem extends Error {
  type = "PageProblem";
  hint: string | undefined;
  data: any;

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
    type: string;

    constructor(message: string, details?: Details) {
      super(message, details);
      this.type = type;
    }
  };

/** Options are missing or invalid. */
export const InvalidArguments = problem("InvalidArguments");

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

/** The element belongs to the surface itself, where only people act. */
export const OffLimits = problem("OffLimits");

/** The target is in a document of another origin. */
export const CrossOrigin = problem("CrossOrigin");

/** The caller's JavaScript threw; `data.stack` is the stack trace. */
export const ScriptFailed = problem("ScriptFailed");

/** The time limit was reached. */
export const TimedOut = problem("TimedOut");
