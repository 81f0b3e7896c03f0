/**
 * The terminals' colours, from the style sheet, so that they follow light and dark with the rest of the page.
 *
 * @import { ITheme } from "@xterm/xterm"
 */

/** @type {(keyof ITheme)[]} */
const ANSI = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** @returns {ITheme} */
export function terminalTheme() {
  const style = getComputedStyle(document.documentElement);
  const color = (/** @type {string} */ name) => style.getPropertyValue(`--terminal-${name}`).trim();
  /** @type {Record<string, string>} */
  const theme = {
    background: color("background"),
    foreground: color("foreground"),
    cursor: color("cursor"),
    cursorAccent: color("background"),
    selectionBackground: color("selection"),
    scrollbarSliderBackground: color("slider"),
    scrollbarSliderHoverBackground: color("slider-hover"),
    scrollbarSliderActiveBackground: color("slider-hover"),
  };
  for (const name of ANSI) {
    const bright = `bright${name[0]?.toUpperCase()}${name.slice(1)}`;
    theme[name] = theme[bright] = color(name);
  }
  return theme;
}

/** @param {() => void} listener called when the system changes between light and dark */
export function onThemeChange(listener) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listener);
}

export function monospace() {
  return getComputedStyle(document.documentElement).getPropertyValue("--mono").trim();
}

export function motionReduced() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** How the places of a text that is looked for are marked. */
export function findColors() {
  const style = getComputedStyle(document.documentElement);
  const color = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    matchBackground: color("--terminal-selection"), matchOverviewRuler: color("--terminal-selection"),
    activeMatchBackground: color("--terminal-found"), activeMatchColorOverviewRuler: color("--terminal-found"),
  };
}
