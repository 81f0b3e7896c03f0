/**
 * Connecting another browser to the companion: `{browser, origin, asked, number}`. The companion asks at all connected pages
 * (py/gemini_companion/admission/pairing.py). The name of the browser is what its request says.
 */

import { html } from "lit";
import { factList, name } from "../text.ts";
import type { Kind } from "./kind.ts";

export const browser: Kind = {
  name: "Browsers",
  savedByOwner: true,
  ofPerson: true,
  answers: ["once"],
  labels: { once: "Connect it" },
  subject: ({ origin }) => `connect another browser at ${origin}`,
  title: () => "Connect another browser?",
  question: ({ browser: called, origin, asked, number }) => html`
    <p>A browser on this computer asks to be connected to the companion. It then can do what this page can, for 30 days after each
      visit. Connect it only if you have just pressed <b>Connect this browser</b> there, and it shows this number:</p>
    ${factList([
      ["Number", number],
      ["It calls itself", called],
      ["Address", name(origin)],
      ["Asked at", asked],
    ])}`,
};
