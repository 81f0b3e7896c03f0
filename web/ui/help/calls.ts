/**
 * While Alt is held, controls name the tool behind them. A press on a name, or Alt+C for the control in focus, copies the
 * call in Python, so that what a user does by hand becomes a script. What draws the names loads with the first of them.
 */

import { commands } from "../lib/commands.ts";
import { byId } from "../lib/elements.ts";
import { loadPart } from "../lib/lazy_bundles.ts";
import { onTrustedKey } from "../lib/trusted.ts";
import type { NameLayer } from "./call_names.ts";

// Alt is also the beginning of other keys, such as Alt+Tab.
const HOLD_MS = 400;

class CallNames {
  #layer = byId("call-names", HTMLElement);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #names: NameLayer | null = null;
  #isHeld = false;

  constructor() {
    onTrustedKey((event) => this.#onKey(event), { capture: true });
    document.addEventListener("keyup", ({ key, isTrusted }) => isTrusted && key === "Alt" && this.#hide());
    window.addEventListener("blur", () => this.#hide());
    commands.addKeys({
      where: "Any control",
      does: [
        ["Alt", "Show the tools behind the controls (hold)"],
        ["Alt+C", "Copy the call"],
      ],
    });
  }

  #onKey(event: KeyboardEvent) {
    const { key, code, ctrlKey, metaKey, shiftKey, altKey, repeat } = event;
    if (key === "Alt" && !ctrlKey && !metaKey && !shiftKey) {
      if (!repeat) this.#hold();
      return;
    }
    const control = document.activeElement;
    if (this.#names?.isOpen && altKey && code === "KeyC" && control && this.#names.copyOf(control)) {
      event.preventDefault();
      event.stopPropagation();
    } else {
      this.#hide();
    }
  }

  #hold() {
    this.#isHeld = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#show(), HOLD_MS);
  }

  async #show() {
    try {
      const { NameLayer } = await loadPart<typeof import("./call_names.ts")>("ui-calls.js");
      this.#names ??= new NameLayer(this.#layer);
    } catch (error) {
      console.warn("The names of tools could not be loaded.", error);
      return;
    }
    if (this.#isHeld) this.#names.show();
  }

  #hide() {
    this.#isHeld = false;
    clearTimeout(this.#timer);
    this.#names?.hide();
  }
}

export function showCallNames() {
  return new CallNames();
}
