// Rules: choosing them by name or one by one, and seeing what they would change on the board as it stands.

import { post } from "./api.js";
import { $, make, say, complain, spoken } from "./words.js";
import { begin, game, onGame, tryMove } from "./game.js";

let chosen = null; // { rules, knobs } as they are chosen
let asked = 0;

export function presetOf(rules) {
  return spoken.table.presets.find((preset) => preset.rules === rules);
}

export function presetOptions(select, rules) {
  const options = spoken.table.presets.map((preset) => make("option", { value: preset.rules }, preset.title));
  if (rules && !presetOf(rules)) options.push(make("option", { value: rules }, say("own_rules")));
  select.replaceChildren(...options);
  select.value = rules || spoken.table.presets[0].rules;
}

export function rulesTitle(rules) {
  return presetOf(rules)?.title || say("own_rules");
}

function knobRow(knob) {
  const id = `knob-${knob.name}`;
  const value = chosen.knobs[knob.name];
  const meaning = knob.values.find((one) => one.value === value)?.meaning || "";
  const select = make(
    "select",
    { id, "aria-describedby": `${id}-is`, onchange: () => set(knob.name, select.value) },
    ...knob.values.map((one) => make("option", { value: one.value }, knob.number ? one.value : one.meaning)),
  );
  select.value = value;
  return make(
    "div",
    { class: knob.number ? "knob number" : "knob" },
    make("label", { for: id, title: knob.meaning }, knob.title),
    select,
    make("p", { class: "faint", id: `${id}-is` }, knob.number ? meaning : knob.meaning),
  );
}

function knobs() {
  const had = document.activeElement?.id;
  $("knobs").replaceChildren(...spoken.table.knobs.map(knobRow));
  if (had?.startsWith("knob-")) $(had)?.focus();
}

async function set(name, value) {
  const pairs = Object.entries({ ...chosen.knobs, [name]: value });
  await choose(pairs.map(([knob, one]) => `${knob}=${one}`).join(","), { [name]: value });
}

async function choose(rules, changed = {}) {
  const own = (asked += 1);
  $("rules-faults").replaceChildren();
  try {
    const found = await post("/api/rules", { rules, lang: spoken.lang });
    if (own !== asked) return;
    chosen = { rules: found.rules, knobs: found.knobs, good: true };
  } catch (error) {
    if (own !== asked) return;
    if (error.code !== "rules") complain(error);
    $("rules-faults").replaceChildren(...error.faults.map((fault) => make("li", {}, fault)));
    chosen = { ...chosen, knobs: { ...chosen.knobs, ...changed }, good: false };
  }
  render();
  if (chosen.good) await compare();
}

function render() {
  presetOptions($("preset"), chosen.rules);
  $("preset-meaning").textContent = presetOf(chosen.rules)?.meaning || "";
  knobs();
  const same = chosen.rules === game.view.rules;
  $("rules-new").disabled = !chosen.good;
  $("rules-go-on").disabled = !chosen.good || same;
  if (!chosen.good) {
    $("rules-words").replaceChildren();
    moves("", []);
  }
}

async function compare() {
  const { view } = game;
  const own = (asked += 1);
  if (chosen.rules === view.rules) {
    $("rules-words").replaceChildren(make("li", {}, say("rules_same")));
    moves("", []);
    return;
  }
  try {
    const found = await post("/api/compare", {
      rules: view.rules,
      position: view.position,
      other: chosen.rules,
      lang: spoken.lang,
    });
    if (own === asked) changes(found);
  } catch (error) {
    complain(error);
  }
}

function changes(found) {
  $("rules-words").replaceChildren(...found.words.map((text) => make("li", {}, text)));
  $("rules-go-on").disabled = !found.fits || game.view.over;
  $("rules-go-on").dataset.position = found.position || "";
  if (!found.fits) {
    moves(say("rules_unfit"), found.faults.map((fault) => make("li", {}, fault)));
    return;
  }
  if (game.view.over) return;
  const other = found.moves.filter((move) => !move.same);
  moves(
    say(other.length ? "moves_differ" : "moves_same", { count: other.length }),
    other.map((move) =>
      make(
        "li",
        {},
        make("b", {}, move.move),
        result("move_now", move.now, game.view.rules, game.view.position, move.move),
        result("move_then", move.then, chosen.rules, found.position, move.move),
      ),
    ),
  );
}

function result(title, what, rules, position, move) {
  const head = `${say(title)}: ${what ? say("gain", { count: what.gain }) : say("move_illegal")}`;
  if (!what) return make("div", {}, head);
  const button = make("button", { type: "button", onclick: () => tryMove(rules, position, move).catch(complain) }, head);
  return make("div", {}, button, " ", make("span", { class: "faint" }, what.text));
}

function moves(title, items) {
  $("rules-moves-title").textContent = title;
  $("rules-moves").replaceChildren(...items);
}

export function startRules() {
  $("preset").addEventListener("change", () => choose($("preset").value));
  $("rules-new").addEventListener("click", () => begin({ rules: chosen.rules, seats: seatsFor() }).catch(complain));
  $("rules-go-on").addEventListener("click", () => {
    const { position } = $("rules-go-on").dataset;
    if (position) begin({ rules: chosen.rules, position, seats: seatsFor() }).catch(complain);
  });
  let before = null;
  onGame((view) => {
    $("rules-name").textContent = rulesTitle(view.rules);
    if (!chosen || before !== view.rules) {
      before = view.rules;
      choose(view.rules);
    } else if (!$("panel-rules").hidden) {
      compare();
    }
  });
}

export const showRules = () => chosen && choose(chosen.rules);

// Those who play now go on, as many as there are sides.
function seatsFor() {
  const sides = Number(chosen.knobs.sides);
  return Array.from({ length: sides }, (_, place) => game.view.seats[place] || "human");
}
