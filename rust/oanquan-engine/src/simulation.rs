//! Many games on many threads, and the same numbers however many.
//!
//! Threads take ranges of games from one counter, sum what they play in whole numbers, and the sums are added at the
//! end. A game depends on its number alone and addition does not mind the order, so the summary does not depend on the
//! number of threads. Nothing is kept of a game but its part in the sums.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use oanquan_core::Position;

use crate::agent::Seats;
use crate::lanes::{Kernel, Path};
use crate::{Agent, Collect, GameStream, Limits, Playout, Random, Summary};

/// How many games a thread takes at a time, at most and so that each gets so many ranges: that threads end together and
/// progress is seen. The lanes play a hundred games side by side and stand idle at the end of a range, so theirs are
/// longer.
const LARGEST_RANGE: u64 = 64;
const RANGES_A_THREAD: u64 = 64;
const LARGEST_RANGE_OF_LANES: u64 = 32_768;
const RANGES_OF_LANES_A_THREAD: u64 = 8;

/// What to simulate.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{Config, agent};
/// let mut config = Config::new(Position::start(Rules::default()), 100);
/// config.agents = vec![agent::by_name("greedy").unwrap(), agent::by_name("random").unwrap()];
/// assert_eq!((config.seed, config.threads, config.repetition), (0, 1, Some(3)));
/// ```
#[derive(Clone)]
pub struct Config {
    /// Where every game begins.
    pub start: Position,
    /// How many games to play.
    pub games: u64,
    /// The number of the first game; the others follow (modulo 2^64).
    pub first_game: u64,
    /// The seed of every stream.
    pub seed: u64,
    /// Who plays: side k the k-th, round and round if there are more sides. One plays every side, none is [`Random`].
    pub agents: Vec<Arc<dyn Agent>>,
    /// Plies after which a game is counted; `None` for no limit.
    pub max_plies: Option<u32>,
    /// How often a position may stand before a game is counted; `None` for no limit.
    pub repetition: Option<u32>,
    /// How many threads to play on; 0 for as many as the machine runs at once.
    pub threads: usize,
    /// With which instructions to play random games, if the processor has them. The games are the same.
    pub path: Path,
}

impl Config {
    /// Random games from that position with the default limits, seed 0, on one thread.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// let config = oanquan_engine::Config::new(Position::start(Rules::default()), 10);
    /// assert_eq!((config.games, config.first_game, config.max_plies), (10, 0, Some(1000)));
    /// ```
    pub fn new(start: Position, games: u64) -> Self {
        let Limits { max_plies, repetition } = Limits::default();
        let agents: Vec<Arc<dyn Agent>> = vec![Arc::new(Random)];
        Self { start, games, first_game: 0, seed: 0, agents, max_plies, repetition, threads: 1, path: Path::best() }
    }

    /// How many games a thread should take at a time, if there are so many threads and nobody wants their moves.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// let config = oanquan_engine::Config::new(Position::start(Rules::default()), 1_000_000);
    /// assert!(config.range(2) <= 500_000);
    /// ```
    pub fn range(&self, threads: u64) -> u64 {
        let (ranges, largest) = if self.is_random() && Kernel::plays(&self.start, self.limits(), self.path) {
            (RANGES_OF_LANES_A_THREAD, LARGEST_RANGE_OF_LANES)
        } else {
            (RANGES_A_THREAD, LARGEST_RANGE)
        };
        (self.games / threads.saturating_mul(ranges).max(1)).clamp(1, largest)
    }

    /// The lanes, if they can play these games.
    fn kernel(&self) -> Option<Kernel> {
        self.is_random().then(|| Kernel::new(self.start, self.limits(), self.path)).flatten()
    }

    /// Whether every side plays at random: agents of one name choose alike.
    fn is_random(&self) -> bool {
        self.agents.iter().all(|agent| agent.name() == Random.name())
    }

    /// The limits of each game.
    fn limits(&self) -> Limits {
        Limits { max_plies: self.max_plies, repetition: self.repetition }
    }

    /// How many threads there is work for.
    fn threads(&self) -> u64 {
        let wanted = match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        (wanted as u64).clamp(1, self.games.max(1))
    }
}

/// Games that nobody has taken yet.
struct Ranges {
    taken: AtomicU64,
    games: u64,
    size: u64,
}

impl Ranges {
    fn new(config: &Config, threads: u64) -> Self {
        Self { taken: AtomicU64::new(0), games: config.games, size: config.range(threads) }
    }

