/**
 * A kind of question. A new power (clipboard, camera, downloads) is one more module of this shape, listed in kinds.ts.
 */

import type { TemplateResult } from "lit";
import type { Words } from "../consent.ts";

/**
 * ways to say yes - once: to this request alone - run: to every request for the same subject in the same run, or by the
 * same caller where there is no run - program: to every request for the same program, in every run - hour: to every
 * request for the same subject in every run, until the time that the button shows - always: to every request for the
 * same subject in every run
 */
export type Answer = "once" | "run" | "program" | "hour" | "always";

/** known to the owner of the power. Never from Python. */
// biome-ignore lint/suspicious/noExplicitAny: each kind has its own, and its owner makes them for its dialog.
export type Facts = Record<string, any>;

/** the user's input; `keep` asks to save it */
export type Entered = { user: string; password: string; keep: boolean };

/** the user's input in fields that a server has chosen, by name */
export type Filled = { values: Record<string, string | boolean | string[]> };

export interface Kind {
  /** of the power, in the settings */
  name: string;
  /** that the kind offers, in the order of the buttons */
  answers: readonly Answer[];
  /**
   * the scope of an answer, as the user reads it: requests with the same subject share answers. Only the courtesy
   * question takes it from words
   */
  subject: (facts: Facts, answer: Answer, words: Words) => string;
  /** the subject in the list of scopes, if the question has named its parts; else the same */
  scope?: (facts: Facts, answer: Answer, words: Words) => string;
  /** in the page's own words; `before` are the facts of the question of this kind that it replaced */
  question: (facts: Facts, before?: Facts) => TemplateResult;
  /** the asking side saves the answers: the page shows every question */
  savedByOwner?: true;
  /** its answers also count after text from outside was read */
  outlastsText?: true;
  /** the key under which a request is asked only once in a run, because repeating it does no more */
  repeats?: (facts: Facts) => string | null;
  /** the kind whose earlier answers for the same subject count, too */
  grantsOf?: string;
  /** the page itself knows that the user asked for it, so refusals of callers don't apply */
  ofPerson?: true;
  /** the question is in Python's words, so they must be read, too */
  isInWords?: true;
  /** the question in a line */
  title?: (facts: Facts) => unknown;
  /** of its buttons, if not the usual ones */
  labels?: Partial<Record<Answer | "refuse", string>>;
  /** how long its answers apply, if not as long as usual */
  reach?: Partial<Record<Answer, string>>;
  /** the answer that has the focus, if not the refusal */
  preferred?: Answer;
  /** reads the question's fields, or names the missing one. Only the companion gets the result */
  enter?: (question: Element) => Entered | Filled | string;
}
