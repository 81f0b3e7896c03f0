// Paths as node:fs takes them: strings, buffers and file URLs, relative to the program's directory.
import path from "path-browserify";

let directory = "/";

export const cwd = () => directory;
/** @param to - absolute */
export const setDirectory = (to: string) => void (directory = to);

/** A TypeError of Node's, whose stack begins with its code. */
export function typeError(code: string, message: string) {
  const error = new TypeError(message);
  error.name = `TypeError [${code}]`;
  // The stack is composed when it is first read.
  void error.stack;
  Reflect.deleteProperty(error, "name");
  return Object.assign(error, { code });
}

/** Describe what was passed, as Node's messages do. */
export function received(value: unknown) {
  if (value == null) return `Received ${value}`;
  if (typeof value === "object") return `Received an instance of ${value.constructor?.name ?? "Object"}`;
  return `Received type ${typeof value} (${typeof value === "string" ? `'${value}'` : String(value)})`;
}

/**
 * @param name - of the argument
 * @returns as the program wrote it
 */
export function pathText(given: unknown, name = "path"): string {
  if (typeof given === "string") return given;
  if (given instanceof URL) return fromFileUrl(given);
  if (given instanceof Uint8Array) return new TextDecoder().decode(given);
  const expected = "must be of type string or an instance of Buffer or URL";
  throw typeError("ERR_INVALID_ARG_TYPE", `The "${name}" argument ${expected}. ${received(given)}`);
}

export const absolute = (given: string) => (given.startsWith("/") ? given : path.join(directory, given));

export function fromFileUrl(url: string | URL) {
  const { protocol, pathname } = new URL(url);
  if (protocol !== "file:") throw typeError("ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
  return decodeURIComponent(pathname);
}

export function toFileUrl(given: string) {
  const url = new URL("file:///");
  const whole = path.resolve(directory, given) + (given.endsWith("/") && given !== "/" ? "/" : "");
  url.pathname = whole
    .replaceAll("%", "%25")
    .replaceAll("\\", "%5C")
    .replaceAll("\n", "%0A")
    .replaceAll("\r", "%0D")
    .replaceAll("\t", "%09");
  url.pathname = url.pathname.replaceAll("?", "%3F").replaceAll("#", "%23");
  return url;
}
