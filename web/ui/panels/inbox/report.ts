/**
 * Reports the questions that runs wait for to Python, which saves their text for the Inbox. After the page was closed, the
 * owner asks again: nothing that Python saves is an answer.
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
      .filter(({ words }) => words.run)
      .map((question) => ({ run: String(question.words.run), text: listed(question) }));
    const now = JSON.stringify(questions);
    if (now === last) return;
    last = now;
    // If Python ends meanwhile, so do the runs that wait.
    connection.request("consent/waiting", { questions }).catch(() => {});
  });
}
