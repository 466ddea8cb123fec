//! Endgame tables: proven bounds of every position with few pebbles.
#![doc = include_str!("../../docs/tables.md")]

use std::sync::atomic::AtomicBool;

use oanquan_core::Rules;
use oanquan_core::duel::{Duel, DuelRules, Future};
use oanquan_core::knobs::Shortfall;

use crate::bounds::{Bounds, Probe};

mod build;
mod cells;
mod error;
mod expansion;
mod index;
mod mapped;
mod sweep;

use build::Build;
use cells::{Cells, Damaged};
use index::Index;

pub use error::TableError;
pub use index::MOST_PEBBLES;
pub use sweep::Progress;

/// Proven bounds of the further difference of every position with at most so many pebbles on the board, by given rules.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::tablebase::{Progress, Tablebase};
/// use oanquan_engine::{Bounds, Probe};
/// use std::sync::atomic::AtomicBool;
///
/// let rules = Rules::parse("short-game")?;
/// let table = Tablebase::build(rules, 4, 1, &AtomicBool::new(false), &Progress::default())?;
/// let position = Position::parse("0.0.0.0.1.0q1/2.0.0.0.1.0 30/16q1 - a 60", rules)?;
/// let bounds = table.probe(&table.rules().duel(&position));
/// assert_eq!(bounds, Bounds { lower: 0, upper: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tablebase {
    rules: DuelRules,
    index: Index,
    cells: Cells,
}

impl Tablebase {
    /// Builds a table in memory with so many threads, 0 for all cores; the same table for any number.
    ///
    /// # Errors
    /// [`TableError`]: rules by which a board does not tell what it is worth, more pebbles than can be numbered, no memory,
    /// or [`TableError::Stopped`] once `stop` is set.
    pub fn build(
        rules: Rules,
        pebbles: u32,
        threads: usize,
        stop: &AtomicBool,
        progress: &Progress,
    ) -> Result<Self, TableError> {
        let (rules, index) = numbered(rules, pebbles)?;
        let cells = Cells::open(index.slots()).ok_or(TableError::Memory { bytes: 2 * index.slots() })?;
        if let Cells::Built(cells) = &cells {
            let build = Build { rules: &rules, index: &index, cells, pause: &|| () };
            if !build.run(threads, stop, progress) {
                return Err(TableError::Stopped);
            }
        }
        Ok(Self { rules, index, cells })
    }

    /// The rules.
    pub fn rules(&self) -> &DuelRules {
        &self.rules
    }

    /// The most pebbles on a board of the table.
    pub fn pebbles(&self) -> u32 {
        self.index.pebbles()
    }

    /// How many positions the table has.
    pub fn positions(&self) -> u64 {
        (0..4).map(|mandarins| self.index.positions(mandarins)).sum()
    }

    /// The slot of a position that the table speaks of.
    #[inline]
    fn slot(&self, duel: &Duel) -> Option<u64> {
        if duel.is_over() || duel.ban() > 0 {
            return None;
        }
        let slot = self.index.slot(duel.pebbles(), duel.mandarins())?;
        // As long as the board has at most the pebbles of the table, a re-seeding can then be paid for.
        let funds = duel.funds().iter().fold(0_i32, |sum, &funds| sum.saturating_add(funds.max(0)));
        let all = i64::from(index::total(duel.pebbles())) + i64::from(funds);
        let is_paid = all >= i64::from(self.pebbles()) || self.rules.rules().shortfall == Shortfall::Owe;
        is_paid.then_some(slot)
    }

    /// What the table says of a position; an error if that part of its file is not what was written.
    #[inline]
    fn look_up(&self, duel: &Duel) -> Result<Bounds, Damaged> {
        match self.slot(duel) {
            Some(slot) => self.cells.get(slot).map(cells::Cell::bounds),
            None => Ok(Bounds::NONE),
        }
    }
}

/// What is damaged is not known.
impl Probe for Tablebase {
    #[inline]
    fn probe(&self, duel: &Duel) -> Bounds {
        self.look_up(duel).unwrap_or(Bounds::NONE)
    }
}

/// The rules and the numbering of a table.
fn numbered(rules: Rules, pebbles: u32) -> Result<(DuelRules, Index), TableError> {
    let duels = DuelRules::new(rules).filter(|duels| duels.future() == Future::Board);
    let duels = duels.ok_or_else(|| TableError::Rules(Box::new(rules)))?;
    let index = Index::new(&duels, pebbles).ok_or(TableError::Pebbles { given: pebbles })?;
    Ok((duels, index))
}
