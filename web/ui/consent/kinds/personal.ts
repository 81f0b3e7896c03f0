/**
 * Actions of the user's browser in the press of the button: `{action, text, title, url, to, subject, kind}`.
 */

import { html } from "lit";
import { factList, prose, shown, sizeRow } from "../text.ts";
import type { Kind } from "./kind.ts";

const ASKED: Record<string, string> = {
  share: "Python wants to share this. Your system lets you choose with whom.",
  draft: "Python wants to open this draft in your program for mail or messages. You send it, or not.",
  copy: "Python wants to put this text into your clipboard.",
  paste: "Python wants to read the text in your clipboard, whatever you copied last. Your browser may ask as well.",
  locate: "Python wants to know where you are. Your browser may ask as well.",
  photos: "Python wants pictures of this device. You choose which.",
};

export const personal: Kind = {
  name: "Your browser",
  answers: ["once"],
  labels: { once: "Continue" },
  subject: ({ action }) => `${action} in your browser`,
  question: ({ action, text, title, url, to, subject }) => html`
    <p>${ASKED[action] ?? "Python wants your browser to act."}</p>
    ${["locate", "paste", "photos"].includes(action) ? html`<p class="muted">Agents and the language model then have it.</p>` : null}
    ${factList([to ? ["To", to] : null, subject ? ["Subject", shown(subject)] : null, title ? ["Title", shown(title)] : null, url ? ["Link", url] : null, sizeRow(text)])}
    ${text ? prose(text) : null}`,
};
