/** The terminal's theme, from the style sheet, so that it follows the page's theme. */

import type { ITheme } from "@xterm/xterm";
import { isHighContrast } from "../../lib/theme.ts";

const ANSI: (keyof ITheme)[] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

export function terminalTheme(): ITheme {
  const color = (name: string) => colorOf(`--terminal-${name}`);
  const theme: Record<string, string> = {
    background: color("background"),
    foreground: color("foreground"),
    cursor: color("cursor"),
    cursorAccent: color("background"),
    selectionBackground: color("selection"),
    scrollbarSliderBackground: color("slider"),
    scrollbarSliderHoverBackground: color("slider-hover"),
    scrollbarSliderActiveBackground: color("slider-hover"),
  };
  // The system's palette has a color for text on its highlight.
  if (matchMedia("(forced-colors: active)").matches) theme.selectionForeground = color("selected");
  for (const name of ANSI) {
    const bright = `bright${name[0]?.toUpperCase()}${name.slice(1)}`;
    theme[name] = theme[bright] = color(name);
  }
  return theme;
}

/** Return the least contrast of text: WCAG 2.2's level AAA in high contrast, or else AA. */
export function leastContrast() {
  return isHighContrast() ? 7 : 4.5;
}

export function monospace() {
  return getComputedStyle(document.documentElement).getPropertyValue("--mono").trim();
}

export function motionReduced() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Return the colors of search matches. */
export function findColors() {
  // xterm accepts only hex colors here.
  const [found, active] = ["--terminal-selection", "--terminal-found"].map((property) => hex(colorOf(property)));
  return {
    matchBackground: found,
    matchOverviewRuler: found,
    activeMatchBackground: active,
    activeMatchColorOverviewRuler: active,
  };
}

/**
 * Return the current value of a color property. Custom properties are text; only a computed color resolves light and
 * dark.
 */
function colorOf(property: string) {
  const probe = document.createElement("i");
  probe.style.forcedColorAdjust = "none";
  probe.style.color = `var(${property})`;
  document.documentElement.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** @param color - as `rgb(1, 2, 3)` */
function hex(color: string) {
  return `#${(color.match(/\d+/g) ?? [])
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join("")}`;
}
