/**
 * The questions that wait for the person, and what was answered. Owners of powers ask here: the page's main thread, and
 * the companion over its socket (web/ui/companion/link.js). Python has no way to answer.
 *
 * @import { Answer, Facts, Kind } from "./kinds/kind.js"
 * @import { Grants } from "./grants.js"
 */

import { KINDS } from "./kinds/kinds.js";

// More than anybody reads. What is asked beyond that is refused at once.
export const MOST_WAITING = 50;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * What Python says about a request. Nothing of it is checked, and nothing of it opens anything.
 *
 * @typedef {object} Words
 * @property {string} [tool] the tool that is called; with `within`, in words, what is about to be done
 * @property {string | null} [within] the tool that is about to do it
 * @property {string} [caller]
 * @property {string | null} [run] the agent's run
 * @property {string} [effect] as the tool declares it
 * @property {unknown} [arguments]
 * @property {{argument: string, text: string, origin: string}[]} [origins] where parts of the arguments came from
 *
 * @typedef {Answer | "refuse"} Decision
 * @typedef {{kind: string, facts: Facts, words?: Words, answers?: readonly Answer[]}} Request
 * @typedef {object} Outcome
 * @property {boolean} allowed
 * @property {Decision | "nobody" | "full"} decision "nobody": nobody attends this page; "full": too many questions wait
 * @property {number} [until] milliseconds since 1970, with the decision "hour"
 * @property {boolean} [standing] whether a grant of before answered
 *
 * @typedef {object} Question
 * @property {number} id
 * @property {string} name of its kind
 * @property {Kind} kind
 * @property {Facts} facts
 * @property {Words} words
 * @property {string} run whose grants hold: the run, or else the caller, as Python names it
 * @property {readonly Answer[]} answers
 * @property {string} asked ISO 8601
 * @property {string} until what the answer "hour" means, ISO 8601
 * @property {(outcome: Outcome) => void} settle
 */

export class Consent {
  /** @type {Question[]} */
  #waiting = [];
  #lastId = 0;
  /** What was refused, and what was done once and needs no second question, by run. @type {Map<string, "refuse" | "once">} */
  #answered = new Map();
  /** @type {{run: string, origin: string} | null} */
  #taint = null;
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /**
   * @param {object} options
   * @param {Grants} options.grants
   * @param {() => boolean} options.attended whether a person is at this page
   * @param {() => number} [options.now] milliseconds of the epoch
   */
  constructor({ grants, attended, now = () => Date.now() }) {
    this.grants = grants;
    this.attended = attended;
    this.now = now;
  }

  /** Oldest first. @returns {readonly Question[]} */
  get waiting() {
    return this.#waiting;
  }

  /** The first text from outside that agents or clients have read since Python started. */
  get taint() {
    return this.#taint;
  }

