/**
 * The questions that wait for the user, and the answers. Owners of powers ask here: the page's main thread, and the
 * companion over its socket (web/ui/companion/link.ts). Python can't answer.
 */

import { requireSize } from "../../shared/limits.ts";
import { UNKNOWN } from "./callers.ts";
import type { Grants } from "./grants.ts";
import type { Answer, Entered, Facts, Filled, Kind } from "./kinds/kind.ts";
import { KINDS } from "./kinds/kinds.ts";
import type { ConsentRecord } from "./record.ts";
import { isNamed, repeatKey, runOf, subjectKey, wordsKey } from "./keys.ts";
import { Refusals } from "./refusals.ts";
import type { TypedUse } from "./typed.ts";

// More than anyone reads. Requests beyond that are refused immediately.
const MOST_WAITING = 50;
// With more of one caller, the dialog offers to refuse them all.
const FEW = 3;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Options {
  grants: Grants;
  record: ConsentRecord;
  /** whether a user is at this page */
  attended: () => boolean;
  /** whether questions wait at a page that nobody attends, for the Inbox */
  waits?: () => boolean;
  /** returns the caller, as the page knows it */
  identify?: (words: Words) => string;
  /** returns the line of the user's that names the place of a request */
  typed?: (kind: string, facts: Facts, words: Words) => TypedUse | null;
  /** milliseconds since the epoch */
  now?: () => number;
}

/** Python's description of a request. It is unchecked and grants nothing. */
export interface Words {
  /** the tool that is called; with `within`, a description of the action */
  tool?: string;
  /** the tool that is about to act */
  within?: string | null;
  caller?: string;
  /** the call's id, as Python numbers them */
  call?: number;
  /** the agent's run */
  run?: string | null;
  /** the purpose of a request that no tool makes, such as one to a language model */
  for?: string;
  /** declared by the tool */
  effect?: string;
  arguments?: unknown;
  /** the sources of parts of the arguments */
  origins?: { argument: string; text: string; origin: string }[];
}

export type Decision = Answer | "refuse";

/** `source`: who asks, if it isn't Python */
type Request = { kind: string; facts: Facts; words?: Words; answers?: readonly Answer[]; source?: string };

export interface Outcome {
  allowed: boolean;
  /** "nobody": no one attends this page; "full": too many questions wait */
  decision: Decision | "nobody" | "full";
  /** milliseconds since the epoch: the end of the answer "hour", or of a refusal that applies to later requests */
  until?: number;
  /** the user's input, if the kind has fields */
  entered?: Entered | Filled;
  /** whether an earlier answer applied */
  standing?: boolean;
}

export interface Question {
  id: number;
  /** of the kind */
  name: string;
  kind: Kind;
  facts: Facts;
  words: Words;
  /** whose grants apply: the run, or else the caller, as Python names it */
  run: string;
  /** whose refusals apply: the caller, as the page knows it (callers.ts) */
  caller: string;
  answers: readonly Answer[];
  /** the line that the user has typed for it, as the page knows it */
  typed: TypedUse | null;
  /** ISO 8601 */
  asked: string;
  /** the end of the answer "hour", ISO 8601 */
  until: string;
  /** whether the user has put it aside, for the Inbox */
  aside: boolean;
  settle: (outcome: Outcome) => void;
}

export class Consent {
  #waiting: Question[] = [];
  #lastId = 0;
  /** One-time consents that repeat without a question, by run. */
  #repeated = new Set<string>();
  #listeners = new Set<() => void>();
  grants: Grants;
  record: ConsentRecord;
  attended: () => boolean;
  waits: () => boolean;
  identify: (words: Words) => string;
  typed: NonNullable<Options["typed"]>;
  now: () => number;
  refusals: Refusals;

