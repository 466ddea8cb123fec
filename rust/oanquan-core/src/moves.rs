//! The legal moves of a position, to walk through or to draw one from.

use crate::knobs::Directions;
use crate::{Move, Rules, Side};

/// The legal moves of a position, in the order of their action numbers.
///
/// Their actions are laid out as one number, four bits each, by table and without a branch that depends on which moves
/// there are: which one is drawn cannot be predicted, and a wrong guess costs the processor as much as a lap. So
/// `legal_moves().nth(n)` is a shift.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// let moves = Position::start(Rules::default()).legal_moves();
/// assert_eq!(moves.len(), 10);
/// assert_eq!(moves.clone().nth(3).map(|mv| mv.to_string()).as_deref(), Some("a2-"));
/// ```
#[derive(Clone, Debug)]
pub struct Moves {
    side: Side,
    count: u8,
    /// The actions in order, four bits each from the lowest on.
    actions: u64,
}

/// Bits of the mask of legal moves are looked up in halves of seven.
const HALF: u16 = 7;
const LOW: u16 = (1 << HALF) - 1;

/// For each half, how many bits are set, and their places in order, four bits each.
static PLACES: [(u8, u64); 1 << HALF] = {
    let mut table = [(0, 0); 1 << HALF];
    let mut half = 0;
    while half < table.len() {
        let mut place = 0;
        while place < HALF {
            if half >> place & 1 != 0 {
                let (count, places) = table[half];
                table[half] = (count + 1, places | (place as u64) << (4 * count));
            }
            place += 1;
        }
        half += 1;
    }
    table
};

/// Seven in each group of four bits: what the places of the upper half are short of.
const UPPER: u64 = 0x7777_7777_7777_7777;

/// Rules 3.1: the actions of a row with those squares occupied, in the allowed directions, as a mask.
#[inline]
pub(crate) fn playable(rules: &Rules, occupied: u8) -> u16 {
    let pairs = PAIRS[usize::from(occupied) & 0x7F];
    match rules.directions {
        Directions::Both => pairs,
        Directions::Counterclockwise => pairs & 0x5555,
        Directions::Clockwise => pairs & 0xAAAA,
    }
}

/// For seven squares as bits, the same with each bit doubled: one for each direction.
const PAIRS: [u16; 128] = {
    let mut pairs = [0; 128];
    let mut squares = 0;
    while squares < 128 {
        let mut square = 0;
        while square < 7 {
            if squares >> square & 1 != 0 {
                pairs[squares] |= 0b11 << (2 * square);
            }
            square += 1;
        }
        squares += 1;
    }
    pairs
};

impl Moves {
    /// The moves of that side whose action numbers are set in the mask.
    #[inline]
    pub fn new(side: Side, mask: u16) -> Self {
        let (lower_count, lower) = PLACES[usize::from(mask & LOW)];
        let (upper_count, upper) = PLACES[usize::from(mask >> HALF & LOW)];
        // Groups beyond the upper count are never looked at.
        let actions = lower | (upper + UPPER) << (4 * lower_count);
        Self { side, count: lower_count + upper_count, actions }
    }
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.nth(0)
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Move> {
        if n >= usize::from(self.count) {
            self.count = 0;
            return None;
        }
        self.count -= n as u8 + 1;
        self.actions >>= 4 * n;
        let action = (self.actions & 0xF) as u8;
        self.actions >>= 4;
        Move::from_action(self.side, action)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count.into(), Some(self.count.into()))
    }
}

impl ExactSizeIterator for Moves {}
