//! A position that may be wrong, and everything that can be wrong with it.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use crate::board::Board;
use crate::knobs::{ReseedFrom, Shortfall};
use crate::position::Store;
use crate::sow::{self, Payment};
use crate::{Ending, MAX_PEBBLES, MAX_RING, MAX_SIDES, Position, Rules, Side, Square};

/// The most a store or a debt can be set up with.
const MAX_STORE: i64 = 100_000_000;
/// The greatest ply that can be set up.
const MAX_PLY: i64 = 1_000_000_000;

/// A position being set up: any numbers, checked by [`Setup::position`].
///
/// ```
/// use oanquan_core::{Rules, Setup};
/// let mut setup = Setup::empty(Rules::default());
/// setup.pebbles[0] = 300;
/// let error = setup.position().unwrap_err();
/// assert!(error.to_string().contains("square a1: expected 0 to 255 pebbles, got 300"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The rules it is played by.
    pub rules: Rules,
    /// Pebbles by ring index (a1, a2, ..., am, b1, ...).
    pub pebbles: [i64; MAX_RING],
    /// Mandarins by ring index.
    pub mandarins: [i64; MAX_RING],
    /// Captured pebbles by side.
    pub store_pebbles: [i64; MAX_SIDES],
    /// Captured mandarins by side.
    pub store_mandarins: [i64; MAX_SIDES],
    /// `debts[i][j]`: what side i owes side j.
    pub debts: [[i64; MAX_SIDES]; MAX_SIDES],
    /// The side to move.
    pub turn: Side,
    /// Plies since the start.
    pub ply: i64,
    /// The reason, of a finished position.
    pub ending: Option<Ending>,
}

/// One thing that is wrong with a set-up position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionFault {
    /// A square cannot hold that many pebbles.
    Pebbles(Square, i64),
    /// A citizen square cannot hold a mandarin.
    MandarinInRow(Square, i64),
    /// A mandarin square cannot hold that many mandarins.
    Mandarins(Square, u8, i64),
    /// The board cannot hold that many pebbles.
    Board(i64),
    /// A store cannot hold that many pebbles; the least it can.
    StorePebbles(Side, i64, i64),
    /// A store cannot hold that many mandarins.
    StoreMandarins(Side, u8, i64),
    /// There are not that many mandarins.
    AllMandarins(u8, i64),
    /// Nobody lends under these rules.
    NoDebts,
    /// A side owes itself.
    OwnDebt(Side),
    /// A debt cannot be that.
    Debt(Side, Side, i64),
    /// These rules have no such side.
    Turn(Side, u8),
    /// The ply cannot be that.
    Ply(i64),
    /// The ending does not follow from the position.
    Ending(Option<Ending>, Option<Ending>),
    /// A row is empty that would have been re-seeded before this turn.
    EmptyRow(Side),
}

impl fmt::Display for PositionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |ending: &Option<Ending>| ending.map_or("none", Ending::name);
        match self {
            Self::Pebbles(square, n) => write!(f, "square {square}: expected 0 to {MAX_PEBBLES} pebbles, got {n}"),
            Self::MandarinInRow(square, n) => {
                write!(f, "square {square}: only a mandarin square can hold a mandarin, got {n}")
            }
            Self::Mandarins(square, most, n) => write!(f, "square {square}: expected 0 to {most} mandarins, got {n}"),
            Self::Board(n) => write!(f, "board: expected at most {MAX_PEBBLES} pebbles in all, got {n}"),
            Self::StorePebbles(side, least, n) => {
                write!(f, "store of {side}: expected {least} to {MAX_STORE} pebbles, got {n}")
            }
            Self::StoreMandarins(side, most, n) => {
                write!(f, "store of {side}: expected 0 to {most} mandarins, got {n}")
            }
            Self::AllMandarins(most, n) => write!(f, "mandarins: expected at most {most} in all, got {n}"),
            Self::NoDebts => f.write_str("debts: expected none unless shortfall is borrow"),
            Self::OwnDebt(side) => write!(f, "debt {side}>{side}: a side cannot owe itself"),
            Self::Debt(debtor, creditor, n) => {
                write!(f, "debt {debtor}>{creditor}: expected 1 to {MAX_STORE} pebbles, got {n}")
            }
            Self::Turn(side, sides) => {
                f.write_str("turn: expected one of ")?;
                for other in &Side::ALL[..usize::from(*sides)] {
                    write!(f, "{other}, ")?;
                }
                write!(f, "got \"{side}\"")
            }
            Self::Ply(n) => write!(f, "ply: expected 0 to {MAX_PLY}, got {n}"),
            Self::Ending(natural, given) => write!(f, "ending: expected {}, got {}", name(natural), name(given)),
            Self::EmptyRow(side) => {
                write!(f, "row of {side}: expected a pebble (re-seeding belongs to the change of turn)")
            }
        }
    }
}

