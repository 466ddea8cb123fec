// The page: starts everything, and listens to tabs, dialogs and keys.

import { $, make, say, sideName, speak, spoken, complain, toast } from "./words.js";
import { choose, focusSquare, forget, onBoard, ownSquare, sow, unchoose } from "./board.js";
import * as player from "./player.js";
import * as play from "./game.js";
import { goto } from "./record.js";
import { resumeAnalysis, startAnalysis, toggleAnalysis } from "./analysis.js";
import { presetOf, presetOptions, rulesTitle, showRules, startRules } from "./rules.js";
import * as setup from "./setup.js";
import { keep, kept } from "./store.js";
import { onSystemTheme, paint, theme } from "./looks.js";

// ---- who plays ----

function seatSelect(id, value) {
  const select = make(
    "select",
    { id },
    make("option", { value: "human" }, say("human")),
    ...spoken.table.levels.map((level) => make("option", { value: level.name }, level.title)),
  );
  select.value = value;
  return select;
}

function seatRows(box, prefix, seats, changed) {
  box.replaceChildren(
    ...seats.map((seat, place) => {
      const select = seatSelect(`${prefix}-${place}`, seat);
      if (changed) select.addEventListener("change", changed);
      return make("label", { class: `line side-${"abcd"[place]}` }, make("span", { class: "badge" }, "abcd"[place]), sideName("abcd"[place]), select);
    }),
  );
}

const seatsIn = (box) => [...box.querySelectorAll("select")].map((select) => select.value);

play.onGame((view) => {
  seatRows($("seats"), "seat", view.seats, () => play.change("seats", { seats: seatsIn($("seats")) }));
});

// ---- a new game ----

function newGame() {
  const view = play.game.view;
  presetOptions($("new-preset"), kept.rules || view?.rules);
  fillNew(kept.seats || view?.seats || ["human", "easy"]);
  $("new-dialog").showModal();
}

function fillNew(seats) {
  const preset = presetOf($("new-preset").value);
  $("new-meaning").textContent = preset?.meaning || "";
  const sides = preset ? Number(preset.knobs.sides) : play.game.view?.board.sides || 2;
  seatRows($("new-seats"), "new-seat", Array.from({ length: sides }, (_, place) => seats[place] || seats.at(-1) || "human"));
}

$("new").addEventListener("click", newGame);
$("new-preset").addEventListener("change", () => fillNew(seatsIn($("new-seats"))));
$("new-dialog").addEventListener("close", async () => {
  if ($("new-dialog").returnValue !== "start") return;
  const rules = $("new-preset").value;
  const seats = seatsIn($("new-seats"));
  keep({ rules, seats });
  try {
    if (play.game.setup) tab("game");
    await play.begin({ rules, seats });
  } catch (error) {
    complain(error);
  }
});

// ---- tabs ----

const TABS = ["game", "record", "analysis", "rules", "setup"];

function tab(name, { focus = false } = {}) {
  for (const one of TABS) {
    const button = $(`tab-${one}`);
    button.setAttribute("aria-selected", String(one === name));
    button.tabIndex = one === name ? 0 : -1;
    $(`panel-${one}`).hidden = one !== name;
    if (one === name && focus) button.focus();
  }
  if (name === "setup") setup.enterSetup();
  else setup.leaveSetup();
  if (name === "rules") showRules();
  keep({ tab: name === "setup" ? "game" : name });
}

for (const name of TABS) $(`tab-${name}`).addEventListener("click", () => tab(name));
$("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const place = TABS.findIndex((name) => $(`tab-${name}`) === document.activeElement);
  tab(TABS[(place + step + TABS.length) % TABS.length], { focus: true });
});

// ---- looks ----

async function say_all(lang) {
  await speak(lang);
  document.title = "Ô ăn quan";
  shortcuts();
  if (play.game.view) {
    $("rules-name").textContent = rulesTitle(play.game.view.rules);
    await play.refresh();
    showRules();
  }
  setup.refreshSetup();
}

$("language").addEventListener("click", () => {
  const lang = spoken.lang === "vi" ? "en" : "vi";
  keep({ lang });
  say_all(lang).catch(complain);
});

function repaint() {
  paint();
  play.refresh();
  setup.refreshSetup();
}

$("theme").addEventListener("click", () => {
  keep({ theme: theme() === "dark" ? "wood" : "dark" });
  repaint();
});
onSystemTheme(repaint);

function sounds() {
  $("sound").querySelector("use").setAttribute("href", kept.sound ? "#i-sound" : "#i-silent");
  $("sound").setAttribute("aria-pressed", String(kept.sound));
}

