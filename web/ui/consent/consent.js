/**
 * The questions that wait for the person, and the answers. Owners of powers ask here: the page's main thread, and the
 * companion over its socket (web/ui/companion/link.js). Python can't answer.
 *
 * @import { Answer, Entered, Facts, Kind } from "./kinds/kind.js"
 * @import { Grants } from "./grants.js"
 * @import { ConsentRecord } from "./record.js"
 */

import { requireSize } from "../../shared/limits.js";
import { UNKNOWN } from "./callers.js";
import { KINDS } from "./kinds/kinds.js";
import { Refusals } from "./refusals.js";

// More than anyone reads. Requests beyond that are refused immediately.
const MOST_WAITING = 50;
// With more of one caller, the dialog offers to refuse them all.
const FEW = 3;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Python's description of a request. It is unchecked and grants nothing.
 *
 * @typedef {object} Words
 * @property {string} [tool] the tool that is called; with `within`, a description of the action
 * @property {string | null} [within] the tool that is about to act
 * @property {string} [caller]
 * @property {string | null} [run] the agent's run
 * @property {string} [for] the purpose of a request that no tool makes, such as one to a language model
 * @property {string} [effect] declared by the tool
 * @property {unknown} [arguments]
 * @property {{argument: string, text: string, origin: string}[]} [origins] the sources of parts of the arguments
 *
 * @typedef {Answer | "refuse"} Decision
 * @typedef {{kind: string, facts: Facts, words?: Words, answers?: readonly Answer[], source?: string}} Request
 *   `source`: who asks, if it isn't Python
 * @typedef {object} Outcome
 * @property {boolean} allowed
 * @property {Decision | "nobody" | "full"} decision "nobody": no one attends this page; "full": too many questions wait
 * @property {number} [until] milliseconds since the epoch: the end of the answer "hour", or of a refusal that applies to later requests
 * @property {Entered} [entered] what the person typed, if the kind has fields
 * @property {boolean} [standing] whether an earlier answer applied
 *
 * @typedef {object} Question
 * @property {number} id
 * @property {string} name of the kind
 * @property {Kind} kind
 * @property {Facts} facts
 * @property {Words} words
 * @property {string} run whose grants apply: the run, or else the caller, as Python names it
 * @property {string} caller whose refusals apply: the caller, as the page knows it (callers.js)
 * @property {readonly Answer[]} answers
 * @property {string} asked ISO 8601
 * @property {string} until the end of the answer "hour", ISO 8601
 * @property {boolean} aside whether the person has put it aside, for the Inbox
 * @property {(outcome: Outcome) => void} settle
 */

