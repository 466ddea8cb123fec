//! What the moves of a position lead to, and what follows from it for the bounds of the position.

use oanquan_core::MAX_SQUARES;
use oanquan_core::duel::DuelRules;

use super::cells::Cell;
use super::index::Index;
use super::levels::{Levels, MOST_LEVELS};

/// Below every value.
const LOWEST: i32 = -1_000_000;
/// Above every value.
const HIGHEST: i32 = 1_000_000;

/// The moves of a position, by where they lead.
#[derive(Clone, Copy)]
pub(crate) struct Expansion {
    /// The best that a move gets which ends the game.
    ended: Option<i32>,
    /// Whether a move leads to more pebbles than the table has.
    escapes: bool,
    /// For each move that leads to a slot, what it gains.
    gains: [i16; 2 * MAX_SQUARES],
    /// For each of them, by how many levels it changes the funds of the mover and those of the other side.
    changes: [[i8; 2]; 2 * MAX_SQUARES],
    /// The slots that moves lead to.
    slots: [u64; 2 * MAX_SQUARES],
    count: usize,
}

impl Expansion {
    /// Plays every move of the board with these mandarins, which must be a position with a decision.
    #[inline]
    pub(crate) fn new(rules: &DuelRules, index: &Index, pebbles: u128, mandarins: u8) -> Self {
        let duel = rules.board(pebbles, mandarins);
        let (gains, changes, slots) = ([0; 2 * MAX_SQUARES], [[0; 2]; 2 * MAX_SQUARES], [0; 2 * MAX_SQUARES]);
        let mut expansion = Self { ended: None, escapes: false, gains, changes, slots, count: 0 };
        let (levels, before) = (index.levels(), duel.funds());
        let mut mask = rules.legal_mask(&duel);
        while mask != 0 {
            let mut child = duel;
            rules.play(&mut child, mask.trailing_zeros() as u8);
            mask &= mask - 1;
            if child.is_over() {
                let gained = -rules.final_margin(&child);
                expansion.ended = Some(expansion.ended.map_or(gained, |best| best.max(gained)));
            } else if let Some(slot) = index.slot(child.pebbles(), child.mandarins()) {
                let [other, mover] = child.funds();
                expansion.gains[expansion.count] = -child.margin() as i16;
                expansion.changes[expansion.count] =
                    [mover - before[0], other - before[1]].map(|change| levels.change(change));
                expansion.slots[expansion.count] = slot;
                expansion.count += 1;
            } else {
                expansion.escapes = true;
            }
        }
        expansion
    }

    /// The slots that moves lead to.
    #[inline]
    pub(crate) fn slots(&self) -> &[u64] {
        &self.slots[..self.count]
    }

    /// The bounds, at each level, that follow from the bounds of what the moves lead to: the side to move can have what the
    /// best of them leaves it at least, and cannot have more than the best of them leaves it at most. A bound of a level
    /// holds if who proves it has funds of that level: the side to move for the lower bound, the other for the upper one.
    /// What the opponent of that side has to pay does not matter: if it cannot, it has lost.
    #[inline]
    pub(crate) fn bounds(&self, levels: Levels, cell: impl Fn(u64, usize) -> Cell) -> [Cell; MOST_LEVELS] {
        let mut bounds = [Cell::OPEN; MOST_LEVELS];
        for level in 0..levels.count() {
            let found = self.bounds_at(levels, level, &cell);
            // More funds prove what less do. It follows from what the moves lead to as well, unless that is being changed.
            bounds[level] = if level > 0 { found.tightened(bounds[level - 1]) } else { found };
        }
        bounds
    }

    #[inline]
    fn bounds_at(&self, levels: Levels, level: usize, cell: impl Fn(u64, usize) -> Cell) -> Cell {
        let mut lower = self.ended.unwrap_or(LOWEST);
        let mut upper = if self.escapes { HIGHEST } else { lower };
        for ((&slot, &gain), &[own, other]) in self.slots().iter().zip(&self.gains).zip(&self.changes) {
            let gain = i32::from(gain);
            let most = levels.after(level, own).and_then(|level| cell(slot, level).upper());
            let least = levels.after(level, other).and_then(|level| cell(slot, level).lower());
            lower = lower.max(most.map_or(LOWEST, |most| gain - most));
            upper = upper.max(least.map_or(HIGHEST, |least| gain - least));
        }
        Cell::new(lower, upper)
    }
}