  constructor({
    grants,
    record,
    attended,
    waits = () => false,
    identify = () => UNKNOWN,
    typed = () => null,
    now = () => Date.now(),
  }: Options) {
    this.grants = grants;
    this.record = record;
    this.attended = attended;
    this.waits = waits;
    this.identify = identify;
    this.typed = typed;
    this.now = now;
    this.refusals = new Refusals(now);
    record.subscribe(() => this.#changed());
  }

  /** Oldest first. */
  get waiting(): readonly Question[] {
    return this.#waiting;
  }

  /** The first untrusted text that agents or clients have read since the user restarted Python. */
  get taint() {
    return this.record.taint;
  }

  /** Call `listener` after each change of questions or grants. */
  subscribe(listener: () => void) {
    this.#listeners.add(listener);
  }

  /**
   * Ask the user, unless an earlier answer applies.
   *
   * @param signal - withdraws the question; the promise rejects with its reason
   * @returns rejects with `InvalidArguments` if facts or words are larger than a question may be
   */
  async ask({ kind: name, facts, words = {}, answers, source }: Request, signal?: AbortSignal): Promise<Outcome> {
    signal?.throwIfAborted();
    requireSize(words, "words", "The description of a request");
    requireSize(facts, "facts", "The question about a request");
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

  /** Apply the user's answer. Only the dialog calls this. */
  answer(question: Question, decision: Decision, entered?: Entered | Filled) {
    if (!this.#waiting.includes(question)) return;
    if (decision === "refuse") {
      if (isNamed(question) && !question.kind.savedByOwner) this.record.refuse(subjectKey(question));
      if (question.typed !== null) question.typed.command.answer = false;
      else if (!question.kind.ofPerson) this.refusals.refuse(question.caller, wordsKey(question));
      question.settle({ allowed: false, decision });
    } else if (question.answers.includes(decision)) {
      if (!question.kind.ofPerson) this.refusals.allow(question.caller);
      this.#grant(question, decision);
      question.settle({
        allowed: true,
        decision,
        ...(decision === "hour" ? { until: Date.parse(question.until) } : {}),
        ...(entered ? { entered } : {}),
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

  /** Refuse the waiting requests of a question's caller, and its further ones for a minute. */
  refuseCaller({ caller }: Question) {
    this.refusals.pause(caller);
    for (const other of this.#waiting) {
      const refused = other.caller === caller ? this.#refused(other) : null;
      if (refused !== null) other.settle(refused);
    }
    this.#changed();
  }

  /** Refuse all waiting questions, since Python restarts at the user's wish. */
  refuseWaiting() {
    for (const question of this.#waiting) question.settle({ allowed: false, decision: "refuse" });
  }

  /** Ask again what refusals keep from being asked. */
  askAgain() {
    this.refusals.lift();
    this.#changed();
  }

  /** Return whether more questions of the same caller wait, or keep coming, than a user answers one by one. */
  isFlooded({ caller }: Question) {
    return this.#count(caller) > FEW || this.refusals.keepsAsking(caller);
  }

  /**
   * Record that untrusted text reached an agent or client. Earlier standing grants no longer count.
   *
   * @param source - as named by Python or the page
   */
  noteTaint(source: { run: string; origin: string }) {
    this.record.note(source);
  }

  /** Put a question aside: it waits in the Inbox, and the dialog closes. */
  putAside(question: Question) {
    question.aside = true;
    this.#changed();
  }

  /** Show a question again that was put aside. */
  bringBack(question: Question) {
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

  /** Reset: the user has restarted Python, whose earlier code has ended. Call this only for a press by the user. */
  renew() {
    for (const question of this.#waiting) question.settle({ allowed: false, decision: "refuse" });
    this.#repeated.clear();
    this.grants.endRuns();
    this.record.clear();
    this.refusals.lift();
  }

  #count(caller: string) {
    return this.#waiting.filter((question) => question.caller === caller).length;
  }

  /** Return the refusal that applies to a request of a caller that was refused. */
  #refused(question: Question): Outcome | null {
    const until =
      question.kind.ofPerson || question.typed !== null
        ? null
        : this.refusals.until(question.caller, wordsKey(question));
    return until === null ? null : { allowed: false, decision: "refuse", standing: true, until };
  }

  /** Return whether a question may wait. In a full list, the caller with the most loses a place to those with fewer. */
  #makeRoom({ caller }: Question) {
    if (this.#waiting.length < MOST_WAITING) return true;
    const most = this.#waiting.reduce(
      (found, { caller: each }) => (this.#count(each) > this.#count(found) ? each : found),
      caller,
    );
    if (this.#count(caller) + 1 >= this.#count(most)) return false;
    this.#waiting.findLast((question) => question.caller === most)?.settle({ allowed: false, decision: "full" });
    return true;
  }

  #question(name: string, facts: Facts, words: Words, answers?: readonly Answer[], source?: string): Question {
    if (!Object.hasOwn(KINDS, name)) throw new TypeError(`unknown kind of question: ${JSON.stringify(name)}`);
    const kind = KINDS[name];
    const typed = this.typed(name, facts, words);
    const offered = typed?.covers ? kind.answers.filter((answer) => answer !== "run") : kind.answers;
    return {
      id: ++this.#lastId,
      name,
      kind,
      facts,
      words,
      run: runOf(words),
      caller: source ?? this.identify(words),
      answers: offered.filter((answer) => answers?.includes(answer) ?? true),
      typed,
      asked: new Date(this.now()).toISOString(),
      until: kind.savedByOwner && typeof facts.until === "string" ? facts.until : this.inAnHour(),
      aside: false,
      settle: () => {},
    };
  }

  /** Return the earlier answer that applies. */
  #known(question: Question): Outcome | null {
    const { name, kind, facts, words, run, answers, typed } = question;
    if (kind.savedByOwner) return null;
    const granting = kind.grantsOf ?? name;
    for (const answer of kind.grantsOf ? KINDS[kind.grantsOf].answers : answers) {
      if (answer === "once") continue;
      const grant = this.grants.find({
        kind: granting,
        subject: kind.subject(facts, answer, words),
        answer,
        run,
        tainted: this.taint !== null,
      });
      if (grant !== null) return { allowed: true, decision: "once", standing: true };
    }
    const answered = typed?.command.answer;
    if (answered !== undefined) return { allowed: answered, decision: answered ? "once" : "refuse", standing: true };
    if (this.record.isRefused(subjectKey(question))) return { allowed: false, decision: "refuse", standing: true };
    const repeated = repeatKey(question);
    if (repeated !== null && this.#repeated.has(repeated)) return { allowed: true, decision: "once", standing: true };
    return null;
  }

  #grant(question: Question, answer: Answer) {
    const { name, kind, facts, words, run, until } = question;
    if (kind.savedByOwner) return;
    if (answer === "once") {
      if (question.typed?.covers) question.typed.command.answer = true;
      const repeated = repeatKey(question);
      if (repeated !== null) this.#repeated.add(repeated);
      return;
    }
    this.grants.add({
      kind: name,
      subject: kind.subject(facts, answer, words),
      answer,
      run,
      until: answer === "hour" ? until : null,
      tainted: this.taint !== null,
    });
  }

  #remove(question: Question) {
    this.#waiting = this.#waiting.filter((other) => other !== question);
    this.#changed();
  }

  #changed() {
    for (const listener of this.#listeners) listener();
  }
}
