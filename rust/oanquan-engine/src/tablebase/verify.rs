//! Whether a table is what a build makes: every bound proved by others in finitely many steps, and none looser than it
//! must be.

use std::fmt;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU16};

use oanquan_core::Side;

use super::cells::{self, Cell};
use super::expansion::Expansion;
use super::file;
use super::levels::MOST_LEVELS;
use super::sweep::{Progress, Sweeper, Visit, Work, expand, thread_count};
use super::{TableError, Tablebase};

/// How many faults are told.
const MOST_FAULTS: usize = 10;

/// What is wrong with the bounds of a position, which is named by its board with side a to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableFault {
    /// A board that is no position with a decision has bounds, or one that is has none.
    Kind(String),
    /// The lower bound is above the upper one.
    Crossed(String),
    /// The mirrored position has other bounds.
    Mirror(String),
    /// A bound follows from nothing, or only from itself.
    Unfounded(String),
    /// A bound can be tightened by those of the next positions.
    Loose(String),
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(board) => write!(f, "{board}: expected bounds exactly where there is a decision"),
            Self::Crossed(board) => write!(f, "{board}: expected a lower bound not above the upper one"),
            Self::Mirror(board) => write!(f, "{board}: expected the bounds of the mirrored position"),
            Self::Unfounded(board) => {
                write!(f, "{board}: expected bounds that follow from others, got one that does not")
            }
            Self::Loose(board) => write!(f, "{board}: expected the tightest bounds, got one that can be tightened"),
        }
    }
}

/// What a verification has found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// The first ten faults that were found; none if the table is what a build makes.
    pub faults: Vec<TableFault>,
    /// Positions whose bounds are equal; with any funds, where a shortfall loses.
    pub settled: u64,
}

impl Tablebase {
    /// Holds the table against its checksums, and its bounds against the rules, with so many threads, 0 for all cores.
    ///
    /// A table that satisfies the equations of the best move is not yet true: positions that go round in a circle can back
    /// each other's false bounds. So nothing is believed at first, and then what follows from what is believed already,
    /// until each position has reached the bounds that the table claims for it: then each is proved by a chain of others
    /// that ends with the end of the game. A table without faults is, byte for byte, the one that [`build`](Self::build)
    /// makes.
    ///
    /// # Errors
    /// [`TableError::File`] if a checksum is wrong, [`TableError::Memory`], [`TableError::Stopped`].
    pub fn verify(&self, threads: usize, stop: &AtomicBool, progress: &Progress) -> Result<Verified, TableError> {
        self.check_blocks(stop)?;
        let believed = cells::filled(self.index.cells(), Cell::UNSEEN, stop)?;
        let verification = Verification { table: self, believed, faults: Mutex::default() };
        let sweeper = Sweeper { index: &self.index, threads: thread_count(threads), stop, progress };
        if !sweeper.run(&verification) {
            return Err(TableError::Stopped);
        }
        verification.finish(stop)
    }
}

struct Verification<'a> {
    table: &'a Tablebase,
    /// For each cell, what is proved so far. It goes through weaker bounds to those of the table: what proves a bound may
    /// be a weaker one of a position whose own final bound needs this one.
    believed: Vec<AtomicU16>,
    faults: Mutex<Vec<TableFault>>,
}

