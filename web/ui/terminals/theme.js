/**
 * The terminals' colours, from the style sheet, so that they follow light and dark with the rest of the page.
 *
 * @import { ITheme } from "@xterm/xterm"
 */

/** @type {(keyof ITheme)[]} */
const ANSI = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** @returns {ITheme} */
export function terminalTheme() {
  const color = (/** @type {string} */ name) => colorOf(`--terminal-${name}`);
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

export function monospace() {
  return getComputedStyle(document.documentElement).getPropertyValue("--mono").trim();
}

export function motionReduced() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** How the places of a text that is looked for are marked. */
export function findColors() {
  // Here xterm takes no other form.
  const [found, active] = ["--terminal-selection", "--terminal-found"].map((property) => hex(colorOf(property)));
  return {
    matchBackground: found, matchOverviewRuler: found,
    activeMatchBackground: active, activeMatchColorOverviewRuler: active,
  };
}

/**
 * A colour of the style sheet as it is now: a property of its own is text, and only where it colours something is it
 * known which of two colours that is.
 *
 * @param {string} property
 */
function colorOf(property) {
  const probe = document.createElement("i");
  probe.style.color = `var(${property})`;
  document.documentElement.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** @param {string} color as `rgb(1, 2, 3)` */
function hex(color) {
  return `#${(color.match(/\d+/g) ?? []).slice(0, 3).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}