  /** Call `listener` after each change of what waits or holds. @param {() => void} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
  }

  /**
   * Ask the person, unless they have answered that already.
   *
   * @param {Request} request
   * @param {AbortSignal} [signal] withdraws the question; the promise rejects with its reason
   * @returns {Promise<Outcome>}
   */
  async ask({ kind: name, facts, words = {}, answers }, signal) {
    signal?.throwIfAborted();
    const question = this.#question(name, facts, words, answers);
    const known = this.#known(question);
    if (known !== null) return known;
    if (!this.attended()) return { allowed: false, decision: "nobody" };
    if (this.#waiting.length >= MOST_WAITING) return { allowed: false, decision: "full" };
    return new Promise((resolve, reject) => {
      const withdraw = () => {
        this.#remove(question);
        reject(signal?.reason);
      };
      question.settle = (outcome) => {
        signal?.removeEventListener("abort", withdraw);
        this.#remove(question);
        resolve(outcome);
      };
      signal?.addEventListener("abort", withdraw, { once: true });
      this.#waiting = [...this.#waiting, question];
      this.#changed();
    });
  }

  /**
   * What the person pressed. Only the dialog calls this.
   *
   * @param {Question} question
   * @param {Decision} decision
   */
  answer(question, decision) {
    if (!this.#waiting.includes(question)) return;
    if (decision === "refuse") {
      if (isNamed(question) && !question.kind.kept) this.#answered.set(subjectKey(question), "refuse");
      question.settle({ allowed: false, decision });
    } else if (question.answers.includes(decision)) {
      this.#grant(question, decision);
      question.settle({ allowed: true, decision, ...(decision === "hour" ? { until: Date.parse(question.until) } : {}) });
    } else {
      throw new TypeError(`${question.name} offers no ${decision}`);
    }
    // What waits for the same thing is answered with it.
    for (const other of this.#waiting) {
      const known = this.#known(other);
      if (known !== null) other.settle(known);
    }
  }

  /**
   * Text from outside reaches an agent or client. Grants of before that go beyond a run don't count from now on.
   *
   * @param {{run: string, origin: string}} source as Python, or the page itself, names it
   */
  noteTaint({ run, origin }) {
    if (this.#taint !== null) return;
    this.#taint = { run: String(run), origin: String(origin) };
    this.#changed();
  }

  /** Nobody attends the page any more: what waits is refused. */
  refuseAll() {
    for (const question of this.#waiting) question.settle({ allowed: false, decision: "nobody" });
  }

  /** An hour from now, to the minute, as ISO 8601: what the answer "hour" means to a question that is shown now. */
  hourOn() {
    return new Date(Math.ceil((this.now() + HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString();
  }

  /** Python has started anew: no run of before goes on, and nothing from outside has been read. */
  renew() {
    this.#taint = null;
    this.#answered.clear();
    this.grants.endRuns();
    this.#changed();
  }

  /** @param {string} name @param {Facts} facts @param {Words} words @param {readonly Answer[]} [answers] @returns {Question} */
  #question(name, facts, words, answers) {
    if (!Object.hasOwn(KINDS, name)) throw new TypeError(`there is no kind of question ${JSON.stringify(name)}`);
    const kind = KINDS[name];
    return {
      id: ++this.#lastId, name, kind, facts, words,
      run: runOf(words),
      answers: kind.answers.filter((answer) => answers?.includes(answer) ?? true),
      asked: new Date(this.now()).toISOString(),
      until: kind.kept && typeof facts.until === "string" ? facts.until : this.hourOn(),
      settle: () => {},
    };
  }

  /** What the person has answered to the same thing. @param {Question} question @returns {Outcome | null} */
  #known(question) {
    const { name, kind, facts, words, run, answers } = question;
    if (kind.kept) return null;
    for (const answer of answers) {
      if (answer === "once") continue;
      const grant = this.grants.find({ kind: name, subject: kind.subject(facts, answer, words), answer, run, tainted: this.#taint !== null });
      if (grant !== null) return { allowed: true, decision: "once", standing: true };
    }
    if (this.#answered.get(subjectKey(question)) === "refuse") return { allowed: false, decision: "refuse", standing: true };
    const repeated = repeatKey(question);
    if (repeated !== null && this.#answered.has(repeated)) return { allowed: true, decision: "once", standing: true };
    return null;
  }

  /** @param {Question} question @param {Answer} answer */
  #grant(question, answer) {
    const { name, kind, facts, words, run, until } = question;
    if (kind.kept) return;
    if (answer === "once") {
      const repeated = repeatKey(question);
      if (repeated !== null) this.#answered.set(repeated, "once");
      return;
    }
    this.grants.add({
      kind: name, subject: kind.subject(facts, answer, words), answer, run,
      until: answer === "hour" ? until : null, tainted: this.#taint !== null,
    });
  }

  /** @param {Question} question */
  #remove(question) {
    this.#waiting = this.#waiting.filter((other) => other !== question);
    this.#changed();
  }

  #changed() {
    for (const listener of this.#listeners) listener();
  }
}

/** @param {Words} words */
function runOf({ run, caller }) {
  return run ? `run ${run}` : `caller ${caller ?? ""}`;
}

/** Whether a run is named, whose end ends what is remembered. @param {Question} question */
function isNamed({ words }) {
  return Boolean(words.run);
}

/** @param {Question} question */
function subjectKey({ name, kind, facts, words, run }) {
  return JSON.stringify([run, name, kind.subject(facts, "run", words)]);
}

/** @param {Question} question */
function repeatKey(question) {
  const { name, kind, facts, run } = question;
  const same = isNamed(question) ? (kind.repeats?.(facts) ?? null) : null;
  return same === null ? null : JSON.stringify([run, name, "once", same]);
}
