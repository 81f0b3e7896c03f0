// Removes from a worker's globals what Node's programs don't have. The browser's policy is what keeps a program from
// other origins (docs/network.md); here, a program that looks for `fetch` or `window` finds the same as in Node, and
// nothing of the page's storage. Workers that read pictures have no more, either.

const LANGUAGE = `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error
  AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl ArrayBuffer Atomics Uint8Array
  Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array
  DataView Map BigInt Set WeakMap WeakSet WeakRef Proxy Reflect FinalizationRegistry Iterator SharedArrayBuffer decodeURI decodeURIComponent
  encodeURI encodeURIComponent escape unescape eval isFinite isNaN SuppressedError DisposableStack AsyncDisposableStack Temporal`;
const NODE = `console process global Buffer setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask
  structuredClone atob btoa performance crypto WebAssembly AbortController AbortSignal Blob ByteLengthQueuingStrategy CompressionStream
  CountQueuingStrategy Crypto CryptoKey CustomEvent DecompressionStream DOMException Event EventTarget File FormData Headers MessageChannel
  MessageEvent MessagePort Performance PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver ReadableByteStreamController
  ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader Request
  Response SubtleCrypto TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream TransformStreamDefaultController URL
  URLSearchParams WritableStream WritableStreamDefaultController WritableStreamDefaultWriter`;
// Of the prototypes, which other objects share.
const SHARED = "constructor addEventListener removeEventListener dispatchEvent";
// Numbers that can't be deleted.
const NUMBERS = "TEMPORARY PERSISTENT";
const ALLOWED = new Set(`${LANGUAGE} ${NODE} ${SHARED} ${NUMBERS}`.split(/\s+/));

/**
 * @param needed - further names, with spaces between
 * @throws {Error} something can't be removed
 */
export function confine(needed = "") {
  const more = new Set(needed.split(" "));
  const remaining = [];
  for (let owner = globalThis; owner && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (!ALLOWED.has(name) && !more.has(name) && !Reflect.deleteProperty(owner, name)) remaining.push(name);
    }
  }
  // An accessor that can't be deleted would be a way to the page's origin.
  if (remaining.length) throw new Error(`the worker can't be confined: ${remaining.join(" ")}`);
}
