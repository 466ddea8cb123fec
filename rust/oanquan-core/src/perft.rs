//! Counting move sequences: the classic test of a move generator.

use alloc::vec::Vec;

use crate::{Move, Position};

/// The number of move sequences of exactly `depth` plies. A finished game counts only at its own depth: with plies
/// left it adds nothing.
///
/// ```
/// use oanquan_core::{Position, Rules, perft};
/// assert_eq!(perft(&Position::start(Rules::default()), 3), 664);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    perft_while(position, depth, &mut || true).unwrap_or_default()
}

/// [`perft`] after each legal move, in the order of their action numbers.
///
/// ```
/// use oanquan_core::{Position, Rules, divide, perft};
/// let start = Position::start(Rules::default());
/// let total: u64 = divide(&start, 3).iter().map(|(_, count)| count).sum();
/// assert_eq!(total, perft(&start, 3));
/// ```
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    divide_while(position, depth, &mut || true).unwrap_or_default()
}

/// [`perft`], given up (`None`) as soon as `go_on` says false. It is asked once in every few thousand positions.
pub fn perft_while(position: &Position, depth: u32, go_on: &mut dyn FnMut() -> bool) -> Option<u64> {
    /// Below this depth the subtree is small enough not to ask.
    const ASK_FROM: u32 = 4;
    match depth {
        0 => Some(1),
        1 => Some(position.legal_moves().len() as u64),
        _ if depth >= ASK_FROM && !go_on() => None,
        _ => {
            let mut count = 0;
            for mv in position.legal_moves() {
                let mut next = *position;
                next.play_unchecked(mv);
                count += perft_while(&next, depth - 1, go_on)?;
            }
            Some(count)
        }
    }
}

/// [`divide`], given up (`None`) as soon as `go_on` says false.
pub fn divide_while(position: &Position, depth: u32, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<(Move, u64)>> {
    let Some(left) = depth.checked_sub(1) else { return Some(Vec::new()) };
    let count = |mv| {
        let mut next = *position;
        next.play_unchecked(mv);
        Some((mv, perft_while(&next, left, go_on)?))
    };
    position.legal_moves().map(count).collect()
}
