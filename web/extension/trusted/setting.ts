/**
 * The person's choice whether agents' input is trusted. It is in the extension's storage, which Python can't reach, and off
 * by default. The permission itself can't be optional (docs/extension.md).
 */

const KEY = "trusted-input";

/** @returns {Promise<boolean>} */
export async function isTrustedInputOn() {
  const { [KEY]: on = false } = await chrome.storage.local.get(KEY);
  return on === true;
}

/** @param {boolean} on */
export async function setTrustedInput(on) {
  await chrome.storage.local.set({ [KEY]: on });
}

/** Call `listener` when the choice has changed, also in another page of the extension. @param {(on: boolean) => void} listener */
export function onTrustedInput(listener) {
  chrome.storage.local.onChanged.addListener((/** @type {any} */ changes) => {
    if (KEY in changes) listener(changes[KEY].newValue === true);
  });
}
