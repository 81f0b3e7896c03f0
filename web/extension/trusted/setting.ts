/**
 * The user's choice whether agents' input is trusted. It is in the extension's storage, which Python can't reach, and off
 * by default. The permission itself can't be optional (docs/extension.md).
 */

const KEY = "trusted-input";

export async function isTrustedInputOn(): Promise<boolean> {
  const { [KEY]: on = false } = await chrome.storage.local.get(KEY);
  return on === true;
}

export async function setTrustedInput(on: boolean) {
  await chrome.storage.local.set({ [KEY]: on });
}

/** Call `listener` when the choice has changed, also in another page of the extension. */
export function onTrustedInput(listener: (on: boolean) => void) {
  chrome.storage.local.onChanged.addListener((changes) => {
    if (KEY in changes) listener(changes[KEY].newValue === true);
  });
}
