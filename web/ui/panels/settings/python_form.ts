/** Forms in the settings for what Python has. They ask Python when a user first opens the settings. */

import { html, render } from "lit";
import { byId } from "../../lib/elements.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { Store } from "../../state/store.ts";
import type { Failure } from "../../state/types.ts";
import type { Outcome } from "./address_form.ts";

interface Form<Saved, Changed> {
  /** of its place */
  id: string;
  /** saves what has changed, if anything, and returns what is saved then */
  save: (changed: Changed | Record<string, never>) => Promise<Saved | Failure>;
  /** `change` saves what the user has changed, with the message for its success */
  view: (saved: Saved, outcome: Outcome | null, change: (changed: Changed, done: string) => void) => unknown;
}

/** Show a form. It asks once for each start of Python, when the settings are in view. */
export function showPythonForm<Saved, Changed>(store: Store, { id, save, view }: Form<Saved, Changed>) {
  const place = byId(id, HTMLElement);
  /** null: not known now */
  let saved: Saved | null = null;
  let outcome: Outcome | null = null;
  let [isReady, isInView, isAsked] = [false, false, false];
  const draw = () =>
    render(
      saved === null
        ? html`<p class="muted">Available when Python has started.</p>`
        : view(saved, outcome, (changed, done) => void ask(changed, { text: done, bad: false })),
      place,
    );
  const ask = async (changed: Changed | Record<string, never>, done: Outcome | null) => {
    const answer = await save(changed);
    if (isFailure(answer)) {
      const { message, hint } = answer.error;
      outcome = { text: [message, hint].filter(Boolean).join(" "), bad: true };
    } else [saved, outcome] = [answer, done];
    draw();
  };
  const update = () => {
    if (isAsked || !isReady || !isInView) return;
    isAsked = true;
    void ask({}, null);
  };
  new IntersectionObserver((entries) => {
    isInView = entries.at(-1)?.isIntersecting ?? false;
    update();
  }).observe(byId("settings", HTMLElement));
  store.follow(["kernel"], ({ kernel }) => {
    isReady = kernel === "ready";
    if (isReady) return update();
    // Another kernel may have imported other settings.
    [isAsked, saved] = [false, null];
    draw();
  });
}
