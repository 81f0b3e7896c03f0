/**
 * The colors of tables in HTML of untrusted authors, as pandas' Styler writes them: rules of `<style>` by the ids and classes
 * of cells, and styles of cells. They become styles of the cells, so no rule applies to anything else. Only what colors and
 * aligns the text of a cell counts; nothing hides, moves, covers or loads.
 */

const PROPERTIES = ["color", "background-color", "background-image", "font-weight", "font-style", "text-align"];
const CELLS = "table, tr, th, td, caption";
/** Bars of Styler. The browser writes a value in this form; without other functions than colors, it loads nothing. */
const GRADIENT = /^linear-gradient\((?:[^()]|rgba?\([^()]*\))*\)$/;
const MOST_RULES = 20_000;

/** The text of `style` elements, and of `style` attributes by their element. */
export type Styles = { rules: string[]; own: Map<Element, string> };

/** Color the cells of sanitized markup, which still has its ids and classes. */
export function colorTables(fragment: DocumentFragment, { rules, own }: Styles) {
  for (const text of rules) applyRules(fragment, text);
  for (const [element, text] of own) {
    const [rule] = rulesOf(`x {${text}}`);
    if (rule && element.matches(CELLS)) apply(element, rule.style);
  }
}

function applyRules(fragment: DocumentFragment, text: string) {
  for (const rule of rulesOf(text).slice(0, MOST_RULES)) {
    if (!PROPERTIES.some((name) => rule.style.getPropertyValue(name) !== "")) continue;
    for (const cell of fragment.querySelectorAll(rule.selectorText)) {
      if (cell.matches(CELLS)) apply(cell, rule.style);
    }
  }
}

function rulesOf(text: string) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return Array.from(sheet.cssRules).filter((rule) => rule instanceof CSSStyleRule);
}

function apply(element: Element, style: CSSStyleDeclaration) {
  if (!(element instanceof HTMLElement)) return;
  for (const name of PROPERTIES) {
    const value = style.getPropertyValue(name);
    // `background` names all that it doesn't set as initial.
    if (["", "initial"].includes(value) || (name === "background-image" && !GRADIENT.test(value))) continue;
    element.style.setProperty(name, value);
  }
  const { backgroundColor, color } = element.style;
  // Authors see their colors below black text; here the text may be light.
  if (backgroundColor !== "" && color === "") element.style.color = "black";
}
