/** The browsers that the companion admits without a code. */

import { html, nothing } from "lit";
import type { KnownBrowsers } from "../../companion/types.ts";
import { counted, when } from "../../lib/format.ts";
import { namedCommand } from "../../lib/serving.ts";
import type { Failure } from "../../state/types.ts";
import type { Attempts } from "./attempts.ts";

const FORGET = "browsers";

export function browsersView(
  { known, here }: KnownBrowsers,
  attempts: Attempts,
  forget: () => Promise<{ forgotten: number } | Failure>,
) {
  const others = known.filter(({ id }) => id !== here);
  const press = () =>
    attempts.follow(
      FORGET,
      "Forgetting…",
      forget(),
      ({ forgotten }) => `${counted(forgotten, "browser")} forgotten. Open pages stay connected until they are closed.`,
    );
  return html`
    <h4 id="browsers-title">Browsers</h4>
    <p class="muted">An admitted browser can reconnect for 30 days, also after the companion restarts. Other browsers need
      the address that <code>${namedCommand("url")}</code> prints, or press <b>Connect this browser</b> there.</p>
    ${
      others.length === 0
        ? html`<p id="no-browsers">No other browser is known.</p>`
        : html`
      <p id="known-browsers">${counted(others.length, "other browser")} known, last seen ${when(others[0].seen)}.</p>`
    }
    ${others.length === 0 ? nothing : attempts.button("Forget other browsers", press, { of: FORGET })}
    ${attempts.outcome(FORGET)}`;
}
