//! Many games on many threads, kept as columns.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, PoisonError};
use std::thread;

use oanquan_engine::{Collect, Config, Summary, Worker};

use crate::lists::{self, Lists};
use crate::table::{Rows, Table, Writer};
use crate::{Columns, Error, Options};

/// The most games that a thread takes at a time where their moves are kept.
const LARGEST_RANGE_WITH_MOVES: u64 = 4096;
/// The same where texts are written at the end of each range: it should not take long.
const LARGEST_RANGE_WITH_POSITIONS: u64 = 512;
/// How many ranges each thread should get at least, so that they end together.
const RANGES_A_THREAD: u64 = 64;

/// Plays the games of a [`Config`], sums them up and keeps them as columns, in the order of their numbers whatever the
/// number of threads.
///
/// Games are counted in `done` as they end, a few dozen at a time. Once `stop` is set every thread ends before its next
/// move, and both are of the games that were finished.
///
/// ```
/// use oanquan_columns::{Options, collect};
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::Config;
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let config = Config::new(Position::start(Rules::default()), 100);
/// let options = Options { moves: true, positions: false };
/// let (summary, columns) = collect(&config, options, &AtomicBool::new(false), &AtomicU64::new(0))?;
/// assert_eq!((summary.games, columns.rows()), (100, 100));
/// let (_, none) = collect(&config, options, &AtomicBool::new(true), &AtomicU64::new(0))?;
/// assert_eq!(none.rows(), 0);
/// # Ok::<(), oanquan_columns::Error>(())
/// ```
///
/// # Errors
/// [`Error::Memory`] if there is none for so many games; [`Error::TooLong`] for positions of a game of some ten million
/// plies.
///
/// # Panics
/// If an agent panics.
pub fn collect(
    config: &Config,
    options: Options,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Result<(Summary, Columns), Error> {
    let mut table = Table::new(config)?;
    let queue = Queue::new(config, options, table.rows());
    let work = || play(config, &queue, stop, done);
    let parts = thread::scope(|scope| {
        // If the system gives no more threads, those that there are play all the games.
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads(config)).map_while(spawn).collect();
        let mut parts = vec![work()];
        parts.extend(others.into_iter().map(|other| match other.join() {
            Ok(part) => part,
            Err(panic) => std::panic::resume_unwind(panic),
        }));
        parts.into_iter().collect::<Result<Vec<_>, _>>()
    })?;
    let mut summary = Summary::default();
    let mut lists = Vec::new();
    for (part, part_lists) in parts {
        summary.merge(&part);
        lists.extend(part_lists);
    }
    lists.sort_by_key(|&(range, _)| range);
    let all = summary.games == config.games;
    if !all {
        table.keep_finished();
    }
    // Joining takes a while, and whoever stopped does not want to wait.
    let lists = lists.into_iter().flat_map(|(_, lists)| lists).collect();
    let parts = lists::finish(lists, all)?;
    Ok((summary, Columns::new(table, config.start.turn(), options, parts)?))
}

/// [`collect`] for games that somebody else plays: `play` is given what takes them, in any order, and what it returns
/// comes third.
///
/// ```
/// use oanquan_columns::{Options, collect_from};
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{Config, GameStream, Limits, Playout, Random};
/// let config = Config::new(Position::start(Rules::default()), 10);
/// let mut playout = Playout::new(config.start, Limits::default());
/// let (summary, columns, last) = collect_from(&config, Options { moves: false, positions: false }, |games| {
///     for game in [4, 2] {
///         games.add(game, &playout.run(&Random, GameStream::new(config.seed, game)), &[]);
///     }
///     2
/// })?;
/// assert_eq!((summary.games, columns.rows(), last), (2, 2, 2));
/// # Ok::<(), oanquan_columns::Error>(())
/// ```
///
/// # Errors
/// Those of [`collect`].
///
/// # Panics
/// If the number of a game is none of the configuration's.
pub fn collect_from<T>(
    config: &Config,
    options: Options,
    play: impl FnOnce(&mut dyn Collect) -> T,
) -> Result<(Summary, Columns, T), Error> {
    let done = AtomicU64::new(0);
    let mut table = Table::new(config)?;
    let writer = Writer::new(table.rows(), config.first_game, options, &done);
    let mut both = (Summary::default(), writer);
    let played = play(&mut both);
    let (summary, writer) = both;
    let lists = writer.finish(config)?;
    let all = summary.games == config.games;
    if !all {
        table.keep_finished();
    }
    let columns = Columns::new(table, config.start.turn(), options, lists::finish(lists, all)?)?;
    Ok((summary, columns, played))
}

/// How many threads there is work for.
fn threads(config: &Config) -> u64 {
    let wanted = match config.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    (wanted as u64).clamp(1, config.games.max(1))
}

/// The rows that nobody has taken yet, and the first game of theirs, counted from 0.
struct Queue<'a> {
    rest: Mutex<(u64, Rows<'a>)>,
    range: u64,
    options: Options,
}

impl<'a> Queue<'a> {
    fn new(config: &Config, options: Options, rows: Rows<'a>) -> Self {
        let threads = threads(config);
        let largest = if options.positions { LARGEST_RANGE_WITH_POSITIONS } else { LARGEST_RANGE_WITH_MOVES };
        let range = if options.lists() {
            (config.games / threads.saturating_mul(RANGES_A_THREAD)).clamp(1, largest)
        } else {
            config.range(threads)
        };
        Self { rest: Mutex::new((0, rows)), range, options }
    }

    /// Takes the next rows and the number of their first game, counted from 0.
    fn take(&self) -> Option<(u64, Rows<'a>)> {
        let mut rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, rows) = &mut *rest;
        let taken = rows.take(self.range as usize);
        let game = *first;
        *first += taken.len() as u64;
        (taken.len() > 0).then_some((game, taken))
    }
}

/// The lists of a range, and its first game, by which ranges are ordered.
type RangeOfLists = (u64, Vec<Lists>);

/// Plays ranges until there is none left.
fn play(
    config: &Config,
    queue: &Queue<'_>,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Result<(Summary, Vec<RangeOfLists>), Error> {
    let mut worker = Worker::new(config);
    let mut summary = Summary::default();
    let mut lists = Vec::new();
    while let Some((first, rows)) = queue.take() {
        let games = first..first + rows.len() as u64;
        let writer = Writer::new(rows, config.first_game.wrapping_add(first), queue.options, done);
        let mut both = (std::mem::take(&mut summary), writer);
        let all = worker.play(games, stop, &mut both);
        summary = both.0;
        let parts = both.1.finish(config)?;
        if queue.options.lists() {
            lists.push((first, parts));
        }
        if !all {
            break;
        }
    }
    Ok((summary, lists))
}
