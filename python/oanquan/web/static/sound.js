// Small wooden sounds, made on the spot; silent unless one asks for them.

import { kept } from "./store.js";

let context = null;

const TONES = {
  lift: [300, 0.05, 0.05],
  drop: [640, 0.07, 0.045],
  capture: [220, 0.16, 0.16],
  stop: [150, 0.1, 0.12],
  reseed: [420, 0.08, 0.1],
};

export function click(kind) {
  const tone = TONES[kind];
  if (!kept.sound || !tone) return;
  try {
    context ||= new AudioContext();
    const [pitch, loud, long] = tone;
    const now = context.currentTime;
    const voice = context.createOscillator();
    const gain = context.createGain();
    voice.type = "triangle";
    voice.frequency.setValueAtTime(pitch * (0.94 + Math.random() * 0.12), now);
    voice.frequency.exponentialRampToValueAtTime(pitch * 0.55, now + long);
    gain.gain.setValueAtTime(loud * 2, now);
    gain.gain.exponentialRampToValueAtTime(0.0001, now + long);
    voice.connect(gain).connect(context.destination);
    voice.start(now);
    voice.stop(now + long);
  } catch {
    // No sound then.
  }
}
