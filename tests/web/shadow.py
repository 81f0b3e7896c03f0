"""Elements in the shadow roots of views of untrusted markup, as users see them."""

from tests.web.roles import BY_ROLE, WITHIN

# Expects a selector of CSS or of roles.py, and returns all elements that match it, also those whose ancestors are
# outside of their root. Of those with a role, hidden ones only if they are asked for.
FOUND = """(function find(selector, hidden = false, scope = null) {
  // CSS, the first role and name, and what is sought in the elements that have them.
  const named = /^(.*?)(?:^|\\s)([a-z]+) "([^"]*)"(?:\\s+(.+))?$/.exec(selector);
  if (named) {
    const [, outer, role, name, rest] = named;
    const scopes = outer.trim() ? find(outer.trim(), hidden, scope) : [scope ?? document];
    const found = scopes.flatMap((each) => BY_ROLE(each, role, name, hidden));
    return [...new Set(rest ? found.flatMap((each) => find(rest, hidden, each)) : found)];
  }
  if (scope) return WITHIN(scope, selector.replace(/^>/, ":scope >"));
  const found = new Set(document.querySelectorAll(selector));
  for (const host of document.querySelectorAll(".untrusted")) {
    for (const each of host.shadowRoot.querySelectorAll(selector)) found.add(each);
    for (let at = selector.indexOf(" "); at > 0; at = selector.indexOf(" ", at + 1)) {
      const [outer, inner] = [selector.slice(0, at), selector.slice(at + 1)];
      // A space inside of a text or parentheses ends no selector.
      const isWhole = [outer, inner].every((part) => CSS.supports(`selector(${part})`));
      if (isWhole && host.closest(outer)) for (const each of host.shadowRoot.querySelectorAll(inner)) found.add(each);
    }
  }
  return [...found];
})""".replace("BY_ROLE", BY_ROLE).replace("WITHIN", WITHIN)
# Expects an element, and returns its visible text with the text of views in it.
TEXT = """((element) => [element.innerText,
  ...[element, ...element.querySelectorAll(".untrusted")].map((each) => each.shadowRoot?.lastElementChild.innerText)]
  .filter(Boolean).join("\\n"))"""


def content(selector: str = "") -> str:
    """Return the JavaScript expression of the element that contains the markup of the first view in an element."""
    return f"document.querySelector('{selector} .untrusted').shadowRoot.lastElementChild"
