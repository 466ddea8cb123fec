// What the page says, in the language that is chosen.

import { get } from "./api.js";

export const spoken = { lang: "en", table: null };

export function $(id) {
  return document.getElementById(id);
}

// An element with attributes and children; texts are texts, never HTML.
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

export function say(key, values = {}) {
  let text = spoken.table.words[key];
  if (text === undefined) return key;
  if (typeof text !== "string") text = values.count === 1 ? text.one : text.other;
  return text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
}

export function sideName(side) {
  return spoken.table.sides[side];
}

export function number(value, digits = 0) {
  return new Intl.NumberFormat(spoken.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

export async function speak(lang) {
  spoken.table = await get(`/api/words/${lang}`);
  spoken.lang = lang;
  document.documentElement.lang = lang;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) {
    const label = say(element.dataset.label);
    element.setAttribute("aria-label", label);
    if (element.tagName === "BUTTON") element.title = label;
  }
  $("language").textContent = say("other_language");
  $("language").lang = lang === "vi" ? "en" : "vi";
}

let clearing = 0;

export function toast(text) {
  const box = $("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(clearing);
  clearing = setTimeout(() => (box.hidden = true), 5000);
}

// Tells a screen reader; what is said in one go is told together.
let announced = [];
export function announce(text) {
  if (!announced.length) {
    setTimeout(() => {
      $("announce").textContent = announced.join(" ");
      announced = [];
    }, 30);
  }
  announced.push(text);
}

export function complain(error) {
  if (error.name === "AbortError" || error.code === "stopped") return;
  const known = { no_connection: "no_connection", busy: "busy" }[error.code];
  toast(known ? say(known) : error.message);
  if (error.code === undefined) console.error(error);
}
