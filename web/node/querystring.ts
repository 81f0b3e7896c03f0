// node:querystring.

/** @param {string} text */
const unescape = (text) => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
};
/** @param {any} value */
const escape = (value) => encodeURIComponent(String(value)).replaceAll(/%(?:21|27|28|29|2A)/g, decodeURIComponent);

/** @param {string} text @param {string} [separator] @param {string} [equals] */
function parse(text, separator = "&", equals = "=") {
  /** @type {Record<string, string | string[]>} */
  const found = Object.create(null);
  for (const pair of text.split(separator).filter(Boolean)) {
    const [name = "", ...rest] = pair.split(equals).map(unescape);
    const value = rest.join(equals);
    found[name] = name in found ? [found[name] ?? [], value].flat() : value;
  }
  return found;
}

/** @param {Record<string, any>} values @param {string} [separator] @param {string} [equals] */
const stringify = (values, separator = "&", equals = "=") =>
  Object.entries(values ?? {}).flatMap(([name, value]) => [value].flat().map((each) => `${escape(name)}${equals}${escape(each ?? "")}`)).join(separator);

export const querystring = { parse, stringify, escape, unescape, decode: parse, encode: stringify };
