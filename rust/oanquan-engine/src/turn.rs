//! A decision: the position, its legal moves and the draw of the ply.
//!
//! The legal moves are laid out as one number, four bits an action, without a branch that depends on which there are: a
//! random choice cannot be predicted, and a wrong guess costs the processor as much as a lap. Picking one is a shift.

use oanquan_core::{Move, Moves, Position};

use crate::{GameStream, rng};

/// What an agent chooses from. The position is not over, and it is the agent's side that moves.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{GameStream, Turn};
/// let start = Position::start(Rules::default());
/// let turn = Turn::new(&start, GameStream::new(7, 1), 0);
/// assert_eq!((turn.count(), turn.below(10)), (10, 9));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    position: &'a Position,
    draw: u64,
    /// The actions of the legal moves in order, four bits each from the lowest on.
    actions: u64,
    count: u32,
}

impl<'a> Turn<'a> {
    /// The decision in that position, on that stream, so many plies after the start of the game.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Agent, GameStream, Random, Turn};
    /// let start = Position::start(Rules::default());
    /// assert_eq!(Random.choose(&Turn::new(&start, GameStream::new(7, 1), 0)), 9);
    /// ```
    #[inline]
    pub fn new(position: &'a Position, stream: GameStream, ply: u32) -> Self {
        Self::with_draw(position, stream.draw(ply))
    }

    /// The decision in that position with that draw.
    #[inline]
    pub(crate) fn with_draw(position: &'a Position, draw: u64) -> Self {
        let mask = position.legal_mask();
        let (low, high) = (usize::from(mask & LOW), usize::from(mask >> HALF & LOW));
        let below = u32::from(ONES[low]);
        Self {
            position,
            draw,
            actions: ACTIONS[0][low] | ACTIONS[1][high] << (4 * below),
            count: below + u32::from(ONES[high]),
        }
    }

    /// The position.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{GameStream, Turn};
    /// let start = Position::start(Rules::default());
    /// assert_eq!(Turn::new(&start, GameStream::new(0, 0), 0).position(), &start);
    /// ```
    #[inline]
    pub const fn position(&self) -> &'a Position {
        self.position
    }

    /// The legal moves.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{GameStream, Turn};
    /// let start = Position::start(Rules::default());
    /// assert!(Turn::new(&start, GameStream::new(0, 0), 0).moves().eq(start.legal_moves()));
    /// ```
    #[inline]
    pub fn moves(&self) -> Moves {
        self.position.legal_moves()
    }

    /// How many legal moves there are.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{GameStream, Turn};
    /// let start = Position::start(Rules::default());
    /// assert_eq!(Turn::new(&start, GameStream::new(0, 0), 0).count(), 10);
    /// ```
    #[inline]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The draw of the ply; it can seed a [`GameStream`] where one number is not enough.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{GameStream, Turn};
    /// let start = Position::start(Rules::default());
    /// let stream = GameStream::new(7, 1);
    /// assert_eq!(Turn::new(&start, stream, 3).draw(), stream.draw(3));
    /// ```
    #[inline]
    pub const fn draw(&self) -> u64 {
        self.draw
    }

    /// The choice of the ply among `n`: [`GameStream::below`].
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{GameStream, Turn};
    /// let start = Position::start(Rules::default());
    /// let stream = GameStream::new(7, 1);
    /// assert_eq!(Turn::new(&start, stream, 3).below(4), stream.below(3, 4));
    /// ```
    #[inline]
    pub const fn below(&self, n: u32) -> u32 {
        rng::below(self.draw, n)
    }

    /// The legal move at that place, or the last one if it is past the end; `None` if there is no legal move.
    #[inline]
    pub(crate) fn nth_or_last(&self, place: usize) -> Option<Move> {
        let place = place.min(self.count.checked_sub(1)? as usize);
        let action = self.actions >> (4 * place as u32) & 0xF;
        Move::from_action(self.position.turn(), action as u8)
    }
}

/// Legal moves are looked up in halves of seven bits.
const HALF: u32 = 7;
const LOW: u16 = (1 << HALF) - 1;

/// How many bits are set in each half.
static ONES: [u8; 1 << HALF] = {
    let mut ones = [0; 1 << HALF];
    let mut half = 0;
    while half < ones.len() {
        ones[half] = half.count_ones() as u8;
        half += 1;
    }
    ones
};

/// The places of the set bits in order, four bits each; for the upper half, which begins at bit seven, too.
static ACTIONS: [[u64; 1 << HALF]; 2] = {
    let mut actions = [[0; 1 << HALF]; 2];
    let mut half = 0;
    while half < 1 << HALF {
        let (mut place, mut n) = (0, 0);
        while place < HALF {
            if half >> place & 1 != 0 {
                actions[0][half] |= (place as u64) << (4 * n);
                actions[1][half] |= ((place + HALF) as u64) << (4 * n);
                n += 1;
            }
            place += 1;
        }
        half += 1;
    }
    actions
};

#[cfg(test)]
mod tests {
    use super::*;
    use oanquan_core::{Rules, Setup};

    #[test]
    fn every_set_of_squares_and_every_place() {
        for directions in ["both", "counterclockwise", "clockwise"] {
            let rules = Rules::parse(&format!("squares=7,directions={directions}")).unwrap();
            for squares in 1..128 {
                let mut setup = Setup::empty(rules);
                for square in 0..7 {
                    setup.pebbles[square] = squares >> square & 1;
                }
                setup.pebbles[7] = 1;
                let position = setup.position().unwrap();
                let turn = Turn::new(&position, GameStream::new(0, 0), 0);
                let moves: Vec<_> = position.legal_moves().collect();
                assert_eq!(turn.count(), moves.len() as u32);
                for place in (0..20).chain([usize::MAX]) {
                    let expected = moves.get(place).or(moves.last());
                    assert_eq!(turn.nth_or_last(place).as_ref(), expected, "{position}, place {place}");
                }
            }
        }
    }

    #[test]
    fn no_move_when_the_game_is_over() {
        let rules = Rules::default();
        let over = Position::parse("0.1.0.0.0.0/0.0.0.2.0.0 20/27q2 - a 40 mandarins", rules).unwrap();
        let turn = Turn::new(&over, GameStream::new(0, 0), 0);
        assert_eq!((turn.count(), turn.nth_or_last(0)), (0, None));
    }
}
