//! The solver: bounds of the value of a position proved from below and from above until they meet, and certificates of them.
//!
//! | room | duty |
//! |---|---|
//! | `facts` | what is proved, by exact keys |
//! | `numbers` | how much is left to prove, as far as it is remembered |
//! | `room` | memory for both |
//! | `search` | can the side to move make the game end with so much? |
//! | `bankruptcy` | what is proved for many stores at once, where a shortfall loses |
//! | `held` | proofs that no more can be forced, where every line goes round |
//! | `race` | both bounds, narrowed until they meet |
//! | `ranks` | numbers that fall along every line of a strategy |
//! | `extract` | the strategies behind the bounds, as a [`Certificate`] |
//!
//! The definitions, the method and why it is sound stand in [`solving`](crate::solving).

mod bankruptcy;
mod extract;
mod facts;
mod held;
mod numbers;
mod race;
mod ranks;
mod room;
mod search;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use oanquan_core::duel::DuelRules;
use oanquan_core::{Move, Position};

use crate::Probe;
use crate::certificate::Certificate;
use race::Goal;
use search::Searcher;

/// What is proved of a final margin, points of the side to move minus those of the other; `None` where nothing is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Interval {
    /// The side to move can get at least so much.
    pub lower: Option<i32>,
    /// The other side can hold it to at most so much.
    pub upper: Option<i32>,
    /// The side to move cannot force more: the other side can go on for ever.
    pub lower_is_best: bool,
    /// The other side cannot force it to less: the side to move can go on for ever.
    pub upper_is_best: bool,
}

impl Interval {
    /// The value, if both bounds are the same.
    pub fn exact(&self) -> Option<i32> {
        self.lower.filter(|_| self.lower == self.upper)
    }

    /// Whether nothing is left to find out: the bounds are the same, or both are the best there are.
    pub fn is_settled(&self) -> bool {
        self.exact().is_some() || self.lower_is_best && self.upper_is_best
    }

    /// What a game is worth that is over.
    const fn of(value: i32) -> Self {
        Self { lower: Some(value), upper: Some(value), lower_is_best: false, upper_is_best: false }
    }

    /// As the other side sees it.
    fn negated(self) -> Self {
        let [lower, upper] = [self.upper, self.lower].map(|bound| bound.map(|value| -value));
        Self { lower, upper, lower_is_best: self.upper_is_best, upper_is_best: self.lower_is_best }
    }

    /// Whether the bounds cross: then one of them is false.
    fn crossed(&self) -> bool {
        self.lower.zip(self.upper).is_some_and(|(lower, upper)| lower > upper)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |bound: Option<i32>| bound.map_or_else(|| String::from("?"), |value| value.to_string());
        match self.exact() {
            Some(value) => write!(f, "{value}"),
            None => write!(f, "{} to {}", bound(self.lower), bound(self.upper)),
        }
    }
}

/// How far to go.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Positions reached by playing a move, at most.
    pub nodes: u64,
    /// No longer than until then.
    pub deadline: Option<Instant>,
    /// Bytes of all tables together.
    pub table_bytes: usize,
    /// 1, or more for both bounds at once. With one thread and no deadline the outcome is always the same.
    pub threads: usize,
    /// Settle the moves of the position too, each by itself.
    pub moves: bool,
    /// What is known of endgames: a table must [serve](crate::Tablebase::serves) the rules.
    pub tables: Option<&'a dyn Probe>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { nodes: u64::MAX, deadline: None, table_bytes: 1 << 28, threads: 1, moves: true, tables: None }
    }
}

/// How a solver is getting on, told while it runs.
#[derive(Debug)]
pub struct Telling {
    nodes: AtomicU64,
    lower: AtomicI32,
    upper: AtomicI32,
    plies: [AtomicU32; 2],
    decisions: AtomicU64,
}

impl Default for Telling {
    fn default() -> Self {
        Self {
            nodes: AtomicU64::new(0),
            lower: AtomicI32::new(-race::UNKNOWN),
            upper: AtomicI32::new(race::UNKNOWN),
            plies: [AtomicU32::new(0), AtomicU32::new(0)],
            decisions: AtomicU64::new(0),
        }
    }
}

impl Telling {
    /// Positions looked at, told every few thousand.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// What is proved of the position so far.
    pub fn interval(&self) -> Interval {
        let known =
            |bound: &AtomicI32| Some(bound.load(Ordering::Relaxed)).filter(|value| value.abs() != race::UNKNOWN);
        Interval { lower: known(&self.lower), upper: known(&self.upper), ..Interval::default() }
    }

