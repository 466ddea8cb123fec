//! The boards of ordinary registers, and the tables by which they are played on: lookups instead of loops.
//!
//! Such a board has each side in a word of its own, its row from the first byte, then its mandarin square. It stands
//! still whoever moves: side a has the first word. The tables know where the next square is.

use std::array::from_fn;

use super::plan::{Board, Plan, WIDTH};

/// The bytes of a side.
pub(super) const SIDE: usize = WIDTH / 2;
/// How many *bearings* there are: a byte of the board, and in the next bit the direction of the move, 1 for clockwise.
const BEARINGS: usize = 2 * WIDTH;
/// Hands of 0 to 127: all that seven bits hold.
const LAPS: usize = 128 * BEARINGS;

/// What lifting a hand and sowing it does to a board, and which square is looked at then.
///
/// A lap has a number: the bearing that it begins at, and above it the hand. The small hands, which are most of them,
/// so lie together in the cache.
pub(super) struct Laps {
    changes: Box<[Board; LAPS]>,
    next: Box<[u8; LAPS]>,
}

/// The number of the lap from a bearing if that is what its byte of the board is; a mandarin counts as 128 pebbles.
#[inline]
pub(super) const fn lap_number(bearing: u8, byte: u8) -> u16 {
    bearing as u16 + byte as u16 * BEARINGS as u16
}

impl Laps {
    #[expect(clippy::large_stack_arrays, reason = "64 KB, and once")]
    pub(super) fn new(plan: &Plan) -> Self {
        let mut laps = Self { changes: Box::new([[0; WIDTH]; LAPS]), next: Box::new([0; LAPS]) };
        let byte = |place: usize| place / plan.half * SIDE + place % plan.half;
        for (from, clockwise) in (0..plan.ring).flat_map(|from| [(from, false), (from, true)]) {
            let step = if clockwise { plan.ring - 1 } else { 1 };
            let direction = usize::from(clockwise) * WIDTH;
            let (mut change, mut place) = ([0_u8; WIDTH], from);
            for lap in (direction + byte(from)..LAPS).step_by(BEARINGS) {
                place = (place + step) % plan.ring;
                laps.changes[lap] = change;
                laps.next[lap] = (direction + byte(place)) as u8;
                // The next hand is larger by one: lifted here, and dropped on the square that this lap looks at.
                change[byte(from)] = change[byte(from)].wrapping_sub(1);
                change[byte(place)] = change[byte(place)].wrapping_add(1);
            }
        }
        laps
    }

    /// Sows the lap of that number.
    #[inline]
    pub(super) fn sow(&self, board: &mut Board, lap: u16) {
        // Sixteen sums that do not depend on each other: one vector instruction where there are vectors.
        for (byte, change) in board.iter_mut().zip(&self.changes[usize::from(lap) % LAPS]) {
            *byte = byte.wrapping_add(*change);
        }
    }

    /// The bearing that is looked at after the lap of that number.
    #[inline]
    pub(super) fn next(&self, lap: u16) -> u8 {
        self.next[usize::from(lap) % LAPS]
    }
}

/// Something for each bearing and each byte that the board may have there, by [`lap_number`].
pub(super) struct Table(Box<[u8; 2 * LAPS]>);

impl Table {
    /// Of a function of whether the bearing is that of a mandarin square, and of the byte.
    pub(super) fn new(plan: &Plan, of: impl Fn(bool, u8) -> u8) -> Self {
        let entry = |number: usize| of(number % SIDE == plan.squares, (number / BEARINGS) as u8);
        Self(Box::new(from_fn(entry)))
    }

    #[inline]
    pub(super) fn get(&self, number: u16) -> u8 {
        self.0[usize::from(number) % (2 * LAPS)]
    }
}

/// The board of a mover in two words.
pub(super) fn parted(plan: &Plan, board: &Board, mover: usize) -> Board {
    from_fn(|byte| {
        let (side, square) = ((byte / SIDE) ^ mover, byte % SIDE);
        if square < plan.half { board[side * plan.half + square] } else { 0 }
    })
}

/// A board in two words as the mover sees it.
pub(super) fn joined(plan: &Plan, board: &Board, mover: usize) -> Board {
    let (own, other) = (u128::from(word(board, mover)), u128::from(word(board, 1 - mover)));
    (own | other << (8 * plan.half)).to_le_bytes()
}

/// The word of a side.
#[inline]
pub(super) fn word(board: &Board, side: usize) -> u64 {
    u64::from_le_bytes(board.as_chunks().0[side % 2])
}

/// The byte of a board at a bearing.
#[inline]
pub(super) fn at(board: &Board, bearing: u8) -> u8 {
    board[usize::from(bearing) % WIDTH]
}

#[cfg(test)]
mod tests {
    use oanquan_core::{Position, Rules};

    use super::*;
    use crate::Limits;

    fn plan(rules: &str) -> Plan {
        Plan::new(&Position::start(Rules::parse(rules).unwrap()), Limits::default()).unwrap()
    }

    #[test]
    fn a_lap_is_sown_as_pebble_by_pebble() {
        for squares in 1..=7_usize {
            let plan = plan(&format!("squares={squares},pebbles=3"));
            let laps = Laps::new(&plan);
            for (from, step, direction) in (0..plan.ring).flat_map(|from| [(from, 1, 0), (from, plan.ring - 1, 1)]) {
                for hand in 0..=100_u8 {
                    let mut ring: Board = from_fn(|place| u8::from(place < plan.ring));
                    ring[from] = hand;
                    let bearing = (direction * WIDTH + from / plan.half * SIDE + from % plan.half) as u8;
                    let (mut board, number) = (parted(&plan, &ring, 0), lap_number(bearing, hand));
                    laps.sow(&mut board, number);
                    let mut place = from;
                    ring[from] = 0;
                    for _ in 0..hand {
                        place = (place + step) % plan.ring;
                        ring[place] += 1;
                    }
                    assert_eq!(joined(&plan, &board, 0), ring, "{squares} squares, {hand} from {from}");
                    assert_eq!(at(&board, laps.next(number)), ring[(place + step) % plan.ring]);
                }
            }
        }
    }

    #[test]
    fn a_board_in_two_words_is_the_same_board() {
        let plan = plan("squares=4");
        let board = from_fn(|place| if place < plan.ring { place as u8 + 1 } else { 0 });
        for mover in [0, 1] {
            assert_eq!(joined(&plan, &parted(&plan, &board, mover), mover), board);
        }
        assert_eq!(parted(&plan, &board, 1), [6, 7, 8, 9, 10, 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0]);
    }
}
