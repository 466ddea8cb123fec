//! Building a table: bounds that only ever get tighter, until they do not any more.

use std::sync::atomic::{AtomicBool, AtomicU16};

use oanquan_core::duel::DuelRules;

use super::cells::{self, Cell};
use super::index::Index;
use super::sweep::{Progress, Sweeper, Visit, Work, expand, thread_count};

/// The work of a build: each position gets the bounds that follow from those of the positions it leads to.
pub(crate) struct Build<'a> {
    pub(crate) rules: &'a DuelRules,
    pub(crate) index: &'a Index,
    pub(crate) cells: &'a [AtomicU16],
    /// Called now and then, to save what there is.
    pub(crate) pause: &'a (dyn Fn() + Sync),
}

impl Build<'_> {
    /// Tightens all bounds as far as they go; false if the stop flag was set before.
    pub(crate) fn run(&self, threads: usize, stop: &AtomicBool, progress: &Progress) -> bool {
        Sweeper { index: self.index, threads: thread_count(threads), stop, progress }.run(self)
    }
}

impl Work for Build<'_> {
    #[inline]
    fn is_done(&self, slot: u64) -> bool {
        cells::load(&self.cells[slot as usize]).is_settled()
    }

    #[inline]
    fn visit(&self, slot: u64, board: u128, mandarins: u8) -> Visit {
        let place = &self.cells[slot as usize];
        let Some(expansion) = expand(self.rules, self.index, board, mandarins) else {
            cells::store(place, Cell::NO_POSITION);
            return Visit::Nothing;
        };
        let before = cells::load(place);
        let after = before.tightened(expansion.bounds(|slot| cells::load(&self.cells[slot as usize])));
        if after != before {
            cells::store(place, after);
        }
        Visit::Position(expansion, after != before)
    }

    fn copy(&self, slot: u64, mirrored: u64) {
        cells::store(&self.cells[mirrored as usize], cells::load(&self.cells[slot as usize]));
    }

    fn pause(&self) {
        (self.pause)();
    }
}
