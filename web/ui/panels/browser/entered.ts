/**
 * The address that the user has just entered. Only what they typed counts, not an address that the field showed before.
 */

const WITHIN_MS = 10_000;

export class EnteredAddress {
  #typed = false;
  #entered: { href: string; until: number } | null = null;
  field: HTMLInputElement;

  constructor(field: HTMLInputElement) {
    this.field = field;
    field.addEventListener("beforeinput", ({ isTrusted }) => {
      // Typing into an address that was shown doesn't make it the user's, unless it replaces all of it.
      const { selectionStart, selectionEnd, value } = field;
      if (isTrusted && selectionStart === 0 && selectionEnd === value.length) this.#typed = true;
    });
    // As in a browser, a first press selects the address.
    field.addEventListener("focus", () => field.select());
    field.addEventListener("pointerdown", (event) => {
      if (document.activeElement === field) return;
      event.preventDefault();
      field.focus();
    });
  }

  /** Show an address that the user hasn't typed. */
  show(text: string) {
    this.field.value = text;
    this.#typed = false;
  }

  /** The user presses Enter or Go. */
  submit() {
    this.#entered = null;
    if (this.#typed) this.choose(this.field.value);
  }

  /** The user chooses an address that they have typed in the palette. */
  choose(address: string) {
    const href = navigator.userActivation.isActive ? hrefOf(address) : null;
    this.#entered = href === null ? null : { href, until: performance.now() + WITHIN_MS };
  }

  /** Return whether the user has entered a URL; it counts once. */
  take({ href }: URL) {
    const entered = this.#entered;
    if (entered === null || entered.href !== href || performance.now() > entered.until) return false;
    this.#entered = null;
    return true;
  }
}

/** Return the URL that an address means, as Python parses it (py/gemini/pages/tabs/addresses.py). */
function hrefOf(text: string) {
  const address = text.trim();
  return (URL.parse(address) ?? URL.parse(`https://${address}`))?.href ?? null;
}
