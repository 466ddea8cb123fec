//! Building a table: bounds that only ever get tighter, until they do not any more.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::time::{Duration, Instant};

use oanquan_core::duel::DuelRules;

use super::TableError;
use super::cells::{self, Cell};
use super::file::{self, State};
use super::index::Index;
use super::sweep::{Progress, Sweeper, Visit, Work, expand, thread_count};

/// The work of a build: each position gets the bounds that follow from those of the positions it leads to.
pub(crate) struct Build<'a> {
    pub(crate) rules: &'a DuelRules,
    pub(crate) index: &'a Index,
    pub(crate) cells: &'a [AtomicU16],
    /// Where what there is gets saved now and then.
    pub(crate) checkpoints: Option<&'a Checkpoints<'a>>,
}

impl Build<'_> {
    #[inline]
    fn cell(&self, slot: u64, level: usize) -> &AtomicU16 {
        &self.cells[self.index.cell(slot, level) as usize]
    }

    /// Tightens all bounds as far as they go.
    pub(crate) fn run(&self, threads: usize, stop: &AtomicBool, progress: &Progress) -> Result<(), TableError> {
        let ended = Sweeper { index: self.index, threads: thread_count(threads), stop, progress }.run(self);
        if let Some(error) = self.checkpoints.and_then(Checkpoints::error) {
            return Err(error);
        }
        if ended { Ok(()) } else { Err(TableError::Stopped) }
    }

    /// Goes on from a checkpoint.
    pub(crate) fn resume(&self, path: &Path, stop: &AtomicBool, progress: &Progress) -> Result<(), TableError> {
        let weights: Vec<_> = self.index.classes().map(|(mandarins, _)| self.index.weight(mandarins)).collect();
        let mut settled = 0;
        let levels = self.index.levels().count() as u64;
        file::read_checkpoint(path, self.rules, self.index, stop, |place, cell| {
            cells::store(&self.cells[place as usize], cell);
            let slot = place / levels;
            if place == self.index.cell(slot, 0) && cell.is_settled() && cell != Cell::NO_POSITION {
                settled += weights[(slot / self.index.boards()) as usize];
            }
        })?;
        progress.settled.store(settled, Ordering::Relaxed);
        Ok(())
    }
}

impl Work for Build<'_> {
    #[inline]
    fn is_done(&self, slot: u64) -> bool {
        // No level is looser than the first.
        cells::load(self.cell(slot, 0)).is_settled()
    }

    #[inline]
    fn visit(&self, slot: u64, board: u128, mandarins: u8) -> Visit {
        let levels = self.index.levels();
        let Some(expansion) = expand(self.rules, self.index, board, mandarins) else {
            (0..levels.count()).for_each(|level| cells::store(self.cell(slot, level), Cell::NO_POSITION));
            return Visit::Nothing;
        };
        let bounds = expansion.bounds(levels, |slot, level| cells::load(self.cell(slot, level)));
        let mut changed = false;
        // The first level last: once it is settled, nobody looks at the others again.
        for (level, bounds) in bounds.into_iter().enumerate().take(levels.count()).rev() {
            changed |= cells::tighten(self.cell(slot, level), bounds);
        }
        Visit::Position(expansion, changed)
    }

    fn copy(&self, slot: u64, mirrored: u64) {
        for level in (0..self.index.levels().count()).rev() {
            cells::store(self.cell(mirrored, level), cells::load(self.cell(slot, level)));
        }
    }

    fn pause(&self) -> bool {
        self.checkpoints.is_none_or(|checkpoints| {
            checkpoints.save_if_due(|path| {
                let cell = |place| cells::load(&self.cells[place as usize]);
                file::write(path, State::Checkpoint, (self.rules, self.index), checkpoints.stop, cell)
            })
        })
    }
}

/// When a build saves what it has come to, and where.
pub(crate) struct Checkpoints<'a> {
    stop: &'a AtomicBool,
    path: PathBuf,
    every: Duration,
    saved: Mutex<Saved>,
}

struct Saved {
    due: Instant,
    error: Option<TableError>,
}

/// A build spends at most about this part of one thread on checkpoints.
const SHARE: u32 = 20;

impl<'a> Checkpoints<'a> {
    pub(crate) fn new(path: PathBuf, every: Duration, stop: &'a AtomicBool) -> Self {
        Self { stop, path, every, saved: Mutex::new(Saved { due: Instant::now() + every, error: None }) }
    }

    /// Saves if it is time to, in the thread that finds so, while the others go on: what they write meanwhile is true
    /// whether it gets into the file or not. Whether all went well so far.
    fn save_if_due(&self, save: impl FnOnce(&Path) -> Result<(), TableError>) -> bool {
        // Who holds it is writing.
        let Ok(mut saved) = self.saved.try_lock() else { return true };
        let begun = Instant::now();
        if saved.error.is_none() && begun >= saved.due {
            saved.error = save(&self.path).err();
            saved.due = Instant::now() + self.every.max(begun.elapsed() * SHARE);
        }
        saved.error.is_none()
    }

    fn error(&self) -> Option<TableError> {
        self.saved.lock().ok().and_then(|mut saved| saved.error.take())
    }
}
