//! Matches between two agents, in pairs of games that begin alike with the seats swapped.

mod statistics;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use oanquan_core::{Move, Position, Side};

use crate::agent::Seats;
use crate::rng::mix;
use crate::{Agent, Finished, GameStream, Limits, Playout};

pub use statistics::{Pentanomial, Sprt, Verdict};

/// How often an opening is drawn anew that ends the game.
const ATTEMPTS: u32 = 1000;
/// What the seed of the openings differs by from that of the games.
const OPENINGS: u64 = 0x6F70_656E_696E_6773;

/// What to play.
///
/// Pair i begins with as many random moves as are wanted, drawn from a stream of the seed and i. Both its games go on from
/// there, the first with the first agent as side a, the second with the other; they have the numbers 2i and 2i + 1 and
/// the streams of these, which the agents draw from. So a pair is the same whoever else plays and on however many
/// threads.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::agent;
/// use oanquan_engine::arena::Match;
/// let agents = ["greedy", "random"].map(|name| agent::parse(name).unwrap());
/// let wanted = Match::new(Position::start(Rules::default()), agents, 100);
/// assert_eq!((wanted.opening_plies, wanted.seed, wanted.threads), (4, 0, 1));
/// ```
#[derive(Clone)]
pub struct Match {
    /// Where every opening begins: a position of two sides.
    pub start: Position,
    /// Who plays.
    pub agents: [Arc<dyn Agent>; 2],
    /// How many pairs to play, at most.
    pub pairs: u64,
    /// The number of the first pair, so that a match can be played in parts.
    pub first_pair: u64,
    /// How many random moves each pair begins with.
    pub opening_plies: u32,
    /// The seed of openings and agents.
    pub seed: u64,
    /// The limits of each game, its opening included.
    pub limits: Limits,
    /// How many threads to play on; 0 for as many as the machine runs at once.
    pub threads: usize,
    /// The test that ends the match when it settles.
    pub sprt: Option<Sprt>,
}

impl Match {
    /// So many pairs between these agents, with openings of four plies, seed 0, the default limits, on one thread.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::agent;
    /// use oanquan_engine::arena::Match;
    /// let agents = ["greedy", "random"].map(|name| agent::parse(name).unwrap());
    /// assert!(Match::new(Position::start(Rules::default()), agents, 100).sprt.is_none());
    /// ```
    pub fn new(start: Position, agents: [Arc<dyn Agent>; 2], pairs: u64) -> Self {
        let limits = Limits::default();
        Self { start, agents, pairs, first_pair: 0, opening_plies: 4, seed: 0, limits, threads: 1, sprt: None }
    }

    /// The opening of a pair. A draw that ends the game is thrown away; where every one does, the opening is empty.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::agent;
    /// use oanquan_engine::arena::Match;
    /// let agents = ["greedy", "random"].map(|name| agent::parse(name).unwrap());
    /// let wanted = Match::new(Position::start(Rules::default()), agents, 100);
    /// assert_eq!(wanted.opening(3).len(), 4);
    /// assert_eq!(wanted.opening(3), wanted.opening(3));
    /// ```
    pub fn opening(&self, pair: u64) -> Vec<Move> {
        let stream = GameStream::new(mix(self.seed ^ OPENINGS), pair);
        for attempt in 0..ATTEMPTS {
            let (mut position, mut moves) = (self.start, Vec::new());
            for ply in 0..self.opening_plies {
                let legal = position.legal_moves();
                let drawn =
                    stream.below(attempt.wrapping_mul(self.opening_plies).wrapping_add(ply), legal.len() as u32);
                let Some(mv) = position.legal_moves().nth(drawn as usize) else { break };
                position.play_unchecked(mv);
                moves.push(mv);
            }
            if !position.is_over() {
                return moves;
            }
        }
        Vec::new()
    }
}

/// A game of a match.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::agent;
/// use oanquan_engine::arena::{Match, play_match};
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let agents = ["greedy", "random"].map(|name| agent::parse(name).unwrap());
/// let wanted = Match::new(Position::start(Rules::default()), agents, 1);
/// let [first, second] = &play_match(&wanted, &AtomicBool::new(false), &AtomicU64::new(0)).pairs[0].games;
/// assert_eq!(first.moves[..4], second.moves[..4]);
/// assert_eq!(first.moves.len(), first.finished.plies as usize);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchGame {
    /// How it came out.
    pub finished: Finished,
    /// Its moves, those of the opening included.
    pub moves: Vec<Move>,
}

/// Two games that begin alike: the first with the first agent as side a, the second with the other.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::agent;
/// use oanquan_engine::arena::{Match, play_match};
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let agents = ["greedy", "random"].map(|name| agent::parse(name).unwrap());
/// let wanted = Match::new(Position::start(Rules::default()), agents, 1);
/// let result = play_match(&wanted, &AtomicBool::new(false), &AtomicU64::new(0));
/// assert!(result.pairs[0].half_points() <= 4);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// How many of the moves are the opening's.
    pub opening_plies: u32,
    /// The games.
    pub games: [MatchGame; 2],
}

