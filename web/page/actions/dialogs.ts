// `alert`, `confirm` and `prompt` block a page until a user answers. A controlled page answers them by a policy.

import { InvalidArguments } from "../errors.ts";

export type Answered = { kind: "alert" | "confirm" | "prompt"; message: string; answer: boolean | string | null };

/** `text` answers prompts; by default they get their proposed text */
export type Policy = { accept?: boolean; text?: string };

/** The automatic answers to a page's dialogs. */
export class Answers {
  policy: Policy = {};
  installed = false;
  covered = new WeakSet<Window>();
  listeners = new Set<(answered: Answered) => void>();
  /** Dialogs that were answered while no action ran. */
  waiting: Answered[] = [];

  /** Set the policy. With null, users answer dialogs again. */
  install(policy: Policy | null) {
    if (typeof policy !== "object") {
      throw new InvalidArguments("`dialogs` must be an object or null.", {
        hint: "Pass {accept: true or false, text?}, or null.",
      });
    }
    this.installed = policy !== null;
    this.policy = policy ?? {};
    this.cover(window);
  }

  /** Answer the dialogs to come, and return those that were answered while no action ran. */
  decide({ accept = false, text }: Policy) {
    this.install({ accept, text });
    return { success: true, answered: this.waiting.splice(0) };
  }

  /** Take over the dialogs of a window if a policy is set. */
  cover(view: Window) {
    if (!this.installed || this.covered.has(view)) return;
    this.covered.add(view);
    const answers = {
      alert: (message: unknown = "") => void this.answer("alert", message, true),
      confirm: (message: unknown = "") => this.answer("confirm", message, this.policy.accept === true),
      prompt: (message: unknown = "", proposed: unknown = "") =>
        this.answer("prompt", message, this.policy.accept ? (this.policy.text ?? String(proposed)) : null),
    };
    for (const [kind, answer] of Object.entries(answers)) {
      const ask = Reflect.get(view, kind);
      Reflect.set(view, kind, (...args: unknown[]) => (this.installed ? answer(...args) : ask.apply(view, args)));
    }
  }

  /**
   * Call `listener` for each answer, and for earlier answers without a listener.
   * @returns stops it
   */
  listen(listener: (answered: Answered) => void): () => void {
    for (const answered of this.waiting.splice(0)) listener(answered);
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  answer<T extends boolean | string | null>(kind: Answered["kind"], message: unknown, answer: T): T {
    const answered = { kind, message: String(message), answer };
    if (this.listeners.size) for (const listener of this.listeners) listener(answered);
    else this.waiting.push(answered);
    return answer;
  }
}
