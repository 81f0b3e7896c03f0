/** Return whether threads can share memory. Some browsers isolate the page and lack the class, as WebKitGTK does. */
export const canShareMemory = () => Boolean(globalThis.crossOriginIsolated) && typeof SharedArrayBuffer === "function";
