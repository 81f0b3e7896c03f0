/**
 * The color theme: light, dark, or the system's. index.html applies the saved one before anything is drawn.
 */

import { loadSaved, save } from "./saved.js";

const KEY = "theme";

/** @typedef {"system" | "light" | "dark"} Theme */

/** @type {{value: Theme, label: string}[]} */
export const THEMES = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** @returns {Theme} */
export function currentTheme() {
  const name = loadSaved(KEY, "system");
  return THEMES.some(({ value }) => value === name) ? name : "system";
}

/** @param {Theme} theme */
export function setTheme(theme) {
  save(KEY, theme);
  document.documentElement.dataset.theme = theme;
}

/** @param {() => void} listener called when the theme changes, by the system or by the person */
export function onThemeChange(listener) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listener);
  new MutationObserver(listener).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}