    /// How many plies the longest line had that was looked at for the lower and for the upper bound.
    pub fn plies(&self) -> [u32; 2] {
        self.plies.each_ref().map(|plies| plies.load(Ordering::Relaxed))
    }

    /// Decisions of the certificate so far, once it is being written down.
    pub fn decisions(&self) -> u64 {
        self.decisions.load(Ordering::Relaxed)
    }
}

/// Why there is no solution.
#[derive(Debug)]
pub enum SolveError {
    /// The rules are of another number of sides than two.
    Sides(u8),
    /// The position is over.
    Over(Box<Position>),
    /// Stores or margin are greater than the tables can tell apart.
    Stores(Box<Position>),
    /// There is no room for tables of that many bytes.
    Memory(usize),
    /// A lower bound came out above an upper one: an error in this program. Nothing it says may be believed.
    Unsound(Interval),
    /// The proof of a position could not be found again in this table.
    Lost(String),
    /// It was stopped before a certificate was complete.
    Stopped,
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sides(sides) => write!(f, "expected rules of 2 sides, got {sides}"),
            Self::Over(position) => write!(f, "expected a position in play, got {position}"),
            Self::Stores(position) => {
                write!(f, "expected stores and a margin below {} points, got {position}", race::MOST_POINTS)
            }
            Self::Memory(bytes) => write!(f, "no room for tables of {bytes} bytes"),
            Self::Unsound(interval) => {
                write!(f, "unsound: the bounds {interval} exclude each other; please report this")
            }
            Self::Lost(position) => {
                write!(f, "the proof of {position} has been lost for want of room: expected a greater table_size")
            }
            Self::Stopped => f.write_str("stopped before the certificate was complete"),
        }
    }
}

impl std::error::Error for SolveError {}

/// What was proved.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// Of the position.
    pub interval: Interval,
    /// Of each of its moves, in order: what the position is worth when that move is played.
    pub moves: Vec<(Move, Interval)>,
    /// Positions looked at.
    pub nodes: u64,
    /// How many plies the longest line had that was looked at for the lower and for the upper bound.
    pub plies: [u32; 2],
    /// How much of the room for what is proved was in use, 0 to 1.
    pub table_use: f64,
}

/// All points of a game: those on the board and those in the stores, debts too.
fn points_in(position: &Position) -> i32 {
    let value = i32::from(position.rules().mandarin_value);
    let board: i32 =
        position.squares().map(|(_, pebbles, mandarin)| i32::from(pebbles) + i32::from(mandarin) * value).sum();
    position.points().as_slice().iter().fold(board, |sum, points| sum.saturating_add(points.saturating_abs()))
}

/// A position being solved.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::solver::{Options, Solver, Telling};
/// use std::sync::atomic::AtomicBool;
///
/// let start = Position::start(Rules::parse("short-game,squares=2,pebbles=2")?);
/// let (stop, telling) = (AtomicBool::new(false), Telling::default());
/// let options = Options { table_bytes: 1 << 20, nodes: 1_000_000, ..Options::default() };
/// let mut solver = Solver::new(&start, options)?;
/// let solution = solver.run(&stop, &telling)?;
/// assert!(solution.interval.exact().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver<'a> {
    position: Position,
    options: Options<'a>,
    /// One for both bounds, or one for each.
    searchers: Vec<Searcher<'a>>,
    root: Goal,
    /// Of the moves that do not end the game.
    goals: Vec<(Move, Goal)>,
}

impl<'a> Solver<'a> {
    /// Prepares for a position, which must be in play and of two sides.
    ///
    /// # Errors
    /// [`SolveError`] when it is not, or has more in its stores than the tables can tell apart.
    pub fn new(position: &Position, options: Options<'a>) -> Result<Self, SolveError> {
        let rules = DuelRules::new(*position.rules()).ok_or(SolveError::Sides(position.rules().sides))?;
        if position.is_over() {
            return Err(SolveError::Over(Box::new(*position)));
        }
        let duel = rules.duel(position);
        let most = duel.funds().into_iter().map(i32::saturating_abs).max().max(Some(duel.margin().saturating_abs()));
        if most > Some(race::MOST_POINTS) {
            return Err(SolveError::Stores(Box::new(*position)));
        }
        let count = options.threads.clamp(1, 2);
        let points = points_in(position);
        let searcher = |_| Searcher::new(rules, points, options.table_bytes / count, options.tables);
        let searchers = (0..count).map(searcher).collect::<Option<Vec<_>>>();
        let searchers = searchers.ok_or(SolveError::Memory(options.table_bytes))?;
        Ok(Self { position: *position, options, searchers, root: Goal::new(duel), goals: Vec::new() })
    }

