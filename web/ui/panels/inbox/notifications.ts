/**
 * Notifications of the system, if the user has allowed them: a question waits, or a run of a schedule has ended. They
 * are shown while nobody looks at the page, and say no more than the lists of panels.
 */

import { startServiceWorker } from "../../lib/offline.ts";
import { loadSaved, save } from "../../../shared/local_state.ts";
import type { Consent } from "../../consent/consent.ts";
import type { Store } from "../../state/store.ts";

const SETTING = "notifications";
const PANELS = new Set(["inbox", "schedules"]);
const ENDINGS: Record<string, string> = {
  done: "A scheduled run is done",
  dead: "A scheduled run failed",
  cancelled: "A scheduled run was cancelled",
};

export class Notifications {
  /** The questions that were announced. */
  #known = new Set<string>();
  open: (panel: string) => unknown;

  /** @param open - opens a panel */
  constructor(open: (panel: string) => unknown) {
    this.open = open;
    // A press on a notification that the service worker has shown.
    navigator.serviceWorker?.addEventListener("message", ({ data }) => {
      if (PANELS.has(data?.pressed)) this.open(data.pressed);
    });
  }

  get isOn() {
    return this.#isPossible && Notification.permission === "granted" && loadSaved(SETTING, false);
  }

  /** True if the browser refuses notifications, which only its own settings change. */
  get isDenied() {
    return !this.#isPossible || Notification.permission === "denied";
  }

  get #isPossible() {
    return "Notification" in window;
  }

  /** Switch notifications on or off. Call this in a user's press: the browser asks. */
  async turn(on: boolean) {
    save(SETTING, on);
    if (on && this.#isPossible && Notification.permission === "default") await Notification.requestPermission();
  }

  follow(store: Store, consent: Consent) {
    consent.subscribe(() =>
      this.#questions(
        consent.waiting.map(({ id, kind }) => [`consent ${id}`, `${kind.name}: an agent asks for your permission`]),
      ),
    );
    store.follow(["runs"], ({ runs }) => {
      this.#questions(
        runs
          .filter(({ question, leader }) => question !== null && leader === null)
          .map(({ id, agent, question }) => [`${id} ${question}`, `${agent} asks a question`]),
      );
      this.#questions(
        runs
          .filter(({ away_since: since }) => since !== null)
          .map(({ id, agent, away_since: since }) => [`${id} ${since}`, `${agent} waits for the companion`]),
        "A run can't go on",
      );
    });
    store.follow(["scheduleEnded"], ({ scheduleEnded: ended }) => {
      if (ended !== null) this.#show(ENDINGS[ended.status] ?? "A scheduled run has ended", ended.brief, "schedules");
    });
  }

  /** @param questions - keys and text */
  #questions(questions: string[][], title = "A question waits for you") {
    for (const [key, text] of questions) {
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      this.#show(title, text, "inbox");
    }
  }

  #show(title: string, body: string, panel: string) {
    if (!this.isOn || (document.visibilityState === "visible" && document.hasFocus())) return;
    const options = { body, tag: `gemini-${panel}` };
    try {
      const shown = new Notification(title, options);
      shown.onclick = () => {
        window.focus();
        this.open(panel);
      };
    } catch (error) {
      // Chrome on Android shows only notifications of service workers.
      if (!(error instanceof TypeError)) throw error;
      void showByWorker(title, { ...options, data: { panel } });
    }
  }
}

async function showByWorker(title: string, options: NotificationOptions) {
  if ((await startServiceWorker()) === null) return;
  const registration = await navigator.serviceWorker.ready;
  await registration.showNotification(title, options);
}
