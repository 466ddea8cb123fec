//! Endgame tables: proven bounds of every position with few pebbles.
#![doc = include_str!("../../docs/tables.md")]

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use oanquan_core::Rules;
use oanquan_core::duel::{Duel, DuelRules, Future};
use oanquan_core::knobs::Shortfall;

use crate::bounds::{Bounds, Probe};

mod build;
mod cells;
mod error;
mod expansion;
mod file;
mod index;
mod levels;
mod mapped;
mod serves;
mod sweep;
mod verify;

use build::{Build, Checkpoints};
use cells::{Cell, Cells, Damaged};
use file::State;
use index::Index;

pub use error::TableError;
pub use index::MOST_PEBBLES;
pub use sweep::Progress;
pub use verify::{TableFault, Verified};

/// Proven bounds of the further difference of every position with at most so many pebbles on the board, by given rules and
/// all others that it [serves](Self::serves).
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::tablebase::{Progress, Tablebase};
/// use oanquan_engine::{Bounds, Probe};
/// use std::sync::atomic::AtomicBool;
///
/// let rules = Rules::parse("short-game")?;
/// let table = Tablebase::build(rules, 4, 1, &AtomicBool::new(false), &Progress::default())?;
/// let position = Position::parse("0.0.1.0.0.0q1/0.0.0.0.1.0 25/23q1 - a 60", rules)?;
/// let bounds = table.probe(&table.rules().duel(&position));
/// assert_eq!(bounds, Bounds { lower: 10, upper: 10 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tablebase {
    rules: DuelRules,
    index: Index,
    cells: Cells,
    checksum: Option<u32>,
}

impl Tablebase {
    /// Builds a table in memory with so many threads, 0 for all cores; the same table for any number.
    ///
    /// # Errors
    /// [`TableError`]: rules by which neither a board nor levels of funds tell what it is worth, more pebbles than can be
    /// numbered, no memory, or [`TableError::Stopped`] once `stop` is set.
    pub fn build(
        rules: Rules,
        pebbles: u32,
        threads: usize,
        stop: &AtomicBool,
        progress: &Progress,
    ) -> Result<Self, TableError> {
        let (rules, index) = numbered(rules, pebbles)?;
        let cells = cells::filled(index.cells(), Cell::OPEN, stop)?;
        Build { rules: &rules, index: &index, cells: &cells, checkpoints: None }.run(threads, stop, progress)?;
        Ok(Self { rules, index, cells: Cells::Built(cells), checksum: None })
    }