impl Verification<'_> {
    fn levels(&self) -> Range<usize> {
        0..self.table.index.levels().count()
    }

    /// What the table says of a slot, for a level.
    #[inline]
    fn claim(&self, slot: u64, level: usize) -> Cell {
        self.table.cells.get(self.table.index.cell(slot, level)).unwrap_or(Cell::OPEN)
    }

    fn place(&self, slot: u64, level: usize) -> &AtomicU16 {
        &self.believed[self.table.index.cell(slot, level) as usize]
    }

    #[inline]
    fn believed(&self, slot: u64, level: usize) -> Cell {
        cells::load(self.place(slot, level))
    }

    /// What is wrong with the claims of a position, by themselves and by those of the positions that it leads to.
    fn examine(&self, slot: u64, expansion: &Expansion) {
        let follow = self.bounds(expansion, |slot, level| self.claim(slot, level));
        for level in self.levels() {
            let claim = self.claim(slot, level);
            if !claim.is_of_position() {
                self.fault(TableFault::Kind, slot);
            } else if claim.is_crossed() {
                self.fault(TableFault::Crossed, slot);
            } else if !claim.reaches(follow[level]) {
                self.fault(TableFault::Loose, slot);
            }
        }
    }

    fn bounds(&self, expansion: &Expansion, cell: impl Fn(u64, usize) -> Cell) -> [Cell; MOST_LEVELS] {
        expansion.bounds(self.table.index.levels(), cell)
    }

    fn fault(&self, kind: fn(String) -> TableFault, slot: u64) {
        let Ok(mut faults) = self.faults.lock() else { return };
        let (pebbles, mandarins) = self.table.index.at(slot);
        let position = self.table.rules.position(&self.table.rules.board(pebbles, mandarins), Side::A).to_string();
        let fault = kind(position.split(' ').next().unwrap_or_default().to_owned());
        if faults.len() < MOST_FAULTS && !faults.contains(&fault) {
            faults.push(fault);
        }
    }

    /// What was found, and what was never reached.
    fn finish(self, stop: &AtomicBool) -> Result<Verified, TableError> {
        let index = &self.table.index;
        let mut settled = 0;
        for (mandarins, first) in index.classes() {
            for slot in first..first + index.boards() {
                file::go_on(stop)?;
                let claim = self.claim(slot, 0);
                if !self.is_done(slot) {
                    self.fault(TableFault::Unfounded, slot);
                }
                if claim.is_settled() && claim != Cell::NO_POSITION {
                    settled += index.weight(mandarins);
                }
            }
        }
        let faults = self.faults.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(Verified { faults, settled })
    }
}

