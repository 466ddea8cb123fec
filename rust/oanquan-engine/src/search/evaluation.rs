//! What a position is worth where a search looks no further: the one place that says so.

use oanquan_core::duel::{Duel, DuelRules};
use oanquan_core::{Ending, MAX_SIDES, Position};

/// Hundredths in a point: scores are whole numbers of hundredths of a point.
pub const POINT: i32 = 100;

/// A guess at the further difference: what the margin of the side to move still changes by until the game is counted, in
/// hundredths of a point.
///
/// It is the sum of three parts, each with its weight: the pebbles in the own row minus those in the other's; how many
/// squares of the own row hold pebbles, minus those of the other's, since who has more moves runs dry later; and the turn
/// itself. The weights stand in the constants of this file; a search by them asks for nothing else.
///
/// It is a function of the rules and of what [`Future::Board`](oanquan_core::duel::Future::Board) names, and a board and
/// its mirror are worth the same to it.
///
/// ```
/// use oanquan_core::duel::DuelRules;
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::search::Evaluation;
/// let rules = DuelRules::new(Rules::default()).unwrap();
/// let evaluation = Evaluation::new(&rules);
/// let start = rules.duel(&Position::start(Rules::default()));
/// let mut poorer = start;
/// rules.play(&mut poorer, 0);
/// assert!(evaluation.future(&start) > 0);
/// assert_eq!(evaluation.future(&poorer), evaluation.future(&rules.mirror(&poorer)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// Where the other's row begins, in bits.
    half: u32,
}

// In hundredths of a point: near what least squares make of the games that searches play against each other.

/// A pebble more in the own row.
const PEBBLE: i32 = 15;
/// A square more that can be moved from.
const SQUARE: i32 = 185;
/// The turn.
const TURN: i32 = 400;

/// For each side of a position by any rules the points that it is expected to have at the end, in hundredths, by the same
/// weights: how far ahead a side is, not the sum, is meant. Of a position that is over, its points; who has lost because
/// it could not re-seed is behind by all points of the game.
pub(crate) fn expected(position: &Position) -> [i32; MAX_SIDES] {
    let rules = position.rules();
    let points = position.points();
    let mut worth = [0; MAX_SIDES];
    let rows = position.pebbles().chunks(usize::from(rules.squares) + 1).map(|half| &half[..half.len() - 1]);
    for ((worth, &points), row) in worth.iter_mut().zip(points.as_slice()).zip(rows.clone()) {
        *worth = POINT * points;
        if !position.is_over() {
            let (sum, count) = row.iter().fold((0, 0), |(sum, n), &p| (sum + i32::from(p), n + i32::from(p > 0)));
            *worth += PEBBLE * sum + SQUARE * count;
        }
    }
    let mover = position.turn().index();
    match position.ending() {
        None => worth[mover] += TURN,
        Some(Ending::Loses) => {
            let is_empty: Vec<_> = rows.map(|row| row.iter().all(|&pebbles| pebbles == 0)).collect();
            let loser = (0..is_empty.len()).map(|seat| (mover + seat) % is_empty.len()).find(|&side| is_empty[side]);
            worth[loser.unwrap_or(mover)] -= POINT * rules.total_points();
        }
        Some(_) => (),
    }
    worth
}

const ONES: u64 = u64::MAX / 0xFF;
const HIGHS: u64 = ONES << 7;

impl Evaluation {
    /// The evaluation for those rules.
    ///
    /// ```
    /// use oanquan_core::{Rules, duel::DuelRules};
    /// use oanquan_engine::search::Evaluation;
    /// let rules = DuelRules::new(Rules::default()).unwrap();
    /// assert_eq!(Evaluation::new(&rules), Evaluation::new(&rules));
    /// ```
    pub fn new(rules: &DuelRules) -> Self {
        let squares = u32::from(rules.rules().squares);
        Self { half: 8 * (squares + 1) }
    }

    /// The guess for a position in play, in hundredths of a point, seen from the side to move.
    ///
    /// ```
    /// use oanquan_core::{Rules, duel::DuelRules};
    /// use oanquan_engine::search::Evaluation;
    /// let rules = DuelRules::new(Rules::parse("squares=2").unwrap()).unwrap();
    /// let evaluation = Evaluation::new(&rules);
    /// let (more, fewer) = (rules.board(0x01_01_00_03_03, 0b11), rules.board(0x03_03_00_01_01, 0b11));
    /// assert!(evaluation.future(&more) > evaluation.future(&fewer));
    /// ```
    #[inline]
    pub fn future(&self, duel: &Duel) -> i32 {
        /// Half of the standard ring, which is most of what is played: there the shifts are by constants.
        const STANDARD: u32 = 48;
        if self.half == STANDARD { weigh(duel, STANDARD) } else { weigh(duel, self.half) }
    }
}

/// The sum, where half of the ring has so many bits.
#[allow(clippy::inline_always, reason = "half is to be a constant in it")]
#[inline(always)]
fn weigh(duel: &Duel, half: u32) -> i32 {
    let pebbles = duel.pebbles();
    let above = pebbles >> half;
    let last = half - 8;
    let row = u64::MAX >> (u64::BITS - last);
    let (own, other) = (pebbles as u64 & row, above as u64 & row);
    PEBBLE * (sum(own) - sum(other)) + SQUARE * (occupied(own) - occupied(other)) + TURN
}

/// The sum of bytes, 255 at most.
#[inline]
const fn sum(bytes: u64) -> i32 {
    (bytes.wrapping_mul(ONES) >> 56) as i32
}

/// How many of the bytes are not zero.
#[inline]
const fn occupied(bytes: u64) -> i32 {
    let highs = (((bytes & !HIGHS) + !HIGHS) | bytes) & HIGHS;
    sum(highs >> 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_summed_and_counted() {
        for bytes in [[0; 8], [0, 1, 0, 2, 0x80, 0, 0, 0], [255, 0, 0, 0, 0, 0, 0, 0], [1; 8], [31; 8]] {
            let number = u64::from_le_bytes(bytes);
            assert_eq!(sum(number), bytes.iter().map(|&byte| i32::from(byte)).sum());
            assert_eq!(occupied(number), bytes.iter().filter(|&&byte| byte > 0).count() as i32);
        }
    }
}