    /// Builds a table as [`build`](Self::build) does, into a file, and opens it. What it has come to is saved beside the file
    /// about every `save_every`, under the file's name with `.checkpoint` added: a build that was killed or stopped goes on
    /// from there when it is called again. A file that has that table already is opened as it is.
    ///
    /// ```
    /// use oanquan_core::Rules;
    /// use oanquan_engine::tablebase::{Progress, Tablebase};
    /// use std::sync::atomic::AtomicBool;
    /// use std::time::Duration;
    ///
    /// let path = std::env::temp_dir().join(format!("oanquan-example-{}.table", std::process::id()));
    /// let minute = Duration::from_secs(60);
    /// let (stop, progress) = (AtomicBool::new(false), Progress::default());
    /// let table = Tablebase::build_file(&path, Rules::default(), 3, 1, minute, &stop, &progress)?;
    /// assert_eq!(table.positions(), 1110);
    /// # drop(table);
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), oanquan_engine::tablebase::TableError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`build`](Self::build), [`TableError::Io`], and [`TableError::File`] if there is a file of that name, or a
    /// checkpoint, which is not of that table.
    pub fn build_file(
        path: &Path,
        rules: Rules,
        pebbles: u32,
        threads: usize,
        save_every: Duration,
        stop: &AtomicBool,
        progress: &Progress,
    ) -> Result<Self, TableError> {
        let (rules, index) = numbered(rules, pebbles)?;
        if fs::exists(path)? {
            let there = Self::open(path)?;
            return if there.rules == rules && there.pebbles() == pebbles {
                Ok(there)
            } else {
                Err(there.instead_of(&rules, pebbles))
            };
        }
        if fs::symlink_metadata(path).is_ok() {
            // Renamed into its place, the table would not be where the link leads, and the link would be gone.
            return Err(TableError::File {
                expected: "a table or no file".into(),
                given: "a link that leads nowhere".into(),
            });
        }
        let mut saved = path.as_os_str().to_owned();
        saved.push(".checkpoint");
        let checkpoints = Checkpoints::new(saved.clone().into(), save_every, stop);
        let cells = cells::filled(index.cells(), Cell::OPEN, stop)?;
        let build = Build { rules: &rules, index: &index, cells: &cells, checkpoints: Some(&checkpoints) };
        if fs::exists(&saved)? {
            build.resume(saved.as_ref(), stop, progress).map_err(|error| error.within(saved.as_ref()))?;
        }
        build.run(threads, stop, progress)?;
        let cell = |place| cells::load(&cells[place as usize]);
        file::write(path, State::Finished, (&rules, &index), stop, cell)?;
        if fs::exists(&saved)? {
            fs::remove_file(&saved)?;
        }
        Self::open(path)
    }

    /// Opens the file of a table. It is mapped into memory, and each part of it is held against its checksum when it is
    /// first probed; a part that was changed answers nothing.
    ///
    /// Nobody may write into the file or cut it while the table is open: what is read then is not defined, and where the file
    /// was cut the system ends the process (`SIGBUS`). `build_file` never does; it writes under another name.
    ///
    /// # Errors
    /// [`TableError::Io`], or [`TableError::File`] for what is no finished table of this version.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let (rules, index, cells, checksum) = file::open(path)?;
        Ok(Self { rules, index, cells, checksum: Some(checksum) })
    }

    /// Writes the table to a file, which is there in the end with all of it, or not at all; one that was there is replaced.
    ///
    /// # Errors
    /// [`TableError::Io`], or [`TableError::File`] if the file of this table is not what was written.
    pub fn write(&self, path: &Path) -> Result<(), TableError> {
        let stop = AtomicBool::new(false);
        self.check_blocks(&stop)?;
        let cell = |place| self.cells.get(place).unwrap_or(Cell::OPEN);
        file::write(path, State::Finished, (&self.rules, &self.index), &stop, cell)
    }

    /// The rules.
    pub fn rules(&self) -> &DuelRules {
        &self.rules
    }

    /// The most pebbles on a board of the table.
    pub fn pebbles(&self) -> u32 {
        self.index.pebbles()
    }

    /// The checksum in the header of the file, which tells the whole table from others; none of a table that was built in
    /// memory.
    ///
    /// ```
    /// use oanquan_core::Rules;
    /// use oanquan_engine::tablebase::{Progress, Tablebase};
    /// use std::sync::atomic::AtomicBool;
    ///
    /// let table = Tablebase::build(Rules::default(), 2, 1, &AtomicBool::new(false), &Progress::default())?;
    /// assert_eq!(table.checksum(), None);
    /// let path = std::env::temp_dir().join(format!("oanquan-checksum-{}.table", std::process::id()));
    /// table.write(&path)?;
    /// assert!(Tablebase::open(&path)?.checksum().is_some());
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), oanquan_engine::tablebase::TableError>(())
    /// ```
    pub fn checksum(&self) -> Option<u32> {
        self.checksum
    }

    /// How many positions the table has.
    pub fn positions(&self) -> u64 {
        self.index.all_positions()
    }

    /// How many positions the table of these rules up to so many pebbles has.
    ///
    /// ```
    /// use oanquan_core::Rules;
    /// use oanquan_engine::Tablebase;
    /// assert_eq!(Tablebase::positions_of(Rules::default(), 16)?, 115_415_006);
    /// # Ok::<(), oanquan_engine::tablebase::TableError>(())
    /// ```
    ///
    /// # Errors
    /// [`TableError::Rules`] or [`TableError::Pebbles`] if there is no such table.
    pub fn positions_of(rules: Rules, pebbles: u32) -> Result<u64, TableError> {
        numbered(rules, pebbles).map(|(_, index)| index.all_positions())
    }

    /// The slot of a position that the table speaks of.
    #[inline]
    fn slot(&self, duel: &Duel) -> Option<u64> {
        if duel.is_over() || duel.ban() > 0 {
            return None;
        }
        let slot = self.index.slot(duel.pebbles(), duel.mandarins())?;
        // As long as the board has at most the pebbles of the table, a re-seeding can then be paid for. Under `loses` the
        // bounds themselves ask for what they need.
        let funds = duel.funds().iter().fold(0_i32, |sum, &funds| sum.saturating_add(funds.max(0)));
        let all = i64::from(index::total(duel.pebbles())) + i64::from(funds);
        let is_paid = all >= i64::from(self.pebbles()) || self.rules.rules().shortfall != Shortfall::Borrow;
        is_paid.then_some(slot)
    }

    /// What the table says of a position, as [`probe`](Probe::probe).
    ///
    /// # Errors
    /// [`TableError::File`] if that part of the file is not what was written.
    #[inline]
    pub fn look_up(&self, duel: &Duel) -> Result<Bounds, TableError> {
        self.cell(duel).map_err(|Damaged { block }| file::damaged(block))
    }

    #[inline]
    fn cell(&self, duel: &Duel) -> Result<Bounds, Damaged> {
        match self.slot(duel) {
            Some(slot) if self.index.levels().matter() => self.bounds_by_funds(slot, duel),
            Some(slot) => self.cells.get(slot).map(Cell::bounds),
            None => Ok(Bounds::NONE),
        }
    }

    /// The bounds of a slot with the funds and the margin of a duel, where a shortfall loses: those of the levels that both
    /// sides reach. They are proved up to the bankruptcy of the opponent, which is worth all points of the game.
    fn bounds_by_funds(&self, slot: u64, duel: &Duel) -> Result<Bounds, Damaged> {
        let bounds = |funds| match self.index.levels().of(funds) {
            Some(level) => self.cells.get(self.index.cell(slot, level)).map(Cell::bounds),
            None => Ok(Bounds::NONE),
        };
        let [own, other] = duel.funds();
        let all = self.rules.rules().total_points();
        Ok(Bounds {
            lower: bounds(own)?.lower.min(all.saturating_sub(duel.margin())),
            upper: bounds(other)?.upper.max((-all).saturating_sub(duel.margin())),
        })
    }

    /// Holds all blocks of the file against their checksums.
    fn check_blocks(&self, stop: &AtomicBool) -> Result<(), TableError> {
        let Cells::Mapped(mapped) = &self.cells else { return Ok(()) };
        for block in 0..mapped.blocks() {
            file::go_on(stop)?;
            mapped.check(block).map_err(|Damaged { block }| file::damaged(block))?;
        }
        Ok(())
    }

    /// The error of a file with this table where another is expected.
    fn instead_of(&self, rules: &DuelRules, pebbles: u32) -> TableError {
        TableError::File {
            expected: file::described(rules.rules(), pebbles),
            given: file::described(self.rules.rules(), self.pebbles()),
        }
    }
}

/// What is damaged is not known.
impl Probe for Tablebase {
    #[inline]
    fn probe(&self, duel: &Duel) -> Bounds {
        self.cell(duel).unwrap_or(Bounds::NONE)
    }

    fn enough(&self, funds: i32) -> i32 {
        self.index.levels().least(funds)
    }
}

/// The rules and the numbering of a table.
fn numbered(rules: Rules, pebbles: u32) -> Result<(DuelRules, Index), TableError> {
    let duels = DuelRules::new(rules).filter(|duels| duels.future() != Future::Funds);
    let duels = duels.ok_or_else(|| TableError::Rules(Box::new(rules)))?;
    let index = Index::new(&duels, pebbles).ok_or(TableError::Pebbles { given: pebbles })?;
    Ok((duels, index))
}