    /// Takes the next range: its first game, and the one after its last.
    fn take(&self) -> Option<(u64, u64)> {
        let end = |first: u64| first.saturating_add(self.size).min(self.games);
        let next = |first: u64| (first < self.games).then(|| end(first));
        let first = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        Some((first, end(first)))
    }
}

/// Plays the games and sums them up.
///
/// Games are counted in `done` as they end, for whoever shows progress. Once `stop` is set every thread ends before its
/// next move, and the summary is that of the games that were finished.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{Config, Summary, simulate};
/// use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
///
/// let config = Config::new(Position::start(Rules::default()), 500);
/// let done = AtomicU64::new(0);
/// let all = simulate(&config, &AtomicBool::new(false), &done);
/// assert_eq!((all.games, done.into_inner()), (500, 500));
///
/// // The same games in two parts.
/// let mut parts = Summary::default();
/// for first_game in [0, 250] {
///     let part = Config { games: 250, first_game, ..config.clone() };
///     parts.merge(&simulate(&part, &AtomicBool::new(false), &AtomicU64::new(0)));
/// }
/// assert_eq!(parts, all);
/// ```
///
/// # Panics
/// If an agent panics.
pub fn simulate(config: &Config, stop: &AtomicBool, done: &AtomicU64) -> Summary {
    let threads = config.threads();
    let ranges = Ranges::new(config, threads);
    let work = || play_ranges(config, &ranges, stop, done);
    thread::scope(|scope| {
        // If the system gives no more threads, those that there are play all the games.
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        let mut summary = work();
        for other in others {
            match other.join() {
                Ok(part) => summary.merge(&part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        summary
    })
}

/// Plays ranges until there is none left.
fn play_ranges(config: &Config, ranges: &Ranges, stop: &AtomicBool, done: &AtomicU64) -> Summary {
    let mut summary = Summary::default();
    let mut worker = Worker::new(config);
    while let Some((first, end)) = ranges.take() {
        let before = summary.games;
        let all = worker.play(first..end, stop, &mut summary);
        done.fetch_add(summary.games - before, Ordering::Relaxed);
        if !all {
            break;
        }
    }
    summary
}

/// Plays games of a [`Config`] on the thread that calls, one range after the other; its memory is used again.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{Config, Summary, Worker};
/// use std::sync::atomic::AtomicBool;
/// let config = Config::new(Position::start(Rules::default()), 100);
/// let mut summary = Summary::default();
/// let mut worker = Worker::new(&config);
/// assert!(worker.play(0..60, &AtomicBool::new(false), &mut summary));
/// assert!(worker.play(60..100, &AtomicBool::new(false), &mut summary));
/// assert_eq!(summary.games, 100);
/// ```
pub struct Worker<'a> {
    config: &'a Config,
    kernel: Option<Kernel>,
    playout: Playout,
    seats: Seats<'a>,
}

impl<'a> Worker<'a> {
    /// A worker for games of that kind.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Config, Worker};
    /// let config = Config::new(Position::start(Rules::default()), 100);
    /// let worker = Worker::new(&config);
    /// ```
    pub fn new(config: &'a Config) -> Self {
        let playout = Playout::new(config.start, config.limits());
        Self { config, kernel: config.kernel(), playout, seats: Seats(&config.agents) }
    }

    /// Plays the games of a range, counted from [`Config::first_game`], and hands each to `collect` when it is finished,
    /// in any order. Whether all were: once `stop` is set, those that are not finished never come.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Config, Summary, Worker};
    /// use std::sync::atomic::AtomicBool;
    /// let config = Config::new(Position::start(Rules::default()), 100);
    /// assert!(!Worker::new(&config).play(0..100, &AtomicBool::new(true), &mut Summary::default()));
    /// ```
    pub fn play<C: Collect>(&mut self, games: Range<u64>, stop: &AtomicBool, collect: &mut C) -> bool {
        let wants_moves = collect.wants_moves();
        let Config { seed, first_game, .. } = *self.config;
        if let Some(kernel) = self.kernel.as_mut().filter(|_| !wants_moves) {
            return kernel.play_from(seed, first_game, games, stop, collect);
        }
        // Agents of one name choose alike, so that one of them can play every side.
        let agent: &dyn Agent = match self.config.agents.as_slice() {
            [] => &Random,
            [first, others @ ..] if others.iter().all(|other| other.name() == first.name()) => &**first,
            _ => &self.seats,
        };
        for game in games {
            let game = first_game.wrapping_add(game);
            let stream = GameStream::new(seed, game);
            let Some(finished) = agent.play(&mut self.playout, stream, stop) else { return false };
            collect.add(game, &finished, if wants_moves { self.playout.moves() } else { &[] });
        }
        true
    }
}
