/** Listeners of forms in templates, and their fields. */

import { isPressOf } from "./trusted.ts";

type Submission = SubmitEvent & { currentTarget: HTMLFormElement };

/** Return a listener of `submit` that stays on the page. */
export function submitting(act: (form: HTMLFormElement) => unknown) {
  return (event: Submission) => {
    event.preventDefault();
    act(event.currentTarget);
  };
}

/** Return the same for what only the user may do: nothing happens when a script submits the form. */
export function submittingPress(act: (form: HTMLFormElement) => unknown) {
  return (event: Submission) => {
    event.preventDefault();
    if (isPressOf(event)) act(event.currentTarget);
  };
}

/** Return a listener of keys that acts at Escape. */
export function onEscape(act: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    act();
  };
}

/** Return the text of a form's field. */
export function valueOf(form: HTMLFormElement, name: string) {
  return String(new FormData(form).get(name) ?? "");
}
