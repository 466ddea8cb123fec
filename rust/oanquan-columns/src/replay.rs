//! Games of a shard held against the same games played again.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, RecordBatch};
use oanquan_engine::Config;

use crate::{Columns, Error, Options, ShardReader, collect};

/// Reads a shard through and plays some of its games again. Returns those of them that are not what the shard says.
///
/// The shard must have the games of the [`Config`], from [`Config::first_game`] on and no other. `sample` are numbers of
/// games in rising order; those that the shard does not have are passed over. Games that are read are counted in `done`.
///
/// ```
/// use oanquan_columns::{Options, check_shard, write_shard};
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::Config;
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let path = std::env::temp_dir().join(format!("oanquan-check-{}.parquet", std::process::id()));
/// let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
/// let config = Config { first_game: 500, ..Config::new(Position::start(Rules::default()), 100) };
/// write_shard(&path, &config, Options::default(), &[], &stop, &done)?;
/// assert!(check_shard(&path, &config, Options::default(), &[500, 599], &stop, &done)?.is_empty());
/// let other = Config { seed: 1, ..config };
/// assert_eq!(check_shard(&path, &other, Options::default(), &[500, 599], &stop, &done)?, [500, 599]);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), oanquan_columns::Error>(())
/// ```
///
/// # Errors
/// [`Error::Damaged`] if the shard cannot be read through or has other games, [`Error::Stopped`], [`Error::Io`].
///
/// # Panics
/// If an agent panics.
pub fn check_shard(
    path: &Path,
    config: &Config,
    options: Options,
    sample: &[u64],
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Result<Vec<u64>, Error> {
    let mut different = Vec::new();
    let mut sample = sample.iter().copied().peekable();
    let mut next = config.first_game;
    for columns in ShardReader::open(path)? {
        let batch = whole(&columns?)?;
        let first = next;
        next = follows(&batch, first)?;
        while let Some(game) = sample.next_if(|&game| game < next) {
            if stop.load(Ordering::Relaxed) {
                return Err(Error::Stopped);
            }
            let Some(row) = game.checked_sub(first) else { continue };
            let again = again(config, options, game, 1, stop)?;
            // Less than the number of rows in memory.
            if first_difference(&batch, row as usize, &again).is_some() {
                different.push(game);
            }
        }
        done.fetch_add(next - first, Ordering::Relaxed);
    }
    ended(config, next)?;
    Ok(different)
}

/// Whether the games of a config end before that one.
pub(crate) fn ended(config: &Config, next: u64) -> Result<(), Error> {
    let end = config.first_game.saturating_add(config.games);
    if next == end { Ok(()) } else { Err(Error::Damaged(format!("expected games up to {end}, got {next}"))) }
}

/// The one batch of the columns of a row group.
pub(crate) fn whole(columns: &Columns) -> Result<RecordBatch, Error> {
    let batch = columns.batches().next().transpose()?;
    batch.filter(|batch| batch.num_rows() == columns.rows()).ok_or_else(|| {
        let most = "2^20";
        Error::Damaged(format!("expected row groups of 1 to {most} rows, got {}", columns.rows()))
    })
}

/// Whether the games of a batch follow each other from that one on; returns the one after them.
pub(crate) fn follows(batch: &RecordBatch, first: u64) -> Result<u64, Error> {
    let games = batch.column(0).as_primitive_opt::<UInt64Type>();
    let games = games.ok_or_else(|| Error::Damaged(String::from("its first column is not \"game\"")))?.values();
    match (first..).zip(games.iter()).find(|(expected, game)| expected != *game) {
        Some((expected, game)) => Err(Error::Damaged(format!("expected game {expected}, got {game}"))),
        None => Ok(first + games.len() as u64),
    }
}

/// Some games of a [`Config`], played again on this thread.
pub(crate) fn again(
    config: &Config,
    options: Options,
    first_game: u64,
    games: u64,
    stop: &AtomicBool,
) -> Result<RecordBatch, Error> {
    let part = Config { first_game, games, threads: 1, ..config.clone() };
    let (_, columns) = collect(&part, options, stop, &AtomicU64::new(0))?;
    if columns.rows() as u64 == games { whole(&columns) } else { Err(Error::Stopped) }
}

/// The first row of `again` that is not the same as that of the batch, whose rows are counted from `row`. Columns that
/// the batch does not have are not looked at.
pub(crate) fn first_difference(batch: &RecordBatch, row: usize, again: &RecordBatch) -> Option<usize> {
    let same = |place: usize, rows: usize| {
        batch.schema_ref().fields().iter().zip(batch.columns()).all(|(field, column)| {
            let other = again.column_by_name(field.name());
            other.is_some_and(|other| *column.slice(row + place, rows) == *other.slice(place, rows))
        })
    };
    let rows = again.num_rows();
    if same(0, rows) { None } else { (0..rows).find(|&place| !same(place, 1)) }
}

#[cfg(test)]
mod tests {
    use oanquan_core::{Position, Rules};

    use super::*;

    #[test]
    fn the_first_row_that_differs_is_found() {
        let config = Config::new(Position::start(Rules::default()), 100);
        let stop = AtomicBool::new(false);
        let options = Options { moves: true, positions: true };
        let batch = again(&config, options, 0, 100, &stop).unwrap();
        assert_eq!(first_difference(&batch, 40, &again(&config, options, 40, 60, &stop).unwrap()), None);
        let shifted = again(&config, options, 41, 20, &stop).unwrap();
        assert_eq!(first_difference(&batch, 40, &shifted), Some(0));
        let with_less = again(&config, Options::default(), 40, 1, &stop).unwrap();
        assert_eq!(first_difference(&batch, 40, &with_less), Some(0));
        assert_eq!(first_difference(&with_less, 0, &batch.slice(40, 1)), None);
    }

    #[test]
    fn games_follow_each_other() {
        let config = Config::new(Position::start(Rules::default()), 100);
        let batch = again(&config, Options::default(), 7, 10, &AtomicBool::new(false)).unwrap();
        assert_eq!(follows(&batch, 7).unwrap(), 17);
        assert_eq!(follows(&batch, 6).unwrap_err().to_string(), "not a complete shard: expected game 6, got 7");
    }
}
