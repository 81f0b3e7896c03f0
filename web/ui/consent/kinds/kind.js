/**
 * What a kind of question consists of. A new power (clipboard, camera, downloads) is one more module of this shape,
 * named in kinds.js.
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
 * @typedef {Record<string, any>} Facts what the owner of the power knows. Never what Python says.
 *
 * @typedef {object} Kind
 * @property {string} name of the power, as the settings list it
 * @property {readonly Answer[]} answers that the kind offers, in the order of the buttons
 * @property {(facts: Facts, answer: Answer, words: Words) => string} subject what an answer covers beyond this request,
 *   as the person reads it: two requests with the same subject are the same thing. Only a courtesy question takes it from words
 * @property {(facts: Facts) => TemplateResult} question in the page's own words
 * @property {true} [kept] by whom asks: the page remembers no answer, and shows every question
 * @property {(facts: Facts) => string | null} [repeats] what makes a request the same as one before, where doing it
 *   twice in a run does no more than doing it once: then it is asked once
 */

export {};
