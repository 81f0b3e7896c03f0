/**
 * A kind of question. A new power (clipboard, camera, downloads) is one more module of this shape, listed in kinds.js.
 *
 * @import { TemplateResult } from "lit"
 * @import { Words } from "../consent.js"
 *
 * @typedef {"once" | "run" | "program" | "hour" | "always"} Answer ways to say yes
 *   - once: to this request alone
 *   - run: to every request for the same subject in the same run, or by the same caller where there is no run
 *   - program: to every request for the same program, in every run
 *   - hour: to every request for the same subject in every run, until the time that the button shows
 *   - always: to every request for the same subject in every run
 *
 * @typedef {Record<string, any>} Facts known to the owner of the power. Never from Python.
 *
 * @typedef {{ user: string, password: string, keep: boolean }} Entered what the person typed; `keep` asks to save it
 *
 * @typedef {object} Kind
 * @property {string} name of the power, in the settings
 * @property {readonly Answer[]} answers that the kind offers, in the order of the buttons
 * @property {(facts: Facts, answer: Answer, words: Words) => string} subject the scope of an answer, as the person reads
 *   it: requests with the same subject share answers. Only the courtesy question takes it from words
 * @property {(facts: Facts, before?: Facts) => TemplateResult} question in the page's own words; `before` are the facts of the
 *   question of this kind that it replaced
 * @property {true} [savedByOwner] the asking side saves the answers: the page shows every question
 * @property {true} [outlastsText] its answers also count after text from outside was read
 * @property {(facts: Facts) => string | null} [repeats] the key under which a request is asked only once in a run,
 *   because repeating it does no more
 * @property {string} [grantsOf] the kind whose earlier answers for the same subject count, too
 * @property {true} [ofPerson] the page itself knows that the person asked for it, so refusals of callers don't apply
 * @property {true} [isInWords] the question is in Python's words, so they must be read, too
 * @property {(facts: Facts) => unknown} [title] the question in a line
 * @property {Partial<Record<Answer | "refuse", string>>} [labels] of its buttons, if not the usual ones
 * @property {Partial<Record<Answer, string>>} [reach] how long its answers apply, if not as long as usual
 * @property {Answer} [preferred] the answer that has the focus, if not the refusal
 * @property {(question: Element) => Entered | string} [enter] reads the question's fields, or returns what is missing. Only
 *   the companion gets the result
 */

export {};
