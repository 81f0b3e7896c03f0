/** The forms of Source Control: the commit's message, and its author. */

import { html } from "lit";
import { live } from "lit/directives/live.js";

/**
 * @param {object} options
 * @param {string} options.branch
 * @param {string} options.message
 * @param {boolean} options.blocked
 * @param {(message: string) => void} options.onInput
 * @param {() => void} options.onSubmit
 */
export function commitForm({ branch, message, blocked, onInput, onSubmit }) {
  return html`<form class="source-control-form" aria-label="Commit" @submit=${submitting(onSubmit)}>
    <textarea id="source-control-message" rows="3" required data-focus-first aria-label="Commit message" .value=${live(message)}
      placeholder=${`Message (Ctrl+Enter commits to ${branch})`} @keydown=${submitByKeys}
      @input=${(/** @type {{currentTarget: HTMLTextAreaElement}} */ { currentTarget }) => onInput(currentTarget.value)}></textarea>
    <button type="submit" class="primary" id="source-control-commit" data-action="commit_changes" ?disabled=${blocked}>Commit</button></form>`;
}

/** @param {(name: string, email: string) => void} onSubmit @param {boolean} blocked */
export function identityForm(onSubmit, blocked) {
  const submit = submitting((form) => {
    const given = new FormData(form);
    onSubmit(String(given.get("name")), String(given.get("email")));
  });
  return html`<form class="source-control-form" id="source-control-identity" aria-label="Author" @submit=${submit}>
    <label>Name <input id="source-control-user-name" name="name" required autocomplete="name"></label>
    <label>Email address <input name="email" required autocomplete="email"></label>
    <button type="submit" ?disabled=${blocked}>Save author</button></form>`;
}

/** @param {(form: HTMLFormElement) => void} act */
function submitting(act) {
  return (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    act(event.currentTarget);
  };
}

/** @param {KeyboardEvent & {currentTarget: HTMLTextAreaElement}} event */
function submitByKeys(event) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
