// Paths as node:fs takes them: texts, buffers and file URLs, relative to the program's directory.
import path from "path-browserify";

let directory = "/";

export const cwd = () => directory;
/** @param {string} to absolute */
export const setDirectory = (to) => void (directory = to);

/** A TypeError of Node's, whose stack begins with its code. @param {string} code @param {string} message */
export function typeError(code, message) {
  const error = /** @type {any} */ (new TypeError(message));
  error.name = `TypeError [${code}]`;
  // The stack is composed when it is first read.
  void error.stack;
  delete error.name;
  return Object.assign(error, { code });
}

/** Describe what was passed, as Node's messages do. @param {any} value */
export function received(value) {
  if (value == null) return `Received ${value}`;
  if (typeof value === "object") return `Received an instance of ${value.constructor?.name ?? "Object"}`;
  return `Received type ${typeof value} (${typeof value === "string" ? `'${value}'` : String(value)})`;
}

/** @param {any} given @param {string} [name] of the argument @returns {string} as the program wrote it */
export function pathText(given, name = "path") {
  if (typeof given === "string") return given;
  if (given instanceof URL) return fromFileUrl(given);
  if (given instanceof Uint8Array) return new TextDecoder().decode(given);
  const expected = "must be of type string or an instance of Buffer or URL";
  throw typeError("ERR_INVALID_ARG_TYPE", `The "${name}" argument ${expected}. ${received(given)}`);
}

/** @param {string} given */
export const absolute = (given) => (given.startsWith("/") ? given : path.join(directory, given));

/** @param {string | URL} url */
export function fromFileUrl(url) {
  const { protocol, pathname } = new URL(url);
  if (protocol !== "file:") throw typeError("ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
  return decodeURIComponent(pathname);
}

/** @param {string} given */
export function toFileUrl(given) {
  const url = new URL("file:///");
  const whole = path.resolve(directory, given) + (given.endsWith("/") && given !== "/" ? "/" : "");
  url.pathname = whole.replaceAll("%", "%25").replaceAll("\\", "%5C").replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll("\t", "%09");
  url.pathname = url.pathname.replaceAll("?", "%3F").replaceAll("#", "%23");
  return url;
}