    /// Proves bounds until they meet or a limit is reached.
    ///
    /// # Errors
    /// [`SolveError::Unsound`] if bounds exclude each other.
    pub fn run(&mut self, stop: &AtomicBool, telling: &Telling) -> Result<Solution, SolveError> {
        let deadline = self.options.deadline;
        let go_on = || !stop.load(Ordering::Relaxed) && deadline.is_none_or(|deadline| Instant::now() < deadline);
        for searcher in &mut self.searchers {
            searcher.facts.lay_out(go_on);
            searcher.memory.lay_out(go_on);
        }
        race::run(&mut self.searchers, &mut self.root, &self.options, stop, telling, true)?;
        let rules = self.searchers[0].rules;
        let mut moves = Vec::new();
        let mut goals: Vec<(Move, Goal)> = Vec::new();
        for mv in self.position.legal_moves() {
            let mut next = self.root.duel;
            rules.play(&mut next, mv.action());
            if next.is_over() {
                moves.push((mv, Interval::of(-rules.final_margin(&next))));
            } else {
                goals.push((mv, Goal::new(next)));
            }
        }
        // Mirror images are settled once.
        let board = |goal: &Goal| rules.canonical(&goal.duel).0;
        let twin = |number: usize| goals.iter().position(|(_, goal)| board(goal) == board(&goals[number].1));
        let twins: Vec<usize> = (0..goals.len()).map(|number| twin(number).unwrap_or(number)).collect();
        let mut left = twins.iter().enumerate().filter(|&(number, &twin)| number == twin).count();
        for (number, &twin) in twins.iter().enumerate() {
            if number != twin {
                goals[number].1 = Goal { duel: goals[number].1.duel, ..goals[twin].1.clone() };
            } else if self.options.moves {
                let share = self.share(left);
                race::run(&mut self.searchers, &mut goals[number].1, &share, stop, telling, false)?;
                left -= 1;
            } else {
                goals[number].1.recall_all(&self.searchers);
            }
        }
        moves.extend(goals.iter().map(|(mv, goal)| (*mv, goal.interval().negated())));
        moves.sort_by_key(|(mv, _)| mv.action());
        self.goals = goals;
        self.combine(&moves)?;
        let filling: f64 = self.searchers.iter().map(|searcher| searcher.facts.filling()).sum();
        Ok(Solution {
            interval: self.root.interval(),
            moves,
            nodes: self.searchers.iter().map(|searcher| searcher.nodes).sum(),
            plies: telling.plies(),
            table_use: filling / self.searchers.len() as f64,
        })
    }

    /// The limits for one of so many goals, when all are to have as much of what is left.
    fn share(&self, goals: usize) -> Options<'a> {
        let worked: u64 = self.searchers.iter().map(|searcher| searcher.nodes).sum();
        let nodes = match self.options.nodes {
            u64::MAX => u64::MAX,
            nodes => worked + nodes.saturating_sub(worked) / goals as u64,
        };
        let now = Instant::now();
        let deadline =
            self.options.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / goals as u32);
        Options { nodes, deadline, ..self.options }
    }

    /// The bounds of the position and those of its moves must not exclude each other: the best move is worth what the
    /// position is.
    fn combine(&self, moves: &[(Move, Interval)]) -> Result<(), SolveError> {
        let interval = self.root.interval();
        let upper = moves.iter().map(|(_, interval)| interval.upper).collect::<Option<Vec<_>>>();
        let best = Interval {
            lower: moves.iter().filter_map(|(_, interval)| interval.lower).max(),
            upper: upper.and_then(|bounds| bounds.into_iter().max()),
            ..Interval::default()
        };
        let mixed = [Interval { upper: best.upper, ..interval }, Interval { upper: interval.upper, ..best }];
        mixed
            .into_iter()
            .chain([best])
            .find(Interval::crossed)
            .map_or(Ok(()), |interval| Err(SolveError::Unsound(interval)))
    }

    /// Writes down the strategies behind the bounds of the position and of its moves. They still have to be
    /// [verified](crate::certificate::verify()): this is the search's own word.
    ///
    /// # Errors
    /// [`SolveError::Lost`] when the table was too small to keep a proof and it cannot be found again;
    /// [`SolveError::Stopped`].
    pub fn certificate(&mut self, stop: &AtomicBool, telling: &Telling) -> Result<Certificate, SolveError> {
        let mut extraction = extract::Extraction::new(&self.position, &mut self.searchers, stop, telling);
        extraction.add(&self.root, &self.position)?;
        for (mv, goal) in &self.goals {
            let mut position = self.position;
            position.play_unchecked(*mv);
            extraction.add(goal, &position)?;
        }
        extraction.finish()
    }
}
