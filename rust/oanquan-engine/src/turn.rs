//! A decision: the position, its legal moves and the draw of the ply.

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
#[derive(Clone, Debug)]
pub struct Turn<'a> {
    position: &'a Position,
    draw: u64,
    moves: Moves,
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
        Self { position, draw, moves: position.legal_moves() }
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
        self.moves.clone()
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
    pub fn count(&self) -> u32 {
        self.moves.len() as u32
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
        self.moves().nth(place.min(self.moves.len().checked_sub(1)?))
    }
}

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
