/**
 * Light, dark, or as the system has it. index.html sets what is kept before anything is drawn.
 */

import { keep, kept } from "./kept.js";

const KEY = "theme";

/** @typedef {"system" | "light" | "dark"} Theme */

/** @type {{value: Theme, label: string}[]} */
export const THEMES = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** @returns {Theme} */
export function chosenTheme() {
  const name = kept(KEY, "system");
  return THEMES.some(({ value }) => value === name) ? name : "system";
}

/** @param {Theme} theme */
export function chooseTheme(theme) {
  keep(KEY, theme);
  document.documentElement.dataset.theme = theme;
}

/** @param {() => void} listener called when colours change: by the system, or by choice */
export function onThemeChange(listener) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listener);
  new MutationObserver(listener).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}