impl Work for Verification<'_> {
    #[inline]
    fn is_done(&self, slot: u64) -> bool {
        self.levels().all(|level| {
            let believed = self.believed(slot, level);
            believed != Cell::UNSEEN && believed.reaches(self.claim(slot, level))
        })
    }

    fn visit(&self, slot: u64, board: u128, mandarins: u8) -> Visit {
        let Some(expansion) = expand(&self.table.rules, &self.table.index, board, mandarins) else {
            for level in self.levels() {
                let claim = self.claim(slot, level);
                if claim != Cell::NO_POSITION {
                    self.fault(TableFault::Kind, slot);
                }
                cells::store(self.place(slot, level), claim);
            }
            return Visit::Nothing;
        };
        if self.believed(slot, 0) == Cell::UNSEEN {
            self.examine(slot, &expansion);
        }
        let bounds = self.bounds(&expansion, |slot, level| self.believed(slot, level));
        let changed = self
            .levels()
            .fold(false, |changed, level| cells::tighten(self.place(slot, level), bounds[level]) | changed);
        Visit::Position(expansion, changed)
    }

    fn copy(&self, slot: u64, mirrored: u64) {
        for level in self.levels() {
            if self.claim(slot, level) != self.claim(mirrored, level) {
                self.fault(TableFault::Mirror, slot);
            }
            cells::store(self.place(mirrored, level), self.believed(slot, level));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablebase::cells::Cells;
    use oanquan_core::Rules;

    fn build(rules: &str, pebbles: u32) -> Tablebase {
        let (stop, progress) = (AtomicBool::new(false), Progress::default());
        Tablebase::build(Rules::parse(rules).unwrap(), pebbles, 1, &stop, &progress).unwrap()
    }

    fn verify(table: &Tablebase) -> Vec<TableFault> {
        table.verify(2, &AtomicBool::new(false), &Progress::default()).unwrap().faults
    }

    /// Changes a cell; where funds do not matter its number is that of the slot.
    fn put(table: &Tablebase, place: u64, cell: Cell) {
        let Cells::Built(cells) = &table.cells else { panic!("expected a table in memory") };
        cells::store(&cells[place as usize], cell);
    }

    fn get(table: &Tablebase, place: u64) -> Cell {
        table.cells.get(place).unwrap()
    }

    /// The first slot that has such a cell, and its mirror.
    fn find(table: &Tablebase, is_such: impl Fn(u64, Cell) -> bool) -> (u64, u64) {
        let slot = (0..table.index.slots()).find(|&slot| is_such(slot, get(table, slot))).unwrap();
        let (board, mandarins) = table.index.at(slot);
        let mirrors = table.index.mirrors_within(mandarins);
        (slot, if mirrors { table.index.mirrored(slot, board) } else { slot })
    }

    fn kinds(faults: &[TableFault]) -> Vec<&'static str> {
        let kind = |fault: &TableFault| match fault {
            TableFault::Kind(_) => "kind",
            TableFault::Crossed(_) => "crossed",
            TableFault::Mirror(_) => "mirror",
            TableFault::Unfounded(_) => "unfounded",
            TableFault::Loose(_) => "loose",
        };
        let mut kinds: Vec<_> = faults.iter().map(kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    #[test]
    fn what_a_build_makes_has_no_faults() {
        for rules in
            ["short-game", "wikipedia-vi", "squares=3,directions=clockwise", "squares=2,shortfall=owe", "bankrupt"]
        {
            assert_eq!(verify(&build(rules, 5)), []);
        }
        // Here bounds are proved by weaker ones of positions whose final bounds need them in turn.
        assert_eq!(verify(&build("squares=3,mandarin=pebbles", 9)), []);
    }

    #[test]
    fn any_bound_that_is_changed_is_found() {
        // Where a shortfall loses, a bound that is the same with funds of one level less is changed too.
        for (rules, step) in [("short-game", 3), ("short-game,shortfall=loses", 13)] {
            let table = build(rules, 3);
            let mut changes = 0;
            for place in (0..table.index.cells()).step_by(step) {
                let cell = get(&table, place);
                let (Some(lower), Some(upper)) = (cell.lower(), cell.upper()) else { continue };
                let tighter = [Cell::new(lower + 1, upper), Cell::new(lower, upper - 1)];
                let looser = [Cell::new(lower - 1, upper), Cell::new(lower, upper + 1), Cell::OPEN];
                for changed in tighter.into_iter().chain(looser) {
                    put(&table, place, changed);
                    assert_ne!(verify(&table), [], "{rules}: {place}");
                    changes += 1;
                }
                put(&table, place, cell);
            }
            assert!(changes > 100, "{changes}");
            assert_eq!(verify(&table), []);
        }
    }

    #[test]
    fn a_bound_told_for_less_funds_than_it_needs_is_refused() {
        let table = build("short-game,squares=3,shortfall=loses", 7);
        let mut refused = [0; 2];
        for slot in 0..table.index.slots() {
            for level in 1..MOST_LEVELS {
                let [less, place] = [level - 1, level].map(|level| table.index.cell(slot, level));
                let (before, cell) = (get(&table, less), get(&table, place));
                let (board, mandarins) = table.index.at(slot);
                if table.index.mirrors_within(mandarins) && table.index.mirror(board) != board {
                    continue; // the mirrored slot would differ
                }
                for (side, is_lower) in [(0, true), (1, false)] {
                    let (lower, upper) = if is_lower { (cell, before) } else { (before, cell) };
                    let (Some(lower), Some(upper)) = (lower.lower(), upper.upper()) else { continue };
                    let changed = Cell::new(lower, upper);
                    if changed != before && refused[side] < 8 {
                        put(&table, less, changed);
                        assert_ne!(verify(&table), [], "{slot} {level}");
                        put(&table, less, before);
                        refused[side] += 1;
                    }
                }
            }
        }
        assert!(refused.iter().all(|&refused| refused > 5), "{refused:?}");
        assert_eq!(verify(&table), []);
    }

    #[test]
    fn each_fault_has_its_name() {
        let table = build("short-game", 4);
        let is_open = |cell: Cell| !cell.is_settled() && cell.lower().is_some() && cell.upper().is_some();
        let (none, _) = find(&table, |_, cell| cell == Cell::NO_POSITION);
        put(&table, none, Cell::new(0, 0));
        let (open, _) = find(&table, |_, cell| is_open(cell));
        let cell = get(&table, open);
        put(&table, open, Cell::new(cell.upper().unwrap() + 1, cell.upper().unwrap()));
        let faults = verify(&table);
        for kind in ["kind", "crossed", "unfounded"] {
            assert!(kinds(&faults).contains(&kind), "{kind}: {faults:?}");
        }
        let table = build("short-game", 4);
        let (left, right) = find(&table, |slot, cell| {
            let (board, mandarins) = table.index.at(slot);
            table.index.mirrors_within(mandarins)
                && table.index.mirror(board) > board
                && cell.lower().is_some()
                && cell.is_settled()
        });
        let cell = get(&table, right);
        assert_eq!(cell, get(&table, left));
        put(&table, right, Cell::OPEN);
        assert!(kinds(&verify(&table)).contains(&"mirror"));
        put(&table, left, Cell::OPEN);
        let faults = verify(&table);
        assert!(kinds(&faults).contains(&"loose"), "{faults:?}");
        let fault = faults.iter().find(|fault| matches!(fault, TableFault::Loose(_))).unwrap().to_string();
        assert!(fault.contains('/') && fault.ends_with("expected the tightest bounds, got one that can be tightened"));
    }

    /// Another solution of the equations: begun with a value for every position in doubt, and iterated until it agrees with
    /// itself.
    fn consistent(table: &Tablebase, begin: i32) -> Option<u64> {
        let index = &table.index;
        let levels = index.levels().count() as u64;
        let doubtful: Vec<_> = (0..index.cells()).filter(|&place| !get(table, place).is_settled()).collect();
        let bounds = |place| {
            let (board, mandarins) = index.at(place / levels);
            let expansion = Expansion::new(&table.rules, index, board, mandarins);
            let cell = |slot, level| get(table, index.cell(slot, level));
            expansion.bounds(index.levels(), cell)[(place % levels) as usize]
        };
        for &place in &doubtful {
            put(table, place, Cell::new(begin, begin));
        }
        for _ in 0..200 {
            let changed: Vec<_> = doubtful.iter().map(|&place| (place, bounds(place))).collect();
            if changed.iter().all(|&(place, cell)| cell == get(table, place)) {
                return Some(doubtful.len() as u64);
            }
            for (place, cell) in changed {
                put(table, place, cell);
            }
        }
        None
    }

    #[test]
    fn bounds_that_only_back_each_other_are_refused() {
        for (rules, pebbles) in [("short-game", 6), ("short-game,shortfall=loses", 6)] {
            let found = [0, 2, -2, 60].into_iter().find_map(|begin| {
                let table = build(rules, pebbles);
                consistent(&table, begin).map(|_| table)
            });
            let table = found.expect("a table that agrees with itself");
            let honest = build(rules, pebbles);
            let differs = (0..table.index.cells()).filter(|&place| get(&table, place) != get(&honest, place)).count();
            assert!(differs > 0, "another solution of the same equations");
            let crossed = |place| get(&table, place).is_crossed();
            assert!(!(0..table.index.cells()).any(crossed), "no bound shows by itself that it is wrong");
            assert_eq!(kinds(&verify(&table)), ["unfounded"]);
        }
    }
}
