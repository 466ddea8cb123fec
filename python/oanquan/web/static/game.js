// The game on the board: how it stands, and what is done with it.

import { post } from "./api.js";
import { $, make, say, sideName, toast, announce, complain, spoken } from "./words.js";
import { showBoard, forget } from "./board.js";
import * as player from "./player.js";
import { keep, kept } from "./store.js";
import { look } from "./looks.js";

export const game = { view: null, busy: false, setup: false };
const watchers = [];
const AGAIN = 2000; // milliseconds until an agent is asked again

export function onGame(watcher) {
  watchers.push(watcher);
}

let turn = 0; // counts what changes the game: what belongs to an earlier one is passed over

function path(what) {
  return `/api/games/${game.view.game}/${what}`;
}

// Whether an agent is to move: one that is gone back to in the middle of the line is not asked again.
const due = (view) => !view.human && !view.over && view.ply === view.moves.length;

// ---- showing ----

export function mode() {
  if (game.busy || !game.view) return "watch";
  return game.view.human ? "play" : "watch";
}

export function settle() {
  const { view } = game;
  if (!view || game.setup) return;
  showBoard(view.picture, { names: view.board.names, sides: view.board.sides, legal: view.legal, mode: mode() });
  $("table").classList.toggle("over", view.over);
  status();
}

function status() {
  const { view } = game;
  let text = view.status;
  if (!view.over && view.human) text = say("your_turn", { side: view.turn });
  if (due(view)) text = say("thinking", { side: view.turn });
  if (game.busy && view.last) text = say("told", { move: view.last.move }); // it is being shown
  if (view.ply < view.moves.length) text = `${say("looking_back", { ply: view.ply, count: view.moves.length })} ${text}`;
  if ($("status").textContent !== text) $("status").textContent = text;
}

function scores() {
  const { view } = game;
  const sides = "abcd".slice(0, view.board.sides).split("");
  const place = sides.indexOf(kept.bottom) < 0 ? 0 : sides.indexOf(kept.bottom);
  const round = [...sides.slice(place), ...sides.slice(0, place)];
  const card = (side) => {
    const seat = view.seats[sides.indexOf(side)];
    const who = seat === "human" ? "" : spoken.table.levels.find((level) => level.name === seat)?.title || seat;
    const classes = `score side-${side}${!view.over && view.turn === side ? " turn" : ""}${view.winner === side ? " winner" : ""}`;
    return make(
      "div",
      { class: classes },
      make("span", { class: "badge", "aria-hidden": "true" }, side),
      make("span", { class: "who" }, sideName(side), who ? make("small", {}, who) : ""),
      make("strong", {}, say("points", { count: view.points[sides.indexOf(side)] })),
    );
  };
  $("scores-bottom").replaceChildren(card(round[0]));
  $("scores-top").replaceChildren(...round.slice(1).reverse().map(card));
}

// Takes what the server says of the game, and tells everything that shows it.
function take(view) {
  turn += 1;
  game.view = view;
  keep({ game: view.game, record: view.record });
  $("undo").disabled = !view.undo;
  $("redo").disabled = !view.redo;
  $("hint").disabled = view.over || !view.human;
  scores();
  player.prepare(view, view.picture);
  player.onSettled(settle);
  settle();
  for (const watcher of watchers) watcher(view);
}

// Shows the move that led to a view, then the view; then an agent moves if it is its turn.
async function follow(view, { animated = false } = {}) {
  forget();
  $("hint-text").hidden = true;
  if (kept.autoturn && view.human && view.turn !== kept.bottom) {
    keep({ bottom: view.turn });
    view = await post(`/api/games/${view.game}/look`, look());
  }
  take(view);
  const own = turn;
  if (animated) {
    const next = due(view) ? thought() : null;
    game.busy = true;
    settle();
    await player.playThrough();
    if (own === turn) {
      game.busy = false;
      settle();
      if (!next) announce($("status").textContent);
    }
    if (next) await answer(next, own);
  } else if (due(view)) {
    await answer(thought(), own);
  }
}

function thought() {
  return post(path("think"), look()).then(
    (view) => ({ view }),
    (error) => ({ error }),
  );
}

async function answer(next, own) {
  const { view, error } = await next;
  if (own !== turn) return;
  if (!error) await follow(view, { animated: true });
  else await askAgain(error, own);
}

// What kept an agent from moving may pass: a busy server, one that is started anew, another page with the same game.
async function askAgain(error, own) {
  complain(error);
  if (!["busy", "no_connection", "stopped", "unknown_game", "over", "not_your_turn"].includes(error.code)) return;
  if (error.code !== "unknown_game") await new Promise((resolve) => setTimeout(resolve, AGAIN));
  if (own !== turn) return;
  try {
    if (error.code === "unknown_game") await bringBack();
    const view = await post(path("look"), look());
    if (own === turn) await follow(view, { animated: view.ply > game.view.ply });
  } catch (next) {
    if (own === turn) await askAgain(next, own);
  }
}

