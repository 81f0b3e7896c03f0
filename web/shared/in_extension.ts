/** True in the pages of the browser extension. */
export const IN_EXTENSION = globalThis.location?.protocol === "chrome-extension:";
