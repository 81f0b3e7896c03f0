/** The notice that a caller's requests are refused for a while, with the button that ends it. */

import { html, nothing, render } from "lit";
import { byId } from "../lib/elements.ts";
import { clock } from "../lib/format.ts";
import { nameOf } from "./callers.ts";
import type { Consent } from "./consent.ts";
import { shown } from "./text.ts";

export function showRefusing(consent: Consent) {
  const place = byId("refusing", HTMLElement);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = () => {
    const { paused } = consent.refusals;
    clearTimeout(timer);
    if (paused.length > 0) timer = setTimeout(draw, Math.min(...paused.map(({ until }) => until)) - consent.now() + 1);
    place.hidden = paused.length === 0;
    render(
      paused.length === 0
        ? nothing
        : html`
      <div>${paused.map(({ caller, until }) => html`<p>Requests of ${shown(nameOf(caller))} are refused until ${clock(new Date(until).toISOString())}.</p>`)}</div>
      <button type="button" id="ask-again" @click=${() => consent.askAgain()}>Ask again</button>`,
      place,
    );
  };
  consent.subscribe(draw);
}
