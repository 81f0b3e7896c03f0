// Applies the styles of `:hover`, which scripts can't cause, so that menus of style sheets open: copies their rules for an
// attribute, and sets the attribute on the element below the simulated mouse, until it leaves.

import { composedAncestors } from "../composed.ts";
import * as dom from "../dom.ts";
import { isSecurityError } from "../errors.ts";

const ATTRIBUTE = "data-gemini-hover";
const HOVER = /(?<!\\):hover(?![\w-])/g;
const HIDDEN = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: false };
const MOST_RULES = 20_000;

type Root = Document | ShadowRoot;
/** with the properties of those kinds that contain rules or select elements */
type Rule = CSSRule & Partial<CSSStyleRule & CSSImportRule>;

/** Return whether a record is of the attribute that this module sets. */
export function isOwnChange({ attributeName }: MutationRecord) {
  return attributeName === ATTRIBUTE;
}

/** The styles of the element below the simulated mouse. */
export class HoverStyles {
  marked: Element[] = [];
  sheets = new Map<Root, CSSStyleSheet>();
  /** The elements that the styles have shown. */
  shown: Element[] = [];

  /** Return the elements that the styles show now. */
  open() {
    return this.shown.filter(isSeen);
  }

  /**
   * Begin to apply the styles of an element and its ancestors.
   * @returns `shown`: what was hidden before; `unreadable`: whether a style sheet of another origin may have more such
   * styles
   */
  begin(target: Element): { shown: Element[]; unreadable: boolean } {
    this.end();
    let unreadable = false;
    for (const root of rootsAround(target)) {
      const copied = copyRules(root);
      unreadable ||= copied.unreadable;
      if (!copied.text) continue;
      const realm = dom.defaultView(dom.ownerDocument(target)) ?? window;
      const sheet = new realm.CSSStyleSheet();
      sheet.replaceSync(copied.text);
      sheet.disabled = true;
      dom.setAdoptedStyleSheets(root, [...dom.adoptedStyleSheets(root), sheet]);
      this.sheets.set(root, sheet);
    }
    if (!this.sheets.size) return { shown: [], unreadable };
    this.follow(target);
    const styled = [...this.sheets].flatMap(([root, sheet]) => elementsOf(root, sheet.cssRules));
    const hidden = [...new Set(styled)].filter((one) => !isSeen(one));
    for (const sheet of this.sheets.values()) sheet.disabled = false;
    this.shown = styled.filter(isSeen);
    return { shown: hidden.filter(isSeen), unreadable };
  }

  /** Move the styles to the element now below the mouse. */
  follow(target: Element) {
    if (!this.sheets.size) return;
    const now = composedAncestors(target);
    for (const one of this.marked) if (!now.includes(one)) dom.removeAttribute(one, ATTRIBUTE);
    for (const one of now) if (!dom.hasAttribute(one, ATTRIBUTE)) dom.setAttribute(one, ATTRIBUTE, "");
    this.marked = now;
  }

  end() {
    for (const one of this.marked) dom.removeAttribute(one, ATTRIBUTE);
    for (const [root, sheet] of this.sheets)
      dom.setAdoptedStyleSheets(
        root,
        dom.adoptedStyleSheets(root).filter((one) => one !== sheet),
      );
    this.marked = [];
    this.sheets.clear();
  }
}

/** Return whether the element is drawn. */
export function isSeen(element: Element) {
  if (!dom.checkVisibility(element, HIDDEN)) return false;
  const { width, height } = dom.getBoundingClientRect(element);
  return width > 1 && height > 1;
}

/** Return the documents and shadow roots around an element. */
function rootsAround(element: Element) {
  return new Set<Root>(composedAncestors(element).map((one) => dom.getRootNode(one)));
}

/** Return copies of the rules with `:hover`, as text. */
function copyRules(root: Root) {
  let text = "";
  let unreadable = false;
  let left = MOST_RULES;
  for (const sheet of [...dom.styleSheets(root), ...dom.adoptedStyleSheets(root)]) {
    if (sheet.disabled) continue;
    try {
      for (const rule of sheet.cssRules) text += left-- > 0 ? copyRule(rule) : "";
    } catch (error) {
      if (!isSecurityError(error)) throw error;
      unreadable = true;
    }
  }
  return { text, unreadable };
}

function copyRule(rule: Rule): string {
  if (rule.styleSheet) return Array.from(rule.styleSheet.cssRules, copyRule).join("");
  if (!HOVER.test(rule.cssText)) return "";
  HOVER.lastIndex = 0;
  if (rule.selectorText?.match(HOVER)) return rule.cssText.replace(HOVER, `[${ATTRIBUTE}]`);
  const inner = Array.from(rule.cssRules ?? [], copyRule).join("");
  return inner && `${rule.cssText.slice(0, rule.cssText.indexOf("{"))}{${inner}}`;
}

/** Return the elements that the rules apply to. */
function elementsOf(root: Root, rules: CSSRuleList): Element[] {
  return Array.from(rules).flatMap((rule: Rule) => {
    const own = rule.selectorText
      ? Array.from(dom.querySelectorAll(root, rule.selectorText.replace(/::?(before|after)\b/g, "")))
      : [];
    return [...own, ...(rule.cssRules ? elementsOf(root, rule.cssRules) : [])];
  });
}
