// node:querystring.

const unescape = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
};
const escape = (value: unknown) =>
  encodeURIComponent(String(value)).replaceAll(/%(?:21|27|28|29|2A)/g, decodeURIComponent);

function parse(text: string, separator = "&", equals = "=") {
  const found: Record<string, string | string[]> = Object.create(null);
  for (const pair of text.split(separator).filter(Boolean)) {
    const [name = "", ...rest] = pair.split(equals).map(unescape);
    const value = rest.join(equals);
    found[name] = name in found ? [found[name] ?? [], value].flat() : value;
  }
  return found;
}

const stringify = (values: Record<string, unknown>, separator = "&", equals = "=") =>
  Object.entries(values ?? {})
    .flatMap(([name, value]) => [value].flat().map((each) => `${escape(name)}${equals}${escape(each ?? "")}`))
    .join(separator);

export const querystring = { parse, stringify, escape, unescape, decode: parse, encode: stringify };
