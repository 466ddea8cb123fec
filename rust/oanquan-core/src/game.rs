//! Games: a position with its history, and the limits that no rule text has (rules section 6).

use alloc::vec::Vec;

use crate::seen::Seen;
use crate::{Ending, IllegalMove, Move, Outcome, Position};

/// Plies after which a game is counted, unless the caller says otherwise.
pub const DEFAULT_MAX_PLIES: u32 = 1000;
/// How often a position may stand before the game is counted, unless the caller says otherwise.
pub const DEFAULT_REPETITION: u32 = 3;

/// A game from its first position to the current one.
///
/// It ends with its position, or by the count when a position stands for the `repetition`-th time or `max_plies`
/// moves are made. Either limit can be switched off.
///
/// ```
/// use oanquan_core::{Ending, Game, Position, Rules};
/// let rules = Rules::parse("wikipedia-vi")?;
/// let start = Position::parse("1.0.2.0.2.0/1.1.1.1.1.6 8/26q2 - b 30", rules)?;
/// let mut game = Game::new(start);
/// while !game.is_over() {
///     let text = if game.moves().len() % 2 == 0 { "b4-" } else { "a2+" };
///     game.push(oanquan_core::Move::parse(text, None)?)?;
/// }
/// assert_eq!(game.outcome().unwrap().ending, Ending::Repetition);
/// assert_eq!(game.moves().len(), 4);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    /// The positions after each move.
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// Once there is a move: the start, and the positions after each move.
    seen: Seen,
    max_plies: Option<u32>,
    repetition: Option<u32>,
}

impl Game {
    /// A game from that position, with the default limits.
    pub const fn new(start: Position) -> Self {
        Self::with_limits(start, Some(DEFAULT_MAX_PLIES), Some(DEFAULT_REPETITION))
    }

    /// A game from that position with these limits; `None` switches one off.
    pub const fn with_limits(start: Position, max_plies: Option<u32>, repetition: Option<u32>) -> Self {
        Self { start, positions: Vec::new(), moves: Vec::new(), seen: Seen::new(), max_plies, repetition }
    }

    /// Where the game began.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Where it stands.
    pub fn position(&self) -> &Position {
        self.positions.last().unwrap_or(&self.start)
    }

    /// Every position, the first one included.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        core::iter::once(&self.start).chain(&self.positions)
    }

    /// The moves made.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plies after which the game is counted.
    pub const fn max_plies(&self) -> Option<u32> {
        self.max_plies
    }

    /// How often a position may stand before the game is counted.
    pub const fn repetition(&self) -> Option<u32> {
        self.repetition
    }

    /// Why the game is over: its position first, then repetition, then the limit of plies.
    pub fn ending(&self) -> Option<Ending> {
        let repeated = || self.repetition.is_some_and(|limit| self.occurrences() >= limit as usize);
        let long = || self.max_plies.is_some_and(|limit| self.moves.len() >= limit as usize);
        self.position()
            .ending()
            .or_else(|| repeated().then_some(Ending::Repetition))
            .or_else(|| long().then_some(Ending::MaxPlies))
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.ending().is_some()
    }

    /// How the game came out, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ending().map(|ending| self.position().outcome_by(ending))
    }

    /// How often the current position has stood.
    pub fn occurrences(&self) -> usize {
        if self.moves.is_empty() { 1 } else { self.seen.times() }
    }

    /// Makes a legal move.
    ///
    /// # Errors
    /// [`IllegalMove`] with the reason; then nothing changes.
    pub fn push(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if let Some(ending) = self.ending() {
            return Err(self.position().game_over(mv, ending));
        }
        let next = self.position().play(mv)?;
        if self.seen.len() == 0 {
            self.seen.push(&self.start, |_| &self.start);
        }
        self.seen.push(&next, |place| place.checked_sub(1).map_or(&self.start, |place| &self.positions[place]));
        self.positions.push(next);
        self.moves.push(mv);
        Ok(())
    }

    /// Takes the last move back, if there is one.
    pub fn pop(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.seen.pop();
        Some(mv)
    }
}
