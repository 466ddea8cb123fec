//! What a search found.

use std::fmt;
use std::time::Duration;

use oanquan_core::{Ending, IllegalMove, Move};

/// How the best move was looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Two sides: principal variation search, which finds what minimax finds.
    AlphaBeta,
    /// Three and four sides: every side takes what puts it furthest ahead of the best of the others.
    MaxN,
}

impl Method {
    /// The name of the method.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::search::Method::MaxN.name(), "max^n");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => "alpha-beta",
            Self::MaxN => "max^n",
        }
    }
}

/// A first move, what it is worth and how it goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The moves, best play by both; never empty. It may end before the depth of the search where the game does, or where
    /// an endgame table has the value.
    pub moves: Vec<Move>,
    /// The final margin of the side to move by this line, in hundredths of a point: a guess, unless it is proven.
    pub score: i32,
    /// After this move the side to move can make sure of so much: proven by games that end, and by endgame tables.
    pub lower: Option<i32>,
    /// After this move the other side can make sure that the margin is no more: proven alike.
    pub upper: Option<i32>,
}

impl Line {
    /// Whether the value of the move is settled.
    ///
    /// ```
    /// use oanquan_core::{Move, Side};
    /// let moves = vec![Move::from_action(Side::A, 0).unwrap()];
    /// let line = oanquan_engine::search::Line { moves, score: 300, lower: Some(3), upper: None };
    /// assert!(!line.is_settled());
    /// ```
    pub fn is_settled(&self) -> bool {
        self.lower.is_some() && self.lower == self.upper
    }
}

/// What a search found. All margins are final ones, seen from the side to move: its points minus the other's, by the
/// count.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// How it was found.
    pub method: Method,
    /// The depth that was searched to its end, in plies.
    pub depth: u32,
    /// The best moves, the best first; as many as were asked for, or all there are.
    pub lines: Vec<Line>,
    /// The side to move can make sure of so much: proven, as in [`Line::lower`].
    pub lower: Option<i32>,
    /// The other side can make sure that it is no more.
    pub upper: Option<i32>,
    /// Positions reached by playing a move, by all threads.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// The share of the table that the search has written, 0 to 1.
    pub table_used: f64,
}

impl Analysis {
    /// The best move.
    ///
    /// ```
    /// use oanquan_core::{Game, Position, Rules};
    /// use oanquan_engine::search::{Limits, Options, search};
    /// use std::sync::atomic::AtomicBool;
    /// let game = Game::new(Position::start(Rules::default()));
    /// let options = Options { limits: Limits { depth: Some(3), ..Limits::default() }, ..Options::default() };
    /// let analysis = search(&game, &options, &AtomicBool::new(false), &mut |_| ()).unwrap();
    /// assert_eq!(analysis.best(), analysis.lines[0].moves[0]);
    /// ```
    pub fn best(&self) -> Move {
        self.lines[0].moves[0]
    }

    /// The score of the best move, in hundredths of a point.
    ///
    /// ```
    /// use oanquan_core::{Game, Position, Rules};
    /// use oanquan_engine::search::{Limits, Options, search};
    /// use std::sync::atomic::AtomicBool;
    /// let rules = Rules::parse("squares=2,pebbles=1").unwrap();
    /// let game = Game::new(Position::parse("0.1.0/1.0.0q1 0/2q1 - a 5", rules).unwrap());
    /// let options = Options { limits: Limits { depth: Some(9), ..Limits::default() }, ..Options::default() };
    /// let analysis = search(&game, &options, &AtomicBool::new(false), &mut |_| ()).unwrap();
    /// assert_eq!(analysis.score(), analysis.lines[0].score);
    /// ```
    pub fn score(&self) -> i32 {
        self.lines[0].score
    }

    /// Whether the value is settled: the proven bounds are equal.
    ///
    /// ```
    /// use oanquan_core::{Game, Position, Rules};
    /// use oanquan_engine::search::{Limits, Options, search};
    /// use std::sync::atomic::AtomicBool;
    /// let game = Game::new(Position::start(Rules::default()));
    /// let options = Options { limits: Limits { depth: Some(3), ..Limits::default() }, ..Options::default() };
    /// assert!(!search(&game, &options, &AtomicBool::new(false), &mut |_| ()).unwrap().is_settled());
    /// ```
    pub fn is_settled(&self) -> bool {
        self.lower.is_some() && self.lower == self.upper
    }
}

/// Why there is nothing to search.
#[derive(Clone, Debug)]
pub enum SearchError {
    /// The game is over.
    Over(Ending),
    /// A move that was to be looked at is not legal.
    Illegal(IllegalMove),
    /// A side has more in its store, or owes more, than a search can count with.
    Store(i64),
    /// There is no room for a table of so many bytes.
    Memory(usize),
}

/// The most that a store may hold, in points.
pub(crate) const MOST_STORE: i32 = 1_000_000;

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(ending) => write!(f, "expected a position in play, got one that is over ({ending})"),
            Self::Illegal(error) => error.fmt(f),
            Self::Store(points) => write!(f, "expected stores of at most {MOST_STORE} points, got {points}"),
            Self::Memory(bytes) => write!(f, "no room for a table of {bytes} bytes"),
        }
    }
}

impl std::error::Error for SearchError {}
