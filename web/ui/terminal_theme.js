/**
 * The terminals' colours, from the style sheet, so that they follow light and dark with the rest of the page.
 *
 * @import { ITheme } from "@xterm/xterm"
 */

/** @type {(keyof ITheme)[]} */
const ANSI = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** @returns {ITheme} */
export function terminalTheme() {
  // A property of its own is text; only where it colours something is it known which of two colours that is.
  const probe = document.createElement("i");
  document.documentElement.append(probe);
  const color = (/** @type {string} */ name) => {
    probe.style.color = `var(--terminal-${name})`;
    return getComputedStyle(probe).color;
  };
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
  probe.remove();
  return theme;
}

export function monospace() {
  return getComputedStyle(document.documentElement).getPropertyValue("--mono").trim();
}

export function motionReduced() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
