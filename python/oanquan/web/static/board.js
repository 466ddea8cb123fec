// The board: the server's picture, a button over every square, and the arrows of the two directions.

import { $, make, say, announce } from "./words.js";

const NARROW = window.matchMedia("(max-width: 719px)");

let view = null; // what is shown: { names, squares, legal, mode }
let chosen = null;
let focused = null;
let heard = { move: () => {}, square: () => {} };

export function onBoard(handlers) {
  heard = { ...heard, ...handlers };
}

// The picture as the server drew it: parsed as XML, so that nothing in it can be anything but a picture.
export function showPicture(text) {
  const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  $("picture").replaceChildren(svg);
  crop(svg);
  return svg;
}

// Of the picture squares and stores are shown, on a narrow screen squares only; the words stand around it as text.
function crop(svg) {
  const shown = NARROW.matches ? "g.square, text.name" : "g.square, text.name, g.store";
  const [beside, over] = NARROW.matches ? [8, 8] : [16, 16];
  const places = [...svg.querySelectorAll(shown)].map((square) => square.getBBox());
  const left = Math.min(...places.map((place) => place.x)) - beside;
  const top = Math.min(...places.map((place) => place.y)) - over;
  const right = Math.max(...places.map((place) => place.x + place.width)) + beside;
  const bottom = Math.max(...places.map((place) => place.y + place.height)) + over;
  const box = [left, top, right - left, bottom - top].map((value) => Math.round(value * 10) / 10);
  svg.setAttribute("viewBox", box.join(" "));
  $("board").style.aspectRatio = `${box[2]} / ${box[3]}`;
  $("board").style.setProperty("--ratio", box[2] / box[3]);
  $("board").dataset.box = box.join(" ");
}

NARROW.addEventListener("change", () => {
  const svg = $("picture").firstElementChild;
  if (!svg) return;
  crop(svg);
  if (view) placeButtons(svg);
});

// Shows a board. `mode`: "play" (legal squares may be chosen), "setup" (any square), "watch" (none).
export function showBoard(picture, shown) {
  const svg = showPicture(picture);
  view = shown;
  $("board").dataset.mode = shown.mode;
  $("board").classList.toggle("turned", shown.sides === 3); // squares that stand askew are clicked in the picture
  if (chosen && !may(chosen)) chosen = null;
  placeButtons(svg);
}

function outline(svg, name) {
  const group = svg.querySelector(`g.square[data-square="${name}"]`);
  return (group.querySelector(".hollow") || group).getBBox();
}

export function centre(name) {
  const place = outline($("picture").firstElementChild, name);
  return [place.x + place.width / 2, place.y + place.height / 2];
}

function put(element, place) {
  const [left, top, width, height] = $("board").dataset.box.split(" ").map(Number);
  element.style.left = `${((place.x - left) / width) * 100}%`;
  element.style.top = `${((place.y - top) / height) * 100}%`;
  if (place.width) {
    element.style.width = `${(place.width / width) * 100}%`;
    element.style.height = `${(place.height / height) * 100}%`;
  }
}

function may(name) {
  return view.mode === "setup" || (view.mode === "play" && waysFrom(name).length > 0);
}

function waysFrom(name) {
  return (view?.mode === "play" ? view.legal : []).filter((move) => move.slice(0, -1) === name);
}

function placeButtons(svg) {
  const box = $("squares");
  const had = box.contains(document.activeElement);
  if (!view.names.includes(focused)) focused = null;
  if (box.dataset.names !== view.names.join(" ")) {
    box.dataset.names = view.names.join(" ");
    box.replaceChildren(...view.names.map((name) => make("button", { type: "button", "data-square": name })));
  }
  if (!focused) focused = view.names.find(may) || view.names[0];
  for (const button of box.children) {
    const name = button.dataset.square;
    const title = svg.querySelector(`g.square[data-square="${name}"] > title`)?.textContent || name;
    button.classList.toggle("may", may(name));
    button.classList.toggle("chosen", name === chosen);
    button.setAttribute("aria-label", may(name) && view.mode === "play" ? `${title}, ${say("can_move")}` : title);
    button.setAttribute("aria-pressed", String(name === chosen));
    button.setAttribute("aria-disabled", String(!may(name)));
    button.tabIndex = name === focused ? 0 : -1;
    put(button, outline(svg, name));
  }
  for (const title of svg.querySelectorAll("g.square > title")) title.remove(); // no second tooltip
  if (had && !box.contains(document.activeElement)) focusSquare(focused);
  placeWays();
}