/// A set-up that is no position, with every fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionError {
    /// What is wrong; never empty.
    pub faults: Vec<PositionFault>,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults: Vec<_> = self.faults.iter().map(ToString::to_string).collect();
        f.write_str(&faults.join("; "))
    }
}

impl core::error::Error for PositionError {}

impl Setup {
    /// An empty board with empty stores, side a to move.
    pub const fn empty(rules: Rules) -> Self {
        Self {
            rules,
            pebbles: [0; MAX_RING],
            mandarins: [0; MAX_RING],
            store_pebbles: [0; MAX_SIDES],
            store_mandarins: [0; MAX_SIDES],
            debts: [[0; MAX_SIDES]; MAX_SIDES],
            turn: Side::A,
            ply: 0,
            ending: None,
        }
    }

    /// The position, if nothing is wrong.
    ///
    /// # Errors
    /// [`PositionError`] with every fault.
    pub fn position(&self) -> Result<Position, PositionError> {
        let mut faults = Vec::new();
        self.check_board(&mut faults);
        self.check_stores(&mut faults);
        self.check_debts(&mut faults);
        if self.turn.index() >= usize::from(self.rules.sides) {
            faults.push(PositionFault::Turn(self.turn, self.rules.sides));
        }
        if !(0..=MAX_PLY).contains(&self.ply) {
            faults.push(PositionFault::Ply(self.ply));
        }
        if !faults.is_empty() {
            return Err(PositionError { faults });
        }
        let position = self.build();
        check_ending(&position, &mut faults);
        if faults.is_empty() { Ok(position) } else { Err(PositionError { faults }) }
    }

    fn check_board(&self, faults: &mut Vec<PositionFault>) {
        let per_square = self.rules.mandarins().min(1);
        for index in 0..MAX_RING {
            let (pebbles, mandarins) = (self.pebbles[index], self.mandarins[index]);
            let Some(square) = self.rules.square(index) else { break };
            if !(0..=MAX_PEBBLES as i64).contains(&pebbles) {
                faults.push(PositionFault::Pebbles(square, pebbles));
            }
            if !square.is_mandarin() {
                if mandarins != 0 {
                    faults.push(PositionFault::MandarinInRow(square, mandarins));
                }
            } else if !(0..=i64::from(per_square)).contains(&mandarins) {
                faults.push(PositionFault::Mandarins(square, per_square, mandarins));
            }
        }
        let total = self.pebbles[..self.rules.ring()].iter().fold(0_i64, |sum, &n| sum.saturating_add(n));
        if total > MAX_PEBBLES as i64 {
            faults.push(PositionFault::Board(total));
        }
    }