$("sound").addEventListener("click", () => {
  keep({ sound: !kept.sound });
  sounds();
});

$("speed").addEventListener("change", () => keep({ speed: Number($("speed").value) }));
$("numbers").addEventListener("change", () => {
  keep({ numbers: $("numbers").checked });
  repaint();
});
$("autoturn").addEventListener("change", () => {
  keep({ autoturn: $("autoturn").checked });
  play.refresh();
});

// ---- keys ----

const KEYS = [
  ["← → ↑ ↓", "key_arrows"],
  ["Enter", "key_enter"],
  ["+ −", "key_plus"],
  ["1 … 7", "key_digits"],
  ["Esc", "key_escape"],
  ["P", "key_space"],
  ["[ ]", "key_step"],
  ["U R", "key_undo"],
  ["H", "key_hint"],
  ["N", "key_new"],
  ["F", "key_flip"],
  ["A", "key_analyse"],
  ["?", "key_help"],
];

function shortcuts() {
  $("shortcuts").replaceChildren(
    ...KEYS.flatMap(([keys, text]) => [make("dt", {}, ...keys.split(" ").map((key) => make("kbd", {}, key))), make("dd", {}, say(text))]),
  );
}

const ACTIONS = {
  "+": () => sow("+"),
  "=": () => sow("+"),
  "-": () => sow("-"),
  "−": () => sow("-"),
  p: player.toggle,
  "[": player.back,
  "]": player.forward,
  u: () => !$("undo").disabled && play.change("undo"),
  r: () => !$("redo").disabled && play.change("redo"),
  h: play.hint,
  n: newGame,
  f: play.flip,
  a: toggleAnalysis,
  "?": () => $("help-dialog").showModal(),
  "<": () => goto(play.game.view.ply - 1),
  ">": () => goto(play.game.view.ply + 1),
};
const SETUP = { "+": () => setup.addPebbles(1), "=": () => setup.addPebbles(1), "-": () => setup.addPebbles(-1), m: setup.toggleMandarin };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
  if (event.target.closest("input, select, textarea, dialog[open]")) return;
  if (event.key === "Escape") {
    if (!unchoose() && !player.skip()) play.leaveTry();
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (/^[0-9]$/.test(key)) {
    if (play.game.setup) setup.typeDigit(key);
    else pick(key);
    event.preventDefault();
    return;
  }
  const action = (play.game.setup && SETUP[key]) || ACTIONS[key];
  if (!action || (play.game.setup && "ur<>[]".includes(key))) return;
  event.preventDefault();
  action();
});

function pick(digit) {
  player.toEnd();
  const name = ownSquare(digit);
  if (!name) return;
  focusSquare(name);
  choose(name, { focus: true });
}

$("help").addEventListener("click", () => $("help-dialog").showModal());

// ---- start ----

onBoard({
  move: play.move,
  square: setup.onSetupSquare,
  // A click while a move is shown brings its end; one while stepping, too, and chooses.
  busy: () => {
    if (player.isRunning()) return player.skip();
    player.toEnd();
    return false;
  },
});
$("board").addEventListener("hinted", (event) => {
  const move = event.detail;
  forget();
  choose(move.slice(0, -1));
  $("ways").querySelector(`[data-move="${move}"]`)?.classList.add("hinted");
  resumeAnalysis();
});

async function fromLink() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (!parts.has("position")) return false;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    await play.begin({ rules: parts.get("rules") || "mancala-world", position: parts.get("position") });
    return true;
  } catch (error) {
    if (error.code === "no_connection") throw error;
    toast(say("bad_link"));
    return false;
  }
}

async function start() {
  paint();
  await speak(kept.lang || document.documentElement.lang);
  shortcuts();
  sounds();
  $("speed").value = String(player.speed());
  $("numbers").checked = kept.numbers;
  $("autoturn").checked = kept.autoturn;
  startRules();
  setup.startSetup();
  startAnalysis();
  tab(TABS.includes(kept.tab) ? kept.tab : "game");
  if (!(await fromLink()) && !(await play.resume())) {
    await play.begin({ rules: kept.rules || "mancala-world", seats: kept.seats || ["human", "easy"] });
  }
  document.body.dataset.ready = "true";
}

document.addEventListener("visibilitychange", () => !document.hidden && play.catchUp());
window.addEventListener("focus", play.catchUp);
window.addEventListener("hashchange", () => fromLink().catch(complain));
start().catch(complain);