export class Consent {
  /** @type {Question[]} */
  #waiting = [];
  #lastId = 0;
  /** One-time consents that repeat without a question, by run. @type {Set<string>} */
  #repeated = new Set();
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /**
   * @param {object} options
   * @param {Grants} options.grants
   * @param {ConsentRecord} options.record
   * @param {() => boolean} options.attended whether a person is at this page
   * @param {() => boolean} [options.waits] whether questions wait at a page that nobody attends, for the Inbox
   * @param {(words: Words) => string} [options.identify] returns the caller, as the page knows it
   * @param {() => number} [options.now] milliseconds since the epoch
   */
  constructor({ grants, record, attended, waits = () => false, identify = () => UNKNOWN, now = () => Date.now() }) {
    this.grants = grants;
    this.record = record;
    this.attended = attended;
    this.waits = waits;
    this.identify = identify;
    this.now = now;
    this.refusals = new Refusals(now);
    record.subscribe(() => this.#changed());
  }

  /** Oldest first. @returns {readonly Question[]} */
  get waiting() {
    return this.#waiting;
  }

  /** The first untrusted text that agents or clients have read since the person restarted Python. */
  get taint() {
    return this.record.taint;
  }

  /** Call `listener` after each change of questions or grants. @param {() => void} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
  }

  /**
   * Ask the person, unless an earlier answer applies.
   *
   * @param {Request} request
   * @param {AbortSignal} [signal] withdraws the question; the promise rejects with its reason
   * @returns {Promise<Outcome>} rejects with `InvalidArguments` if facts or words are larger than a question may be
   */
  async ask({ kind: name, facts, words = {}, answers, source }, signal) {
    signal?.throwIfAborted();
    requireSize(words, "words", "The description of a request");
    requireSize(facts, "facts", "What the person would be asked about");
    const question = this.#question(name, facts, words, answers, source);
    const known = this.#known(question) ?? this.#refused(question);
    if (known !== null) return known;
    if (!this.attended() && !this.waits()) return { allowed: false, decision: "nobody" };
    if (!this.#makeRoom(question)) return { allowed: false, decision: "full" };
    this.refusals.ask(question.caller);
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
   * Apply the person's answer. Only the dialog calls this.
   *
   * @param {Question} question
   * @param {Decision} decision
   * @param {Entered} [entered]
   */
  answer(question, decision, entered) {
    if (!this.#waiting.includes(question)) return;
    if (decision === "refuse") {
      if (isNamed(question) && !question.kind.savedByOwner) this.record.refuse(subjectKey(question));
      if (!question.kind.ofPerson) this.refusals.refuse(question.caller, wordsKey(question));
      question.settle({ allowed: false, decision });
    } else if (question.answers.includes(decision)) {
      if (!question.kind.ofPerson) this.refusals.allow(question.caller);
      this.#grant(question, decision);
      question.settle({
        allowed: true, decision, ...(decision === "hour" ? { until: Date.parse(question.until) } : {}), ...(entered ? { entered } : {}),
      });
    } else {
      throw new TypeError(`${question.name} offers no ${decision}`);
    }
    // Questions about the same subject get the same answer.
    for (const other of this.#waiting) {
      const known = this.#known(other) ?? this.#refused(other);
      if (known !== null) other.settle(known);
    }
  }

  /** Refuse the waiting requests of a question's caller, and its further ones for a minute. @param {Question} question */
  refuseCaller({ caller }) {
    this.refusals.pause(caller);
    for (const other of this.#waiting) {
      const refused = other.caller === caller ? this.#refused(other) : null;
      if (refused !== null) other.settle(refused);
    }
    this.#changed();
  }

  /** Refuse all waiting questions, since Python restarts at the person's wish. */
  refuseWaiting() {
    for (const question of this.#waiting) question.settle({ allowed: false, decision: "refuse" });
  }

  /** Ask again what refusals keep from being asked. */
  askAgain() {
    this.refusals.lift();
    this.#changed();
  }

  /** Return whether more questions of the same caller wait, or keep coming, than a person answers one by one. @param {Question} question */
  isFlooded({ caller }) {
    return this.#count(caller) > FEW || this.refusals.keepsAsking(caller);
  }

  /**
   * Record that untrusted text reached an agent or client. Earlier standing grants no longer count.
   *
   * @param {{run: string, origin: string}} source as named by Python or the page
   */
  noteTaint(source) {
    this.record.note(source);
  }

  /** Put a question aside: it waits in the Inbox, and the dialog closes. @param {Question} question */
  putAside(question) {
    question.aside = true;
    this.#changed();
  }

  /** Show a question again that was put aside. @param {Question} question */
  bringBack(question) {
    question.aside = false;
    // It is shown first.
    this.#waiting = [question, ...this.#waiting.filter((other) => other !== question)];
    this.#changed();
  }

  /** Refuse all waiting questions: no one attends the page. */
  refuseAll() {
    for (const question of this.#waiting) question.settle({ allowed: false, decision: "nobody" });
  }

  /** Return the time in an hour, rounded up to the minute, as ISO 8601: the end of the answer "hour". */
  inAnHour() {
    return new Date(Math.ceil((this.now() + HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString();
  }

  /** Reset: the person has restarted Python, whose earlier code has ended. Call this only for a press by the person. */
  renew() {
    for (const question of this.#waiting) question.settle({ allowed: false, decision: "refuse" });
    this.#repeated.clear();
    this.grants.endRuns();
    this.record.clear();
    this.refusals.lift();
  }

  /** @param {string} caller */
  #count(caller) {
    return this.#waiting.filter((question) => question.caller === caller).length;
  }

  /** Return the refusal that applies to a request of a caller that was refused. @param {Question} question @returns {Outcome | null} */
  #refused(question) {
    const until = question.kind.ofPerson ? null : this.refusals.until(question.caller, wordsKey(question));
    return until === null ? null : { allowed: false, decision: "refuse", standing: true, until };
  }

  /** Return whether a question may wait. In a full list, the caller with the most loses a place to those with fewer. @param {Question} question */
  #makeRoom({ caller }) {
    if (this.#waiting.length < MOST_WAITING) return true;
    const most = this.#waiting.reduce((found, { caller: each }) => (this.#count(each) > this.#count(found) ? each : found), caller);
    if (this.#count(caller) + 1 >= this.#count(most)) return false;
    this.#waiting.findLast((question) => question.caller === most)?.settle({ allowed: false, decision: "full" });
    return true;
  }

  /** @param {string} name @param {Facts} facts @param {Words} words @param {readonly Answer[]} [answers] @param {string} [source] @returns {Question} */
  #question(name, facts, words, answers, source) {
    if (!Object.hasOwn(KINDS, name)) throw new TypeError(`unknown kind of question: ${JSON.stringify(name)}`);
    const kind = KINDS[name];
    return {
      id: ++this.#lastId, name, kind, facts, words,
      run: runOf(words),
      caller: source ?? this.identify(words),
      answers: kind.answers.filter((answer) => answers?.includes(answer) ?? true),
      asked: new Date(this.now()).toISOString(),
      until: kind.savedByOwner && typeof facts.until === "string" ? facts.until : this.inAnHour(),
      aside: false,
      settle: () => {},
    };
  }

  /** Return the earlier answer that applies. @param {Question} question @returns {Outcome | null} */
  #known(question) {
    const { name, kind, facts, words, run, answers } = question;
    if (kind.savedByOwner) return null;
    const granting = kind.grantsOf ?? name;
    for (const answer of kind.grantsOf ? KINDS[kind.grantsOf].answers : answers) {
      if (answer === "once") continue;
      const grant = this.grants.find({ kind: granting, subject: kind.subject(facts, answer, words), answer, run, tainted: this.taint !== null });
      if (grant !== null) return { allowed: true, decision: "once", standing: true };
    }
    if (this.record.isRefused(subjectKey(question))) return { allowed: false, decision: "refuse", standing: true };
    const repeated = repeatKey(question);
    if (repeated !== null && this.#repeated.has(repeated)) return { allowed: true, decision: "once", standing: true };
    return null;
  }

  /** @param {Question} question @param {Answer} answer */
  #grant(question, answer) {
    const { name, kind, facts, words, run, until } = question;
    if (kind.savedByOwner) return;
    if (answer === "once") {
      const repeated = repeatKey(question);
      if (repeated !== null) this.#repeated.add(repeated);
      return;
    }
    this.grants.add({
      kind: name, subject: kind.subject(facts, answer, words), answer, run,
      until: answer === "hour" ? until : null, tainted: this.taint !== null,
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

/** Return a question in a line, for lists. @param {Question} question */
export function listed({ kind, facts, words, answers }) {
  return `${kind.name}: ${kind.subject(facts, answers.at(-1) ?? "once", words)}`;
}

/** @param {Words} words */
function runOf({ run, caller }) {
  return run ? `run ${run}` : `caller ${caller ?? ""}`;
}

/** Return whether the request names a run, whose end clears its answers. @param {Question} question */
function isNamed({ words }) {
  return Boolean(words.run);
}

/** @param {Question} question */
function subjectKey({ name, kind, facts, words, run }) {
  return JSON.stringify([run, name, kind.subject(facts, "run", words)]);
}

/** Return what makes a request the same as one that was refused. @param {Question} question */
function wordsKey({ name, kind, facts: { until: _, ...facts }, words: { tool, within, arguments: given }, caller }) {
  return JSON.stringify([caller, name, facts, kind.isInWords ? [tool, within, given] : null]);
}

/** @param {Question} question */
function repeatKey(question) {
  const { name, kind, facts, run } = question;
  const same = isNamed(question) ? (kind.repeats?.(facts) ?? null) : null;
  return same === null ? null : JSON.stringify([run, name, "once", same]);
}
