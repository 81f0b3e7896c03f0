/** The keys of questions: those with the same key share an answer. */

import type { Question, Words } from "./consent.ts";

/** Return a question in a line, for lists. */
export function listed({ kind, facts, words, answers }: Question) {
  return `${kind.name}: ${kind.subject(facts, answers.at(-1) ?? "once", words)}`;
}

/** Return whose grants apply to a request. */
export function runOf({ run, caller }: Words) {
  return run ? `run ${run}` : `caller ${caller ?? ""}`;
}

/** Return whether the request names a run, whose end clears its answers. */
export function isNamed({ words }: Question) {
  return Boolean(words.run);
}

/** Return what a refusal in a run is for. */
export function subjectKey({ name, kind, facts, words, run }: Question) {
  return JSON.stringify([run, name, kind.subject(facts, "run", words)]);
}

/** Return what makes a request the same as one that was refused. */
export function wordsKey({
  name,
  kind,
  facts: { until: _, ...facts },
  words: { tool, within, arguments: given },
  caller,
}: Question) {
  return JSON.stringify([caller, name, facts, kind.isInWords ? [tool, within, given] : null]);
}

/** Return what makes a request the repetition of one that was allowed once in the run; null without one. */
export function repeatKey(question: Question) {
  const { name, kind, facts, run } = question;
  const same = isNamed(question) ? (kind.repeats?.(facts) ?? null) : null;
  return same === null ? null : JSON.stringify([run, name, "once", same]);
}
