// Showing a move step by step: by itself, or forward and back by hand, with the sentence that tells the step.

import { post } from "./api.js";
import { $, make, say, announce, complain } from "./words.js";
import { showBoard } from "./board.js";
import { kept } from "./store.js";
import { look } from "./looks.js";
import { click } from "./sound.js";

const PAGE = 24;
const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");

let run = null; // the move that is shown: { rules, position, move, frames, steps, sentences, at, timer, done }
let board = null;
let muted = false; // the board shows something else

export function speed() {
  return kept.speed === null ? (STILL.matches ? 0 : 260) : kept.speed;
}

export function mute(on) {
  muted = on;
  if (on) stop();
}

export const isRunning = () => Boolean(run?.timer);
export const isStepping = () => Boolean(run && (run.timer || run.at < run.steps || run.tried));

// Prepares the last move of a game, seen to its end. `picture`: the board after it.
export function prepare(view, picture, { tried = false } = {}) {
  stop();
  board = view.board;
  run = view.last && {
    rules: view.rules,
    position: view.last.before,
    move: view.last.move,
    sentences: view.told,
    steps: view.told.length ? view.told.at(-1).last + 1 : 0,
    frames: [],
    at: 0,
    end: picture,
    tried,
    look: JSON.stringify(look()),
    resume: () => {},
  };
  $("steps").hidden = !run;
  if (!run) return;
  run.at = run.steps;
  $("step-close").hidden = !tried;
  $("told-title").textContent = say(tried ? "tried" : "told", { move: run.move });
  $("step-range").max = run.steps;
  $("told").replaceChildren(
    ...run.sentences.map((told) =>
      make("li", { class: told.stop ? "why" : "" }, make("button", { type: "button", onclick: () => jump(told.last + 1) }, told.text)),
    ),
  );
  draw({ quiet: true });
}

// Shows the move from its beginning; resolves when it has come to its end or was skipped.
export async function playThrough() {
  if (!run || !run.steps) return;
  if (speed() === 0 || muted) {
    announceAll();
    return;
  }
  const own = run;
  try {
    await load(own, 1);
  } catch (error) {
    complain(error);
    return;
  }
  if (run !== own) return;
  run.at = 0;
  await new Promise((resolve) => {
    own.resume = resolve;
    own.goal = null;
    go();
  });
}

export function announceAll() {
  if (run) announce(run.sentences.map((told) => told.text).join(" "));
}

export function skip() {
  if (!run || !run.timer) return false;
  stop();
  run.at = run.steps;
  draw({ quiet: true });
  announceAll();
  finish();
  return true;
}

// The board after the move at once, so that it can be played on.
export function toEnd() {
  if (!run || run.tried || run.at >= run.steps) return;
  stop();
  run.at = run.steps;
  draw({ quiet: true });
}

export function stop() {
  if (run) {
    clearTimeout(run.timer);
    run.timer = null;
    const resume = run.resume;
    run.resume = () => {};
    resume();
  }
  icon();
}

function finish() {
  const resume = run.resume;
  run.resume = () => {};
  resume();
}

function icon() {
  $("step-play").querySelector("use").setAttribute("href", run?.timer ? "#i-pause" : "#i-play");
}

function go() {
  run.timer = setTimeout(tick, run.at === 0 ? speed() : pause());
  icon();
}

// What is worth a look stays longer.
function pause() {
  const kind = run.frames[run.at]?.kind;
  const wait = Math.max(speed(), 80);
  return { lift: 1.5, capture: 3, stop: 4, reseed: 3, borrow: 3, end: 3 }[kind] * wait || wait;
}

async function tick() {
  const own = run;
  try {
    await load(own, own.at + 1);
  } catch (error) {
    complain(error);
    stop();
    return;
  }
  if (run !== own || !own.timer) return;
  own.at = Math.min(own.at + 1, own.steps);
  draw();
  if (own.at < own.steps) {
    go();
  } else {
    own.timer = null;
    icon();
    finish();
  }
}

// The frames up to one and a few more, by pages.
async function load(own, upto) {
  const first = Math.floor(Math.min(upto, own.steps) / PAGE) * PAGE;
  const wanted = [first, upto % PAGE > PAGE / 2 ? first + PAGE : first].filter((page) => page <= own.steps);
  const pages = (own.pages ||= new Map());
  for (const page of wanted) {
    if (pages.has(page)) continue;
    const asked = { rules: own.rules, position: own.position, move: own.move, first: page, count: PAGE, ...look() };
    const came = post("/api/steps", asked).then((found) => {
      found.frames.forEach((frame, place) => (own.frames[page + place] = frame));
    });
    came.catch(() => pages.delete(page));
    pages.set(page, came);
  }
  await pages.get(first);
}

function draw({ quiet = false } = {}) {
  const frame = run.frames[run.at];
  const last = run.at >= run.steps;
  const picture = last && run.end ? run.end : frame?.picture;
  if (picture && !muted) {
    if (last && !run.tried && run.settle) run.settle();
    else showBoard(picture, { ...board, legal: [], mode: "watch" });
  }
  if (!quiet && frame) click(frame.kind);
  $("step-range").value = run.at;
  $("step-count").textContent = `${run.at}/${run.steps}`;
  $("step-back").disabled = $("step-first").disabled = run.at === 0;
  $("step-forward").disabled = $("step-last").disabled = last;
  icon();
  const now = run.sentences.findIndex((told) => run.at - 1 >= told.first && run.at - 1 <= told.last);
  [...$("told").children].forEach((item, place) => {
    const current = place === now;
    if (current && !item.classList.contains("now")) {
      if (!quiet) announce(item.textContent);
      const list = $("told");
      list.scrollTop = Math.max(0, item.offsetTop - list.clientHeight / 2);
    }
    item.classList.toggle("now", current);
    item.classList.toggle("later", place > now);
    item.firstElementChild.toggleAttribute("aria-current", current);
  });
}

async function jump(step) {
  if (!run || muted) return;
  stop();
  const own = run;
  const at = Math.max(0, Math.min(step, own.steps));
  own.goal = at;
  try {
    await load(own, at);
  } catch (error) {
    complain(error);
    return;
  }
  if (run !== own || own.goal !== at) return;
  own.goal = null;
  own.at = at;
  draw();
}

export const back = () => run && jump((run.goal ?? run.at) - 1);
export const forward = () => run && jump((run.goal ?? run.at) + 1);

export async function toggle() {
  if (!run || !run.steps || muted) return;
  if (run.timer) {
    stop();
    return;
  }
  const own = run;
  if (own.at >= own.steps) await jump(0);
  if (run === own && own.at < own.steps) go();
}

// What to do when a move of the game has come to its end: the board may be played on again.
export function onSettled(settle) {
  if (run) run.settle = settle;
}

$("step-first").addEventListener("click", () => jump(0));
$("step-back").addEventListener("click", back);
$("step-play").addEventListener("click", toggle);
$("step-forward").addEventListener("click", forward);
$("step-last").addEventListener("click", () => run && jump(run.steps));
$("step-range").addEventListener("input", () => jump(Number($("step-range").value)));
