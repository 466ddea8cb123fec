// The record: its moves to go through, copying and saving it, and opening others; a link to the position.

import { post } from "./api.js";
import { $, make, say, toast, complain, spoken } from "./words.js";
import { begin, change, game, onGame } from "./game.js";

const MOST = 1024 * 1024;

onGame((view) => {
  const list = $("moves");
  const shift = "abcd".indexOf(view.first) > 0 ? 1 : 0;
  list.start = 1;
  list.replaceChildren(
    ...(view.moves.length
      ? view.moves.map((move, place) =>
          make(
            "li",
            { class: place >= view.ply ? "later" : "" },
            make("button", { type: "button", "aria-current": place + 1 === view.ply ? "true" : null, onclick: () => goto(place + 1) }, move),
          ),
        )
      : [make("li", { class: "none" }, say("no_moves"))]),
  );
  list.dataset.shift = shift;
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = Math.max(0, current.offsetTop - list.clientHeight / 2);
  $("ply-count").textContent = `${view.ply}/${view.moves.length}`;
  $("ply-first").disabled = $("ply-back").disabled = view.ply === 0;
  $("ply-last").disabled = $("ply-forward").disabled = view.ply === view.moves.length;
});

export function goto(ply) {
  const { view } = game;
  if (view && ply >= 0 && ply <= view.moves.length && ply !== view.ply) change("goto", { ply });
}

$("ply-first").addEventListener("click", () => goto(0));
$("ply-back").addEventListener("click", () => goto(game.view.ply - 1));
$("ply-forward").addEventListener("click", () => goto(game.view.ply + 1));
$("ply-last").addEventListener("click", () => goto(game.view.moves.length));

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { class: "hidden-text", readonly: true }, text); // not allowed, or no secure context
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast(say("copied"));
}

$("record-copy").addEventListener("click", () => copy(game.view.record));

$("record-save").addEventListener("click", () => {
  const address = URL.createObjectURL(new Blob([game.view.record], { type: "text/plain" }));
  const link = make("a", { href: address, download: "o-an-quan.txt" });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
});

export function linkTo(rules, position) {
  const parts = new URLSearchParams({ rules, position });
  return `${location.origin}${location.pathname}#${parts}`;
}

$("link-copy").addEventListener("click", () => copy(linkTo(game.view.rules, game.view.position)));

// ---- opening ----

let opened = "";

async function open(text) {
  $("record-choice").hidden = true;
  if (text.length > MOST) {
    toast(say("too_large"));
    return;
  }
  try {
    const found = await post("/api/records", { text, lang: spoken.lang });
    if (found.count > 1) {
      opened = text;
      choice(found);
      return;
    }
    if (found.count) await load(text, 1);
    else toast(say("no_record"));
  } catch (error) {
    complain(error);
  }
}

function choice(found) {
  $("record-several").textContent = say("record_several", { count: found.count });
  $("record-games").replaceChildren(
    ...found.games.map((one) => make("option", { value: one.number }, say("record_game", { ...one, count: one.plies }))),
  );
  $("record-choice").hidden = false;
  $("record-games").focus();
}

async function load(text, number) {
  await begin({ record: text, number });
  $("record-choice").hidden = true;
  $("record-text").value = "";
  toast(say("loaded"));
}

$("record-load").addEventListener("click", () => open($("record-text").value));
$("record-choose").addEventListener("click", () => load(opened, Number($("record-games").value)).catch(complain));
$("record-file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  if (file.size > MOST) toast(say("too_large"));
  else await open(await file.text());
});