export function focusSquare(name) {
  focused = name;
  for (const button of $("squares").children) {
    button.tabIndex = button.dataset.square === name ? 0 : -1;
    if (button.dataset.square === name) button.focus({ preventScroll: true });
  }
}

// ---- choosing a square and a direction ----

export function choose(name, { focus = false } = {}) {
  if (!view) return;
  if (view.mode === "setup") {
    chosen = name;
    mark();
    heard.square(name);
    return;
  }
  chosen = name !== chosen && waysFrom(name).length ? name : null;
  mark();
  placeWays();
  if (chosen) {
    announce(say("chosen", { square: chosen }));
    if (focus) $("ways").firstElementChild?.focus({ preventScroll: true });
  }
}

export function unchoose() {
  if (!chosen) return false;
  const name = chosen;
  const inside = $("ways").contains(document.activeElement);
  chosen = null;
  mark();
  placeWays();
  if (inside) focusSquare(name);
  return true;
}

export const chosenSquare = () => chosen;

export function forget() {
  chosen = null;
  $("ways").replaceChildren();
}

function mark() {
  for (const button of $("squares").children) {
    button.classList.toggle("chosen", button.dataset.square === chosen);
    button.setAttribute("aria-pressed", String(button.dataset.square === chosen));
  }
}

function neighbour(name, sign) {
  const place = view.names.indexOf(name) + (sign === "+" ? 1 : -1);
  return view.names[(place + view.names.length) % view.names.length];
}

// The arrows lie over the next square on either side, where the first pebble will fall.
function placeWays() {
  const ways = view?.mode === "play" && chosen ? waysFrom(chosen) : [];
  $("ways").replaceChildren(
    ...ways.map((move) => {
      const from = centre(chosen);
      const to = centre(neighbour(chosen, move.at(-1)));
      const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
      const label = say(move.endsWith("+") ? "way_counterclockwise" : "way_clockwise", { move });
      const button = make("button", { type: "button", class: "way", "data-move": move, "aria-label": label, title: label });
      const icon = document.querySelector("#new svg").cloneNode(true);
      icon.firstElementChild.setAttribute("href", "#i-arrow");
      icon.style.transform = `rotate(${angle}rad)`;
      button.append(icon);
      button.dataset.angle = angle;
      put(button, { x: from[0] + (to[0] - from[0]) * 0.86, y: from[1] + (to[1] - from[1]) * 0.86 });
      return button;
    }),
  );
}

export function sow(sign) {
  const name = chosen || (document.activeElement?.dataset.square ?? null);
  const move = name && waysFrom(name).find((way) => way.endsWith(sign));
  if (move) heard.move(move);
  return Boolean(move);
}

const ARROWS = { ArrowRight: 0, ArrowDown: Math.PI / 2, ArrowLeft: Math.PI, ArrowUp: -Math.PI / 2 };

function apart(one, other) {
  return Math.abs(Math.atan2(Math.sin(one - other), Math.cos(one - other)));
}

// The square that lies that way from another one: near, and little off the line.
function towards(name, angle) {
  const from = centre(name);
  let best = null;
  for (const other of view.names) {
    if (other === name) continue;
    const to = centre(other);
    const [x, y] = [to[0] - from[0], to[1] - from[1]];
    const off = apart(Math.atan2(y, x), angle);
    if (off > 1.2) continue;
    const cost = Math.hypot(x, y) * (1 + 2 * off * off);
    if (!best || cost < best[1]) best = [other, cost];
  }
  return best?.[0];
}

$("squares").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  focusSquare(button.dataset.square);
  if (heard.busy?.()) return;
  choose(button.dataset.square, { focus: event.detail === 0 });
});

$("squares").addEventListener("keydown", (event) => {
  if (!(event.key in ARROWS) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const next = towards(event.target.dataset.square, ARROWS[event.key]);
  if (next) focusSquare(next);
});

$("ways").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) heard.move(button.dataset.move);
});

$("ways").addEventListener("keydown", (event) => {
  if (!(event.key in ARROWS)) return;
  event.preventDefault();
  const angle = ARROWS[event.key];
  const fits = [...$("ways").children].sort((a, b) => apart(a.dataset.angle, angle) - apart(b.dataset.angle, angle));
  fits[0]?.focus();
});

// Where a click falls on no button (squares may be turned), the picture itself says which square it was.
$("picture").addEventListener("click", (event) => {
  const name = event.target.closest?.("[data-square]")?.dataset.square;
  if (name && !heard.busy?.()) choose(name);
});

export function ownSquare(digit) {
  return view?.names.find((name) => may(name) && name.slice(1) === digit);
}
