// Setting up a position: by clicks and keys on the board, by the fields beside it, or as text; every fault is told.

import { post } from "./api.js";
import { $, make, say, sideName, complain } from "./words.js";
import { choose, chosenSquare, focusSquare, showBoard } from "./board.js";
import * as player from "./player.js";
import { begin, game, settle } from "./game.js";
import { look } from "./looks.js";

let being = null; // { rules, pebbles, mandarins, stores, debts, turn, ply }
let shown = null; // what the server said of it
let waiting = 0;
let asked = 0;
let edits = 0;

export function enterSetup() {
  if (game.setup || !game.view) return;
  player.mute(true);
  game.setup = true;
  $("steps").hidden = true;
  $("hint-text").hidden = true;
  ask({ rules: game.view.rules, text: game.view.position });
}

export function leaveSetup() {
  if (!game.setup) return;
  game.setup = false;
  clearTimeout(waiting); // what was typed last is of no use any more
  edits += 1;
  being = null;
  choose(null);
  player.mute(false);
  player.prepare(game.view, game.view.picture);
  player.onSettled(settle);
  settle();
}

export const refreshSetup = () => game.setup && being && ask(being);

async function ask(body) {
  const own = (asked += 1);
  const before = edits;
  try {
    const found = await post("/api/setup", { ...body, ...look() });
    if (own === asked && before === edits && game.setup) take(found); // else it is asked again soon
  } catch (error) {
    if (own !== asked) return;
    if (["refused", "notation"].includes(error.code)) faults([error.message]);
    else complain(error);
  }
}

function take(found) {
  shown = found;
  const { rules, pebbles, mandarins, stores, debts, turn, ply } = found;
  being = { rules, pebbles, mandarins, stores, debts, turn, ply };
  showBoard(found.picture, { names: found.names, sides: found.board.sides, legal: [], mode: "setup" });
  if (!chosenSquare() || !found.names.includes(chosenSquare())) choose(found.names[0]);
  else square();
  fields();
}

// Changes are shown a moment later, so that holding a key down does not ask for every number.
function changed(now = false) {
  clearTimeout(waiting);
  edits += 1;
  square();
  waiting = setTimeout(() => ask(being), now ? 0 : 120);
}

function square() {
  const name = chosenSquare();
  if (!being || !name) return;
  $("setup-name").textContent = name;
  if (document.activeElement !== $("setup-pebbles")) $("setup-pebbles").value = being.pebbles[name];
  $("setup-mandarin").checked = being.mandarins[name] > 0;
  $("setup-mandarin-box").hidden = !name.endsWith("m");
}

export function onSetupSquare() {
  square();
}

function setPebbles(count) {
  const name = chosenSquare();
  if (!name || Number.isNaN(count)) return;
  being.pebbles[name] = Math.max(0, Math.min(255, Math.trunc(count)));
  changed();
}

export function addPebbles(count) {
  const name = chosenSquare();
  if (name) setPebbles(being.pebbles[name] + count);
}

export function toggleMandarin() {
  const name = chosenSquare();
  if (!name?.endsWith("m")) return;
  being.mandarins[name] = being.mandarins[name] ? 0 : 1;
  changed(true);
}

let typed = { name: null, at: 0, text: "" };

export function typeDigit(digit) {
  const name = chosenSquare();
  if (!name) return;
  const going = typed.name === name && Date.now() - typed.at < 1200;
  const text = `${going ? typed.text : ""}${digit}`.slice(-3);
  typed = { name, at: Date.now(), text };
  setPebbles(Number(text));
}

// ---- the fields ----

function box(value, label, heed) {
  const input = make("input", { type: "number", min: -9999, max: 9999, inputmode: "numeric", "aria-label": label, value });
  input.addEventListener("input", () => {
    if (input.value === "" || !Number.isFinite(Number(input.value))) return;
    heed(Math.max(-9999, Math.min(9999, Math.trunc(Number(input.value)))));
    changed();
  });
  return input;
}

function sides() {
  return "abcd".slice(0, shown.board.sides).split("");
}