impl Pair {
    /// The half points of the first agent: two for a win, one for a draw, of both games.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::agent;
    /// use oanquan_engine::arena::{Match, play_match};
    /// use std::sync::atomic::{AtomicBool, AtomicU64};
    /// let agents = ["random", "random"].map(|name| agent::parse(name).unwrap());
    /// let wanted = Match::new(Position::start(Rules::default()), agents, 50);
    /// let result = play_match(&wanted, &AtomicBool::new(false), &AtomicU64::new(0));
    /// let sum: usize = result.pairs.iter().map(|pair| pair.half_points()).sum();
    /// assert_eq!(sum as f64 / 200.0, result.pentanomial.score());
    /// ```
    pub fn half_points(&self) -> usize {
        let of = |(game, side): (&MatchGame, Side)| match game.finished.outcome.winner {
            None => 1,
            Some(winner) => 2 * usize::from(winner == side),
        };
        self.games.iter().zip([Side::A, Side::B]).map(of).sum()
    }
}

/// What a match came to.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::agent;
/// use oanquan_engine::arena::{Match, Sprt, Verdict, play_match};
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let agents = ["greedy", "random"].map(|name| agent::parse(name).unwrap());
/// let sprt = Some(Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 });
/// let wanted = Match { sprt, ..Match::new(Position::start(Rules::default()), agents, 10_000) };
/// let result = play_match(&wanted, &AtomicBool::new(false), &AtomicU64::new(0));
/// assert_eq!(result.verdict, Some(Verdict::Stronger));
/// assert!(result.pairs.len() < 1000);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatchResult {
    /// The pairs, in order from the first on: all that were wanted, or those until the test settled or the flag was set.
    pub pairs: Vec<Pair>,
    /// How often a pair came to which score.
    pub pentanomial: Pentanomial,
    /// What the test came to, if there is one and it settled.
    pub verdict: Option<Verdict>,
}

/// Plays a match. Pairs are counted in `done` as they end. Once `stop` is set every thread ends soon, and the result is
/// that of the pairs from the first on that were finished; it is set here when the test settles.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::agent;
/// use oanquan_engine::arena::{Match, play_match};
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let agents = ["cautious", "greedy"].map(|name| agent::parse(name).unwrap());
/// let wanted = Match::new(Position::start(Rules::default()), agents, 100);
/// let result = play_match(&wanted, &AtomicBool::new(false), &AtomicU64::new(0));
/// assert!(result.pentanomial.pairs() == 100 && result.pentanomial.elo() > 0.0);
/// let threads = play_match(&Match { threads: 2, ..wanted }, &AtomicBool::new(false), &AtomicU64::new(0));
/// assert_eq!(threads, result);
/// ```
///
/// # Panics
/// If an agent panics, or the position has more than two sides.
pub fn play_match(wanted: &Match, stop: &AtomicBool, done: &AtomicU64) -> MatchResult {
    assert_eq!(wanted.start.rules().sides, 2, "a match is played by two sides");
    let threads = match wanted.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let threads = (threads as u64).clamp(1, wanted.pairs.max(1));
    let (table, next) = (Mutex::new(Table::default()), AtomicU64::new(0));
    let work = || {
        let mut players = Players::new(wanted);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= wanted.pairs || stop.load(Ordering::Relaxed) {
                return;
            }
            let Some(pair) = players.play(wanted.first_pair.wrapping_add(number), stop) else { return };
            let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
            table.put(number, pair, wanted.sprt.as_ref());
            done.store(table.result.pentanomial.pairs(), Ordering::Relaxed);
            if table.result.verdict.is_some() {
                stop.store(true, Ordering::Relaxed);
                return;
            }
        }
    };
    thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        work();
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    table.into_inner().unwrap_or_else(PoisonError::into_inner).result
}

/// What is known of a match while it is played. Pairs count in their order: what a test says of the first so many does not
/// depend on who was quickest.
#[derive(Default)]
struct Table {
    result: MatchResult,
    /// Pairs that wait for earlier ones.
    early: Vec<(u64, Pair)>,
}

impl Table {
    fn put(&mut self, number: u64, pair: Pair, sprt: Option<&Sprt>) {
        self.early.push((number, pair));
        while self.result.verdict.is_none() {
            let next = self.result.pairs.len() as u64;
            let Some(place) = self.early.iter().position(|(number, _)| *number == next) else { return };
            let (_, pair) = self.early.swap_remove(place);
            self.result.pentanomial.counts[pair.half_points()] += 1;
            self.result.pairs.push(pair);
            self.result.verdict = sprt.and_then(|sprt| sprt.verdict(&self.result.pentanomial));
        }
    }
}

/// Plays pairs, one after the other.
struct Players<'a> {
    wanted: &'a Match,
    playout: Playout,
    swapped: [Arc<dyn Agent>; 2],
}

impl<'a> Players<'a> {
    fn new(wanted: &'a Match) -> Self {
        let [first, second] = &wanted.agents;
        let swapped = [second.clone(), first.clone()];
        Self { wanted, playout: Playout::new(wanted.start, wanted.limits), swapped }
    }

    /// `None` once `stop` is set.
    fn play(&mut self, number: u64, stop: &AtomicBool) -> Option<Pair> {
        let opening = self.wanted.opening(number);
        let mut game = |agents: &[Arc<dyn Agent>; 2], game: u64| {
            let stream = GameStream::new(self.wanted.seed, number.wrapping_mul(2).wrapping_add(game));
            let finished = self.playout.run_after(&opening, stop, &Seats(agents), stream)?;
            Some(MatchGame { finished, moves: self.playout.moves().to_vec() })
        };
        let games = [game(&self.wanted.agents, 0)?, game(&self.swapped, 1)?];
        // A limit of plies may have ended both games within the opening.
        let opening_plies = opening.len().min(games[0].moves.len()) as u32;
        Some(Pair { opening_plies, games })
    }
}
