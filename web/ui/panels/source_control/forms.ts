/** The forms of Source Control: the commit's message, and its author. */

import { html } from "lit";
import { live } from "lit/directives/live.js";
import { submitting, valueOf } from "../../lib/forms.ts";

interface Options {
  branch: string;
  message: string;
  blocked: boolean;
  onInput: (message: string) => void;
  onSubmit: () => void;
}

export function commitForm({ branch, message, blocked, onInput, onSubmit }: Options) {
  return html`<form class="source-control-form" aria-label="Commit" @submit=${submitting(onSubmit)}>
    <textarea id="source-control-message" rows="3" required data-focus-first aria-label="Commit message" .value=${live(message)}
      placeholder=${`Message (Ctrl+Enter commits to ${branch})`} @keydown=${submitByKeys}
      @input=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => onInput(currentTarget.value)}></textarea>
    <button type="submit" class="primary" id="source-control-commit" data-action="commit_changes" ?disabled=${blocked}>Commit</button></form>`;
}

export function identityForm(onSubmit: (name: string, email: string) => void, blocked: boolean) {
  const submit = submitting((form) => onSubmit(valueOf(form, "name"), valueOf(form, "email")));
  return html`<form class="source-control-form" id="source-control-identity" aria-label="Author" @submit=${submit}>
    <label>Name <input id="source-control-user-name" name="name" required autocomplete="name"></label>
    <label>Email address <input name="email" required autocomplete="email"></label>
    <button type="submit" ?disabled=${blocked}>Save author</button></form>`;
}

function submitByKeys(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