function fields() {
  const inside = document.activeElement;
  const key = JSON.stringify([shown.board.sides, shown.rules]);
  if (!$("setup-stores").contains(inside) || $("setup-stores").dataset.key !== key) stores();
  $("setup-stores").dataset.key = key;
  if (!$("setup-debts").contains(inside)) debts();
  $("setup-turn").replaceChildren(...sides().map((side) => make("option", { value: side }, sideName(side))));
  $("setup-turn").value = being.turn;
  if (inside !== $("setup-ply")) $("setup-ply").value = being.ply;
  if (inside !== $("setup-text") && shown.position) $("setup-text").value = shown.position;
  $("setup-sum").textContent = [
    say("setup_sum", { count: shown.points, total: shown.total }),
    ...(shown.position ? [say("setup_good")] : []),
  ].join(". ");
  faults(shown.faults);
  $("setup-play").disabled = !shown.position;
}

function faults(found) {
  $("setup-faults").replaceChildren(...found.map((fault) => make("li", {}, fault)));
  if (found.length) $("setup-play").disabled = true;
}

function stores() {
  $("setup-stores").replaceChildren(
    ...sides().map((side) => {
      const store = being.stores[side];
      const title = say("store", { side });
      return make(
        "div",
        { class: "line", role: "group", "aria-label": title },
        make("span", {}, title),
        make("label", {}, box(store[0], `${title}: ${say("pebbles")}`, (count) => (being.stores[side][0] = count)), ` ${say("pebbles")}`),
        make("label", {}, box(store[1], `${title}: ${say("mandarins")}`, (count) => (being.stores[side][1] = count)), ` ${say("mandarins")}`),
      );
    }),
  );
}

function debts() {
  const choice = (debt, key, label) => {
    const select = make("select", { "aria-label": label }, ...sides().map((side) => make("option", { value: side }, sideName(side))));
    select.value = debt[key];
    select.addEventListener("change", () => {
      being.debts[debt.place][key] = select.value;
      changed(true);
    });
    return select;
  };
  $("setup-debts").replaceChildren(
    ...being.debts.map((debt, place) => {
      const own = { ...debt, place };
      const remove = make("button", { type: "button", "aria-label": say("debt_remove"), title: say("debt_remove") }, "×");
      remove.addEventListener("click", () => {
        being.debts.splice(place, 1);
        $("setup-debt-add").focus();
        changed(true);
      });
      return make(
        "div",
        { class: "line" },
        choice(own, "debtor", say("debt_of")),
        "→",
        choice(own, "creditor", say("debt_to")),
        box(debt.pebbles, say("pebbles"), (count) => (being.debts[place].pebbles = String(Math.max(0, count)))),
        remove,
      );
    }),
  );
}

export function startSetup() {
  $("setup-less").addEventListener("click", () => addPebbles(-1));
  $("setup-more").addEventListener("click", () => addPebbles(1));
  $("setup-pebbles").addEventListener("input", (event) => {
    if (event.target.value !== "") setPebbles(Number(event.target.value));
  });
  $("setup-mandarin").addEventListener("change", toggleMandarin);
  $("setup-turn").addEventListener("change", (event) => {
    being.turn = event.target.value;
    changed(true);
  });
  $("setup-ply").addEventListener("input", (event) => {
    being.ply = Math.max(0, Math.min(9999, Math.trunc(Number(event.target.value)) || 0));
    changed();
  });
  $("setup-text").addEventListener("change", (event) => ask({ rules: being.rules, text: event.target.value.trim() }));
  $("setup-debt-add").addEventListener("click", () => {
    being.debts.push({ debtor: "a", creditor: "b", pebbles: "1" });
    $("setup-debt-add").blur();
    changed(true);
  });
  $("setup-start").addEventListener("click", async () => {
    try {
      ask({ rules: being.rules, text: (await post("/api/rules", { rules: being.rules })).start });
    } catch (error) {
      complain(error);
    }
  });
  $("setup-empty").addEventListener("click", () => {
    const nothing = (things) => Object.fromEntries(Object.keys(things).map((name) => [name, 0]));
    being = { ...being, pebbles: nothing(being.pebbles), mandarins: nothing(being.mandarins), debts: [] };
    for (const side of sides()) being.stores[side] = [0, 0];
    stores();
    changed(true);
  });
  $("setup-play").addEventListener("click", async () => {
    if (!shown?.position) return;
    const { rules, position } = shown;
    const seats = sides().map((_, place) => game.view.seats[place] || "human");
    try {
      leaveSetup();
      await begin({ rules, position, seats });
      $("tab-game").click();
      focusSquare(game.view.legal[0]?.slice(0, -1) || game.view.board.names[0]);
    } catch (error) {
      complain(error);
    }
  });
}
