/** Sharing a screen, a window or a tab. Asked each time, because the browser asks after it. */

import { html } from "lit";
import type { Kind } from "./kind.ts";

export const screen: Kind = {
  name: "Screen",
  answers: ["once"],
  labels: { once: "Choose what to share" },
  subject: () => "take pictures of a screen that you share",
  question: () => html`
    <p>Python wants to take pictures of your screen or of a window. Your browser lets you choose which one.</p>
    <p class="muted">Agents can look at it, and send what they see to the language model, until you stop sharing or close this page. They
      can't press or type there.</p>`,
};
