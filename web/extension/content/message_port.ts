/** Wrap a connection of the extension's API as a MessagePort. */
export function messagePort(port: chrome.Port): MessagePort {
  const wrapped: Pick<MessagePort, "postMessage" | "close"> & { onmessage: ((event: object) => void) | null } = {
    onmessage: null,
    postMessage: (text: string) => port.postMessage(text),
    close: () => port.disconnect(),
  };
  port.onMessage.addListener((data: string) => wrapped.onmessage?.({ data }));
  // What `Connection` uses of one.
  return wrapped as unknown as MessagePort;
}
