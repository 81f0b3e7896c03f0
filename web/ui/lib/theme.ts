/**
 * The color theme: the system's, light or dark, each also with high contrast. index.html applies the saved one before
 * anything is drawn; style/tokens.css has the colors. A system that asks for more contrast gets it in every theme.
 */

import { loadSaved, save } from "../../shared/local_state.ts";

const KEY = "theme";
const SYSTEM = ["(prefers-color-scheme: dark)", "(forced-colors: active)", "(prefers-contrast: more)"];

export type Theme = "system" | "light" | "dark" | "contrast-light" | "contrast-dark";

export const THEMES: { value: Theme; label: string }[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "contrast-light", label: "Light high contrast" },
  { value: "contrast-dark", label: "Dark high contrast" },
];

export function currentTheme(): Theme {
  const name = loadSaved(KEY, "system");
  return THEMES.some(({ value }) => value === name) ? name : "system";
}

export function setTheme(theme: Theme) {
  save(KEY, theme);
  document.documentElement.dataset.theme = theme;
}

/** Follow the system's wish for contrast while the page is open. */
export function followContrast() {
  const more = matchMedia("(prefers-contrast: more)");
  const apply = () => {
    document.documentElement.dataset.contrast = more.matches ? "more" : "no-preference";
  };
  more.addEventListener("change", apply);
  apply();
}

export function isHighContrast() {
  const { theme = "", contrast } = document.documentElement.dataset;
  return theme.startsWith("contrast") || contrast === "more";
}

/** @param listener - called when the theme changes, by the system or by the user */
export function onThemeChange(listener: () => void) {
  for (const query of SYSTEM) matchMedia(query).addEventListener("change", listener);
  new MutationObserver(listener).observe(document.documentElement, {
    attributeFilter: ["data-theme", "data-contrast"],
  });
}
