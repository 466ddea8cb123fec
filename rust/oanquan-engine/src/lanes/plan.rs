//! What the lanes need to know of the rules and the start, worked out once.

use oanquan_core::knobs::{
    Directions, EmptyMandarin, EndCheck, EndsWhen, MandarinLeftovers, MandarinNext, ReseedFrom, ReseedWhen,
    RowLeftovers, Shortfall,
};
use oanquan_core::{Position, Side, Square};

use crate::{Limits, rng};

/// The bytes of a board in a lane.
pub(super) const WIDTH: usize = 16;
/// A byte with this bit set holds a mandarin; the bits below count the pebbles.
pub(super) const MANDARIN: u8 = 0x80;
/// Games of more plies are handed to the plain core.
pub(super) const LONGEST: u32 = 128;

/// A board as its mover sees it: its row from byte 0, its mandarin square, the other row, the other mandarin square.
pub(super) type Board = [u8; WIDTH];

/// Pebbles and mandarins in one number, as bytes of the board add up: a mandarin counts 128.
pub(super) const fn pebbles(store: u32) -> u32 {
    store & 0x7F
}

pub(super) const fn mandarins(store: u32) -> u32 {
    store >> 7
}

/// What the lanes need to know. There is a plan only where the lanes play exactly as the core does.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) squares: usize,
    /// Squares of a side, its mandarin square included.
    pub(super) half: usize,
    pub(super) ring: usize,
    pub(super) mandarin_value: i32,
    pub(super) immature_below: u8,
    /// Rules 3.3: whether an empty mandarin square ends the move after a lap.
    pub(super) stop_after_sowing: bool,
    /// Rules 3.4: whether it ends it in a chain.
    pub(super) stop_in_chain: bool,
    pub(super) capture_chain: bool,
    pub(super) ends_when: EndsWhen,
    pub(super) shortfall: Shortfall,
    pub(super) row_leftovers: RowLeftovers,
    pub(super) mandarin_leftovers: MandarinLeftovers,
    /// Plies in which a mandarin may be banned: the core plays them.
    pub(super) ban: u32,
    /// How often a position may stand.
    pub(super) repetition: Option<u32>,
}

impl Plan {
    /// The plan for games from that position, if the lanes can play them.
    pub(super) fn new(start: &Position, limits: Limits) -> Option<Self> {
        let rules = start.rules();
        let in_stores: i64 = Side::ALL.iter().map(|&side| i64::from(start.store(side).pebbles)).sum();
        let on_board: i64 = start.pebbles().iter().map(|&pebbles| i64::from(pebbles)).sum();
        let playable = rules.sides == 2
            && rules.directions == Directions::Both
            && rules.mandarin_next == MandarinNext::Stop
            && rules.end_check == EndCheck::AfterMove
            && rules.reseed_when == ReseedWhen::TurnStart
            // So no store is ever below zero,
            && rules.reseed_from == ReseedFrom::Pebbles
            && rules.shortfall != Shortfall::Owe
            // and the pebbles of a square or a store fit in seven bits.
            && in_stores + on_board <= 127
            && limits.max_plies.is_none_or(|plies| plies >= LONGEST)
            && limits.repetition.is_none_or(|times| times >= 2)
            && start.ending().is_none();
        playable.then(|| Self {
            squares: rules.squares.into(),
            half: usize::from(rules.squares) + 1,
            ring: rules.ring(),
            mandarin_value: rules.mandarin_value.into(),
            immature_below: rules.immature_below,
            stop_after_sowing: rules.empty_mandarin_after_sowing == EmptyMandarin::Stop,
            stop_in_chain: rules.empty_mandarin_in_chain == EmptyMandarin::Stop,
            capture_chain: rules.capture_chain,
            ends_when: rules.ends_when,
            shortfall: rules.shortfall,
            row_leftovers: rules.row_leftovers,
            mandarin_leftovers: rules.mandarin_leftovers,
            ban: u32::from(rules.mandarin_ban).saturating_sub(start.ply()),
            repetition: limits.repetition,
        })
    }

