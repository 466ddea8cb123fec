// What the browser keeps, so that a reload loses nothing: the game's name and record, and how one likes to see things.

const KEY = "oanquan";

const likes = {
  lang: null,
  theme: null, // "wood" or "dark"; null: as the system has it
  speed: null,
  numbers: true,
  autoturn: false,
  sound: false,
  bottom: "a",
  analyse: false,
  tab: "game",
  rules: null, // of the last new game
  seats: null,
};

export const kept = { game: null, record: null, ...likes };

try {
  const found = JSON.parse(localStorage.getItem(KEY) || "{}");
  for (const name of Object.keys(kept)) if (name in found) kept[name] = found[name];
} catch {
  // Nothing is kept then.
}

export function keep(changes) {
  Object.assign(kept, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // The browser keeps nothing: the page works all the same.
  }
}
