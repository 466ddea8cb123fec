//! One game from its start to its end, under the limits of a game.

use std::sync::atomic::{AtomicBool, Ordering};

use oanquan_core::game::{DEFAULT_MAX_PLIES, DEFAULT_REPETITION};
use oanquan_core::{Ending, Move, Outcome, Position};

use crate::history::{Heard, History};
use crate::{Agent, GameStream, Turn};

/// The limits of a game (rules section 6); `None` switches one off.
///
/// Without limits a game can go round for ever, and then so does a playout.
///
/// ```
/// let limits = oanquan_engine::Limits::default();
/// assert_eq!((limits.max_plies, limits.repetition), (Some(1000), Some(3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Plies after which the game is counted.
    pub max_plies: Option<u32>,
    /// How often a position may stand before the game is counted.
    pub repetition: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_plies: Some(DEFAULT_MAX_PLIES), repetition: Some(DEFAULT_REPETITION) }
    }
}

/// A finished game.
///
/// ```
/// use oanquan_core::{Ending, Position, Rules};
/// use oanquan_engine::{GameStream, Limits, Playout, Random};
/// let finished = Playout::new(Position::start(Rules::default()), Limits::default()).run(&Random, GameStream::new(0, 0));
/// assert_eq!((finished.plies, finished.outcome.ending), (4, Ending::Mandarins));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finished {
    /// How it came out: what [`oanquan_core::Game::outcome`] says of the same moves under the same limits.
    pub outcome: Outcome,
    /// How many moves were made.
    pub plies: u32,
    /// The first move, if there was one.
    pub opening: Option<Move>,
    /// How many rows were re-seeded.
    pub reseedings: u32,
    /// How many loans were made, one for each lender.
    pub loans: u32,
    /// How many pebbles were lent.
    pub pebbles_lent: u32,
}

/// Plays games from one position, one after the other; its memory is used again.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{GameStream, Limits, Playout, Random};
///
/// let mut playout = Playout::new(Position::start(Rules::default()), Limits::default());
/// let finished = playout.run(&Random, GameStream::new(7, 0));
/// assert_eq!(finished.outcome.points.as_slice().iter().sum::<i32>(), 70);
/// assert_eq!(playout.run(&Random, GameStream::new(7, 0)), finished);
/// ```
pub struct Playout {
    start: Position,
    max_plies: u32,
    history: History,
    moves: Vec<Move>,
}

impl Playout {
    /// Playouts from that position under those limits.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{GameStream, Limits, Playout, Random};
    /// let limits = Limits { max_plies: Some(3), repetition: None };
    /// let mut playout = Playout::new(Position::start(Rules::default()), limits);
    /// assert_eq!(playout.run(&Random, GameStream::new(0, 0)).plies, 3);
    /// ```
    pub fn new(start: Position, limits: Limits) -> Self {
        // A game of 2^32 plies without repetition is out of reach: no limit is the same as that one.
        let max_plies = limits.max_plies.unwrap_or(u32::MAX);
        Self { start, max_plies, history: History::new(limits.repetition), moves: Vec::new() }
    }

    /// The moves of the last game, as far as it was played.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{GameStream, Limits, Playout, Random};
    /// let mut playout = Playout::new(Position::start(Rules::default()), Limits::default());
    /// let finished = playout.run(&Random, GameStream::new(7, 0));
    /// assert_eq!(playout.moves().len(), finished.plies as usize);
    /// assert_eq!(playout.moves().first().copied(), finished.opening);
    /// ```
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays one game, every side by that agent, on that stream.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{GameStream, Greedy, Limits, Playout, Random};
    /// let mut playout = Playout::new(Position::start(Rules::default()), Limits::default());
    /// let random = playout.run(&Random, GameStream::new(7, 0));
    /// let greedy = playout.run(&Greedy, GameStream::new(7, 0));
    /// assert_ne!(random, greedy);
    /// ```
    pub fn run<A: Agent + ?Sized>(&mut self, agent: &A, stream: GameStream) -> Finished {
        static NEVER: AtomicBool = AtomicBool::new(false);
        loop {
            if let Some(finished) = self.run_unless(&NEVER, agent, stream) {
                return finished;
            }
        }
    }

    /// [`run`](Self::run), given up (`None`) before the next move once `stop` is set.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{GameStream, Limits, Playout, Random};
    /// use std::sync::atomic::AtomicBool;
    /// let mut playout = Playout::new(Position::start(Rules::default()), Limits::default());
    /// assert!(playout.run_unless(&AtomicBool::new(true), &Random, GameStream::new(7, 0)).is_none());
    /// ```
    pub fn run_unless<A: Agent + ?Sized>(
        &mut self,
        stop: &AtomicBool,
        agent: &A,
        stream: GameStream,
    ) -> Option<Finished> {
        self.run_after(&[], stop, agent, stream)
    }

    /// [`run_unless`](Self::run_unless) with the first moves given, which must be legal.
    #[inline]
    pub(crate) fn run_after<A: Agent + ?Sized>(
        &mut self,
        opening: &[Move],
        stop: &AtomicBool,
        agent: &A,
        stream: GameStream,
    ) -> Option<Finished> {
        let mut position = self.start;
        let mut plies = 0;
        let mut heard = Heard::default();
        let mut draw = stream.draw(0);
        self.history.clear();
        self.moves.clear();
        let ending = loop {
            // What the choice needs comes first, and the next draw before the move: the processor works on them while it
            // waits for the board.
            let turn = Turn::with_draw(&position, draw);
            let repeated = self.history.push(&position, &heard);
            if let Some(ending) = position.ending() {
                break ending;
            }
            if repeated {
                break Ending::Repetition;
            }
            if plies >= self.max_plies {
                break Ending::MaxPlies;
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let mv = match opening.get(plies as usize) {
                Some(&mv) => mv,
                // A position that is not over has a legal move.
                None => turn.nth_or_last(agent.choose_unless(&turn, stop)?)?,
            };
            plies += 1;
            draw = stream.draw(plies);
            self.moves.push(mv);
            position.play_with(mv, &mut heard);
        };
        let outcome = position.outcome_by(ending);
        let Heard { reseedings, loans, pebbles_lent, .. } = heard;
        Some(Finished { outcome, plies, opening: self.moves.first().copied(), reseedings, loans, pebbles_lent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use oanquan_core::Rules;

    #[test]
    fn memory_does_not_grow_with_the_number_of_games() {
        let start = Position::start(Rules::parse("four-players").unwrap());
        let mut playout = Playout::new(start, Limits { max_plies: Some(200), repetition: Some(3) });
        for game in 0..2000 {
            playout.run(&Random, GameStream::new(0, game));
        }
        assert!(playout.history.capacity() <= 256, "{} positions", playout.history.capacity());
    }
}