    /// The board of a position as its mover sees it.
    pub(super) fn board(&self, position: &Position) -> Board {
        let first = position.turn().index() * self.half;
        let ring = position.pebbles();
        let mut board = [0; WIDTH];
        for (place, byte) in board.iter_mut().take(self.ring).enumerate() {
            *byte = ring[(first + place) % self.ring];
        }
        for side in [Side::A, Side::B] {
            if position.mandarin(Square::mandarin(side)) {
                board[(side.index() * self.half + self.squares + self.ring - first) % self.ring] |= MANDARIN;
            }
        }
        board
    }

    /// What a byte of a mandarin square is tested for: anything, or the stone (rules 3.5).
    pub(super) const fn standing(&self) -> u8 {
        match self.ends_when {
            EndsWhen::SquaresEmpty => 0xFF,
            EndsWhen::StonesTaken => MANDARIN,
        }
    }

    /// The citizen squares of the mover that hold pebbles, as bits.
    pub(super) fn row(&self, board: &Board) -> u32 {
        (0..self.squares).fold(0, |row, square| row | u32::from(board[square] != 0) << square)
    }
}

/// Where the squares are while a move goes on: the *frame* of a move.
///
/// A move is sown on a turned board: byte 0 is the square that the hand is lifted from or that was looked at last, and
/// the next byte the next square in the direction of the move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// In bits: how far the board is turned, after it is reversed for a clockwise move.
    turn: u32,
    ring: u32,
    clockwise: bool,
}

impl Frame {
    /// The frame at the beginning of the move with that action number.
    pub(super) fn new(ring: usize, action: usize) -> Self {
        let (square, clockwise) = (action / 2, action % 2 == 1);
        let turn = if clockwise { ring - 1 - square } else { square };
        Self { turn: 8 * turn as u32, ring: 8 * ring as u32, clockwise }
    }

    /// The board of the mover, turned.
    #[inline]
    pub(super) fn turn(&self, board: &Board) -> Board {
        let mut bytes = u128::from_le_bytes(*board);
        if self.clockwise {
            bytes = bytes.swap_bytes() >> (128 - self.ring);
        }
        let turned = bytes >> self.turn | bytes.checked_shl(self.ring - self.turn).unwrap_or(0);
        (turned & (u128::MAX >> (128 - self.ring))).to_le_bytes()
    }
}

/// What a mover can begin with, for each set of its squares that hold pebbles: *bearings*, each a byte of its board and,
/// in the next bit, the direction of the move, 1 for clockwise.
pub(super) struct Choices {
    /// In the order of the actions.
    bearings: Box<[[u8; WIDTH]; ROWS]>,
    counts: Box<[u8; ROWS]>,
}

/// How many sets of seven squares there are.
const ROWS: usize = 1 << 7;

impl Choices {
    pub(super) fn new() -> Self {
        let mut choices = Self { bearings: Box::new([[0; WIDTH]; ROWS]), counts: Box::new([0; ROWS]) };
        for (row, (bearings, count)) in choices.bearings.iter_mut().zip(choices.counts.iter_mut()).enumerate() {
            for square in (0..7).filter(|square| row >> square & 1 != 0) {
                for direction in 0..2 {
                    bearings[usize::from(*count)] = direction * WIDTH as u8 + square;
                    *count += 1;
                }
            }
        }
        choices
    }

    /// The bearing that a draw chooses in a row, the first byte of which is the first of the board.
    #[inline]
    pub(super) fn choose(&self, row: u32, draw: u64) -> u8 {
        let row = row as usize % ROWS;
        self.bearings[row][rng::below(draw, self.counts[row].into()) as usize % WIDTH]
    }
}

/// The action number of the move that begins at a bearing of [`Choices`].
#[inline]
pub(super) const fn action_of(bearing: u8) -> u8 {
    2 * (bearing % WIDTH as u8) + bearing / WIDTH as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_come_in_the_order_of_the_actions() {
        let choices = Choices::new();
        let chosen = [0, 1, 2, 3].map(|quarter| choices.choose(0b10010, quarter << 62));
        assert_eq!(chosen, [1, 17, 4, 20]);
    }
}
