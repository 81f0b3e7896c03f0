/** Wrap a connection of the extension's API as a MessagePort. @param {any} port @returns {MessagePort} */
export function messagePort(port) {
  const wrapped = {
    onmessage: /** @type {((event: object) => void) | null} */ (null),
    postMessage: (/** @type {string} */ text) => port.postMessage(text),
    close: () => port.disconnect(),
  };
  port.onMessage.addListener((/** @type {string} */ data) => wrapped.onmessage?.({ data }));
  return /** @type {any} */ (wrapped);
}