// Asks about the game; one that the server has dropped is brought back from its record first.
async function there(what, body = {}) {
  try {
    return await post(path(what), { ...body, ...look() });
  } catch (error) {
    if (error.code !== "unknown_game") throw error;
    await bringBack();
    return post(path(what), { ...body, ...look() });
  }
}

// Does something with the game.
async function act(what, body = {}, options = {}) {
  try {
    const view = await there(what, body);
    game.busy = false;
    await follow(view, options);
    return true;
  } catch (error) {
    complain(error);
    if (["illegal_move", "not_your_turn", "over", "nothing_there", "gone_on"].includes(error.code)) {
      settle();
      await catchUp(); // another page may have gone on with the game
    }
    return false;
  }
}

// Shows the game as it stands on the server, where another page of this browser may have gone on with it.
export async function catchUp() {
  if (!game.view || game.busy || game.setup || !game.view.human) return;
  const own = turn;
  try {
    const view = await post(path("look"), look());
    if (own === turn && view.version !== game.view.version) await follow(view);
  } catch {
    // The next thing that is done tells.
  }
}

export async function bringBack() {
  game.view = await post("/api/games", { record: kept.record, ...look() });
  keep({ game: game.view.game });
  toast(say("brought_back"));
}

// ---- what is done ----

export async function begin(body) {
  const view = await post("/api/games", { ...body, ...look() });
  game.busy = false;
  const first = view.seats.indexOf("human");
  if (first >= 0 && view.seats.filter((seat) => seat === "human").length === 1) {
    if (kept.bottom !== "abcd"[first]) {
      keep({ bottom: "abcd"[first] });
      game.view = view;
      return act("look");
    }
  } else if (view.board.sides <= "abcd".indexOf(kept.bottom)) {
    keep({ bottom: "a" });
  }
  await follow(view);
  return true;
}

// What the browser has kept: the game itself, or its record.
export async function resume() {
  if (!kept.game) return false;
  try {
    await follow(await post(`/api/games/${kept.game}/look`, look()));
    return true;
  } catch (error) {
    if (error.code !== "unknown_game" || !kept.record) {
      if (error.code === "no_connection") throw error;
      return false;
    }
  }
  try {
    const view = await post("/api/games", { record: kept.record, ...look() });
    await follow(view);
    toast(say("brought_back"));
    return true;
  } catch (error) {
    if (error.code === "no_connection") throw error;
    return false;
  }
}

export function move(text) {
  if (mode() !== "play") return;
  const from = document.activeElement?.closest?.("#board");
  act("play", { move: text, ply: game.view.ply }, { animated: true });
  forget();
  if (from) $("squares").querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
}

export function change(what, body) {
  player.stop();
  return act(what, body);
}

export const refresh = () => game.view && change("look");

let hinting = null;

export async function hint() {
  if (mode() !== "play" || hinting) return;
  const own = turn;
  $("hint").setAttribute("aria-busy", "true");
  try {
    hinting = there("hint");
    const found = await hinting;
    if (own !== turn) return;
    $("hint-text").textContent = found.text;
    $("hint-text").hidden = false;
    announce(found.text);
    $("board").dispatchEvent(new CustomEvent("hinted", { detail: found.move }));
  } catch (error) {
    complain(error);
  } finally {
    hinting = null;
    $("hint").removeAttribute("aria-busy");
  }
}

export function flip() {
  const sides = game.view.board.sides;
  keep({ bottom: "abcd"[("abcd".indexOf(kept.bottom) + 1) % sides] });
  refresh();
}

// Looks at what a move would do, without making it.
export async function tryMove(rules, position, moveText, picture = null) {
  player.stop();
  const found = await post("/api/steps", { rules, position, move: moveText, first: 0, count: 1, ...look() });
  const view = { ...game.view, rules, last: { move: moveText, before: position }, told: found.sentences };
  player.prepare(view, picture, { tried: true });
  $("table").scrollIntoView({ block: "start", behavior: "auto" });
  await player.toggle();
}

export function leaveTry() {
  if (!game.view) return;
  player.prepare(game.view, game.view.picture);
  player.onSettled(settle);
  settle();
}

$("undo").addEventListener("click", () => change("undo"));
$("redo").addEventListener("click", () => change("redo"));
$("hint").addEventListener("click", hint);
$("flip").addEventListener("click", flip);
$("step-close").addEventListener("click", leaveTry);
