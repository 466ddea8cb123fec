//! In which order moves are tried: the better the first one, the fewer of the others must be looked at.

use oanquan_core::duel::Duel;

use super::limits::MOST_DEPTH;
use super::table::Key;

/// The most actions of a side.
pub(crate) const ACTIONS: usize = 14;

/// A move that was played, to be looked into.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    pub(crate) duel: Duel,
    /// Its key, if it was made.
    pub(crate) key: Option<Key>,
    /// The more, the earlier.
    pub(crate) promise: i32,
    pub(crate) action: u8,
}

/// What earlier cuts tell of a move, where positions at the same ply are alike.
pub(crate) struct Ordering {
    /// For each ply, the last two moves that cut.
    killers: Vec<[u8; 2]>,
    /// For each side and action, how much was cut by it.
    history: [[i32; ACTIONS]; 2],
}

const NOBODY: u8 = 0xF;
/// A killer is tried as if it were worth so many hundredths of a point more.
const KILLER: i32 = 100;
/// The most that history adds, in hundredths of a point.
const MOST_HISTORY: i32 = 256;
const HISTORY_BITS: u32 = 6;

impl Ordering {
    pub(crate) fn new() -> Self {
        Self { killers: vec![[NOBODY; 2]; MOST_DEPTH as usize + 1], history: [[0; ACTIONS]; 2] }
    }

    /// What is added to the worth of a move.
    #[inline]
    pub(crate) fn promise(&self, ply: usize, action: u8) -> i32 {
        let killers = self.killers[ply];
        let killer = i32::from(killers[0] == action || killers[1] == action) * KILLER;
        killer + (self.history[ply & 1][usize::from(action) % ACTIONS] >> HISTORY_BITS)
    }

    /// The move cut at that ply, so far above the leaves.
    #[inline]
    pub(crate) fn cut(&mut self, ply: usize, depth: u32, action: u8) {
        let killers = &mut self.killers[ply];
        if killers[0] != action {
            *killers = [action, killers[0]];
        }
        let entry = &mut self.history[ply & 1][usize::from(action) % ACTIONS];
        *entry += (depth * depth) as i32;
        if *entry >> HISTORY_BITS > MOST_HISTORY {
            self.history.iter_mut().flatten().for_each(|entry| *entry /= 2);
        }
    }
}

/// Brings the most promising of the children from `place` on to that place; of equals the first.
#[inline]
pub(crate) fn bring_best(children: &mut [Child], place: usize) {
    let mut best = place;
    for other in place + 1..children.len() {
        if children[other].promise > children[best].promise {
            best = other;
        }
    }
    children.swap(place, best);
}