    fn check_stores(&self, faults: &mut Vec<PositionFault>) {
        let rules = &self.rules;
        let most = i64::from(rules.mandarins());
        for side in rules.all_sides() {
            let (pebbles, mandarins) = (self.store_pebbles[side.index()], self.store_mandarins[side.index()]);
            let least = match (rules.shortfall, rules.reseed_from) {
                (Shortfall::Owe, _) => -MAX_STORE,
                (_, ReseedFrom::Pebbles) => 0,
                (_, ReseedFrom::Points) => mandarins.max(0).saturating_mul(-i64::from(rules.mandarin_value)),
            };
            if !(least..=MAX_STORE).contains(&pebbles) {
                faults.push(PositionFault::StorePebbles(side, least, pebbles));
            }
            if !(0..=most).contains(&mandarins) {
                faults.push(PositionFault::StoreMandarins(side, rules.mandarins(), mandarins));
            }
        }
        let counts = self.mandarins[..rules.ring()].iter().chain(&self.store_mandarins[..usize::from(rules.sides)]);
        let total = counts.fold(0_i64, |sum, &n| sum.saturating_add(n));
        if total > most {
            faults.push(PositionFault::AllMandarins(rules.mandarins(), total));
        }
    }

    fn check_debts(&self, faults: &mut Vec<PositionFault>) {
        let debts =
            self.rules.all_sides().flat_map(|debtor| self.rules.all_sides().map(move |creditor| (debtor, creditor)));
        for (debtor, creditor) in debts {
            let pebbles = self.debts[debtor.index()][creditor.index()];
            if pebbles == 0 {
                continue;
            }
            if self.rules.shortfall != Shortfall::Borrow {
                return faults.push(PositionFault::NoDebts);
            }
            if debtor == creditor {
                faults.push(PositionFault::OwnDebt(debtor));
            } else if !(1..=MAX_STORE).contains(&pebbles) {
                faults.push(PositionFault::Debt(debtor, creditor, pebbles));
            }
        }
    }

    /// The position, once every number is known to fit.
    fn build(&self) -> Position {
        let (ring, sides) = (self.rules.ring(), usize::from(self.rules.sides));
        let mut board = Board::EMPTY;
        for square in 0..ring {
            board.set(square, self.pebbles[square] as u8);
            board.standing.mandarins |= (self.mandarins[square] as u32) << square;
        }
        let inside = |side: usize| side < sides;
        let store =
            |side| Store { pebbles: self.store_pebbles[side] as i32, mandarins: self.store_mandarins[side] as u8 };
        let debt = |i: usize, j: usize| if inside(i) && inside(j) { self.debts[i][j] as u32 } else { 0 };
        Position {
            board,
            stores: core::array::from_fn(|side| if inside(side) { store(side) } else { Store::default() }),
            debts: core::array::from_fn(|i| core::array::from_fn(|j| debt(i, j))),
            rules: self.rules,
            ply: self.ply as u32,
            turn: self.turn,
            ending: self.ending,
        }
    }
}

/// A position is at a decision or over: its ending must follow from the board, and rows are re-seeded before a turn.
fn check_ending(position: &Position, faults: &mut Vec<PositionFault>) {
    let natural = if sow::is_end(position.board.standing, &position.rules) {
        Some(Ending::Mandarins)
    } else {
        match position.rows_to_reseed().next().map(|side| sow::payment(position, side)) {
            Some(Payment::Impossible(ending)) => Some(ending),
            _ => None,
        }
    };
    if position.ending != natural {
        faults.push(PositionFault::Ending(natural, position.ending));
    } else if natural.is_none() {
        faults.extend(position.rows_to_reseed().map(PositionFault::EmptyRow));
    }
}

impl From<Position> for Setup {
    fn from(position: Position) -> Self {
        let mut setup = Self::empty(position.rules);
        for square in 0..position.rules.ring() {
            setup.pebbles[square] = position.board.pebbles[square].into();
            setup.mandarins[square] = position.board.mandarin(square).into();
        }
        setup.store_pebbles = position.stores.map(|store| store.pebbles.into());
        setup.store_mandarins = position.stores.map(|store| store.mandarins.into());
        setup.debts = position.debts.map(|owed| owed.map(i64::from));
        setup.turn = position.turn;
        setup.ply = position.ply.into();
        setup.ending = position.ending;
        setup
    }
}
