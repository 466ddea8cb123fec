// How one likes to see things: language, light or dark, which side sits at the bottom.

import { spoken } from "./words.js";
import { kept } from "./store.js";

const DARK = window.matchMedia("(prefers-color-scheme: dark)");

export function theme() {
  return kept.theme || (DARK.matches ? "dark" : "wood");
}

export function paint() {
  document.documentElement.dataset.theme = theme();
}

export function onSystemTheme(changed) {
  DARK.addEventListener("change", () => {
    if (!kept.theme) changed();
  });
}

// What every request says of it.
export function look() {
  return { lang: spoken.lang, theme: theme(), bottom: kept.bottom, numbers: kept.numbers };
}
