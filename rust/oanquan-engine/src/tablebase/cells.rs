//! What a table knows of a position, in two bytes, and where these bytes are.

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use crate::bounds::Bounds;

use super::mapped::Mapped;
use super::{TableError, file};

/// A lower bound that says nothing.
const NO_LOWER: i8 = -127;
/// An upper bound that says nothing.
const NO_UPPER: i8 = 127;
/// Both bytes of a slot whose board is no position with a decision.
const NO_POSITION: i8 = -128;

/// The lower and the upper bound of the further difference of a position, -126 to 126 each.
///
/// A value beyond is told as far as it goes: a lower bound of 130 as 126, a lower bound of -130 as none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    lower: i8,
    upper: i8,
}

impl Cell {
    /// Nothing is known.
    pub(crate) const OPEN: Self = Self { lower: NO_LOWER, upper: NO_UPPER };
    /// Nothing is known, and nobody has looked.
    pub(crate) const UNSEEN: Self = Self { lower: NO_POSITION, upper: NO_UPPER };
    /// The board is no position with a decision.
    pub(crate) const NO_POSITION: Self = Self { lower: NO_POSITION, upper: NO_POSITION };

    /// The bounds, where a lower one below all values and an upper one above say nothing.
    #[inline]
    pub(crate) fn new(lower: i32, upper: i32) -> Self {
        Self {
            lower: lower.clamp(NO_LOWER.into(), i32::from(NO_UPPER) - 1) as i8,
            upper: upper.clamp(i32::from(NO_LOWER) + 1, NO_UPPER.into()) as i8,
        }
    }

    /// The two bytes of it: the lower bound, then the upper one, as signed numbers.
    #[inline]
    pub(crate) fn bytes(self) -> [u8; 2] {
        [self.lower as u8, self.upper as u8]
    }

    /// What these bytes say.
    #[inline]
    pub(crate) fn from_bytes([lower, upper]: [u8; 2]) -> Self {
        Self { lower: lower as i8, upper: upper as i8 }
    }

    /// The lower bound, if there is one.
    #[inline]
    pub(crate) fn lower(self) -> Option<i32> {
        (self.lower > NO_LOWER).then_some(self.lower.into())
    }

    /// The upper bound, if there is one.
    #[inline]
    pub(crate) fn upper(self) -> Option<i32> {
        (self.upper < NO_UPPER && self.upper != NO_POSITION).then_some(self.upper.into())
    }

    /// Whether nothing is left to find out: the bounds are equal, or there is no position.
    #[inline]
    pub(crate) fn is_settled(self) -> bool {
        self.lower == self.upper
    }

    /// Whether it is a cell of a position with a decision.
    pub(crate) fn is_of_position(self) -> bool {
        self.lower >= NO_LOWER && self.lower < NO_UPPER && self.upper > NO_LOWER
    }

    /// Whether the lower bound is above the upper one.
    pub(crate) fn is_crossed(self) -> bool {
        self.lower > self.upper
    }

    /// Whether both bounds are as tight as those of a claim, or tighter.
    #[inline]
    pub(crate) fn reaches(self, claim: Self) -> bool {
        self.lower >= claim.lower && self.upper <= claim.upper
    }

    /// The tighter of both bounds.
    #[inline]
    pub(crate) fn tightened(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// What it is to those who probe.
    #[inline]
    pub(crate) fn bounds(self) -> Bounds {
        let unknown = Bounds::NONE;
        Bounds { lower: self.lower().unwrap_or(unknown.lower), upper: self.upper().unwrap_or(unknown.upper) }
    }
}

/// The cells of all slots, in the order of [`Index::cell`](super::index::Index::cell).
pub(crate) enum Cells {
    /// In memory, as a build makes them: threads write what they find, and every state on the way is true.
    Built(Vec<AtomicU16>),
    /// In a file.
    Mapped(Mapped),
}

/// Cells whose block in the file is not what was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Damaged {
    /// The block.
    pub(crate) block: u64,
}

impl Cells {
    /// The cell of that number.
    #[inline]
    pub(crate) fn get(&self, place: u64) -> Result<Cell, Damaged> {
        match self {
            Self::Built(cells) => Ok(load(&cells[place as usize])),
            Self::Mapped(mapped) => mapped.cell(place),
        }
    }
}

/// How many cells are made between two looks at the stop flag.
const STRIDE: usize = 1 << 20;

/// So many equal cells, in memory.
pub(crate) fn filled(count: u64, cell: Cell, stop: &AtomicBool) -> Result<Vec<AtomicU16>, TableError> {
    let no_memory = || TableError::Memory { bytes: 2 * count };
    let count = usize::try_from(count).map_err(|_| no_memory())?;
    let mut cells = Vec::new();
    cells.try_reserve_exact(count).map_err(|_| no_memory())?;
    while cells.len() < count {
        file::go_on(stop)?;
        cells.resize_with(count.min(cells.len() + STRIDE), || AtomicU16::new(u16::from_le_bytes(cell.bytes())));
    }
    Ok(cells)
}

/// The cell in memory. What it says follows from what its writer had read: acquire and release keep that order.
#[inline]
pub(crate) fn load(cell: &AtomicU16) -> Cell {
    Cell::from_bytes(cell.load(Ordering::Acquire).to_le_bytes())
}

/// Puts a cell into memory.
#[inline]
pub(crate) fn store(place: &AtomicU16, cell: Cell) {
    place.store(u16::from_le_bytes(cell.bytes()), Ordering::Release);
}

/// Tightens a cell in memory that nobody else writes to; whether it changed.
#[inline]
pub(crate) fn tighten(place: &AtomicU16, bounds: Cell) -> bool {
    let before = load(place);
    let after = before.tightened(bounds);
    if after != before {
        store(place, after);
    }
    after != before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_kept_as_far_as_they_go() {
        for lower in -140..=140_i32 {
            for upper in lower..=140 {
                let cell = Cell::new(lower, upper);
                assert_eq!(Cell::from_bytes(cell.bytes()), cell);
                assert_eq!(cell.lower(), (lower > -127).then_some(lower.min(126)));
                assert_eq!(cell.upper(), (upper < 127).then_some(upper.max(-126)));
                assert!(cell.bounds().lower <= lower && upper <= cell.bounds().upper);
                assert_eq!(cell.tightened(Cell::OPEN), cell);
                assert!(cell.is_of_position() && cell.reaches(Cell::OPEN) && cell.reaches(cell));
                assert_eq!(cell.is_settled(), lower == upper && lower.abs() < 127);
            }
        }
        assert_eq!(Cell::NO_POSITION.bounds(), Bounds::NONE);
        assert!(Cell::NO_POSITION.is_settled() && !Cell::OPEN.is_settled());
        assert!(!Cell::NO_POSITION.is_of_position() && !Cell::UNSEEN.is_of_position());
    }
}
