/**
 * Reports the questions that runs and calls wait for to Python. It saves those of runs for the Inbox; after the page was
 * closed, the owner asks again: nothing that Python saves is an answer. The callers of the calls learn that they wait.
 */

import type { Connection } from "../../../../webmcp_bridge.js";
import type { Consent } from "../../consent/consent.ts";
import { listed } from "../../consent/keys.ts";
import type { Store } from "../../state/store.ts";

export function reportQuestions(store: Store, consent: Consent, connection: Connection) {
  let last = "[]";
  consent.subscribe(() => {
    if (store.state.kernel !== "ready") {
      // A Python that starts knows of none.
      last = "[]";
      return;
    }
    const questions = consent.waiting
      .filter(({ words }) => words.run || typeof words.call === "number")
      .map((question) => ({
        ...(question.words.run ? { run: String(question.words.run) } : {}),
        ...(typeof question.words.call === "number" ? { call: question.words.call } : {}),
        text: listed(question),
      }));
    const now = JSON.stringify(questions);
    if (now === last) return;
    last = now;
    // If Python ends meanwhile, so do the runs that wait.
    connection.request("consent/waiting", { questions }).catch(() => {});
  });
}
