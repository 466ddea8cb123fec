// The analysis: who is ahead and by how much, deeper and deeper, with a bar beside the board.

import { Refusal, stream } from "./api.js";
import { $, make, say, number, complain, spoken } from "./words.js";
import { bringBack, game, onGame, tryMove } from "./game.js";
import { keep, kept } from "./store.js";

let running = null;

function leadText(found, lead) {
  const other = { a: "b", b: "a" }[found.side];
  const two = game.view.board.sides === 2;
  const rounded = Math.abs(lead) < 0.05 ? 0 : lead;
  if (!rounded) return say("level_game");
  const digits = Number.isInteger(rounded) ? 0 : 1;
  const count = number(Math.abs(rounded), digits);
  const values = { count: Math.abs(rounded) === 1 ? 1 : count, side: rounded > 0 || !two ? found.side : other };
  return say(rounded < 0 && !two ? "behind" : "lead", values);
}

function signed(lead) {
  const rounded = Math.abs(lead) < 0.05 ? 0 : lead;
  return (rounded > 0 ? "+" : rounded < 0 ? "−" : "") + number(Math.abs(rounded), Number.isInteger(rounded) ? 0 : 1);
}

function show(found) {
  const text = leadText(found, found.lead) + (found.proven ? ` (${say("proven")})` : "");
  $("analysis-text").textContent = `${text}. ${say("analysis_depth", { depth: found.depth, nodes: number(found.nodes) })}`;
  bar(found.side, found.lead, text);
  $("lines").replaceChildren(
    ...found.lines.map((line) =>
      make(
        "li",
        {},
        make("strong", { title: leadText(found, line.lead) }, signed(line.lead)),
        line.proven ? make("small", {}, say("proven")) : "",
        make(
          "button",
          { type: "button", onclick: () => tryMove(game.view.rules, found.position, line.moves[0]).catch(complain) },
          line.moves[0],
        ),
        make("span", { class: "faint" }, line.moves.slice(1).join(" ")),
      ),
    ),
  );
}

// The share of the lower side: half where it is level; ten points are much.
function bar(side, lead, text) {
  const below = kept.bottom === side || (game.view.board.sides > 2 && kept.bottom !== side);
  const share = 0.5 + Math.atan(lead / 12) / Math.PI;
  const element = $("bar");
  element.hidden = false;
  element.dataset.side = side;
  element.dataset.other = game.view.board.sides === 2 ? { a: "b", b: "a" }[side] : "none";
  element.classList.toggle("upside", !below);
  element.style.setProperty("--share", `${(share * 100).toFixed(1)}%`);
  element.setAttribute("aria-label", text);
  $("bar-text").textContent = signed(lead);
}

export function stopAnalysis() {
  running?.abort();
  running = null;
  $("analysis-done").hidden = true;
}

async function analyse() {
  stopAnalysis();
  const { view } = game;
  $("bar").hidden = !kept.analyse || !view || view.over;
  $("lines").replaceChildren();
  $("analysis-text").textContent = "";
  if (!kept.analyse || !view) return;
  if (view.over) {
    $("analysis-text").textContent = say("analysis_over");
    return;
  }
  if (!view.human) return; // the agent thinks
  const own = new AbortController();
  running = own;
  $("analysis-text").textContent = say("analysis_running");
  const done = $("analysis-done");
  done.hidden = false;
  done.value = 0;
  try {
    const asked = () => `/api/games/${game.view.game}/analyse`;
    const each = (found) => {
      if (running !== own) return;
      if (found.error) throw new Refusal(0, found.error);
      if (found.position !== game.view.position) return;
      show(found);
      done.value = found.done;
    };
    try {
      await stream(asked(), { lang: spoken.lang }, own.signal, each);
    } catch (error) {
      if (error.code !== "unknown_game" || running !== own) throw error;
      await bringBack();
      await stream(asked(), { lang: spoken.lang }, own.signal, each);
    }
  } catch (error) {
    if (running === own) {
      if (!$("lines").childElementCount) $("analysis-text").textContent = "";
      complain(error);
    }
  }
  if (running === own) stopAnalysis();
}

export function toggleAnalysis() {
  $("analyse").checked = !$("analyse").checked;
  switched();
}

function switched() {
  keep({ analyse: $("analyse").checked });
  analyse();
}

export function startAnalysis() {
  $("analyse").checked = kept.analyse;
  $("analyse").addEventListener("change", switched);
  onGame(analyse);
  if (game.view) analyse();
}

// What other thinking ended goes on when that is done.
export const resumeAnalysis = () => kept.analyse && analyse();

