//! The games of a shard as text: comma-separated values, or game records.

use std::fmt::Write as _;
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type, UInt8Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use oanquan_core::{Game, Record};
use oanquan_engine::Config;

use crate::replay::{again, ended, first_difference, follows, whole};
use crate::schema::schema;
use crate::{Error, Options, ShardReader};

/// So many games a thread writes at a time.
const PIECE: usize = 1024;
/// So many pieces each thread writes before all of them are handed on.
const PIECES_A_THREAD: usize = 4;

/// What kind of text.
///
/// ```
/// use oanquan_columns::Form;
/// assert_ne!(Form::Csv, Form::Records);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A line for each game, with the values of its columns, separated by commas. Those of a list are separated by
    /// semicolons, and positions stand in quotes.
    Csv,
    /// Game records, as [`Record`] writes them, with the headers `Players`, `Seed` and `Game`; an empty line after each.
    /// The games are played again for their moves, and must be what the shard says.
    Records,
}

/// The line that stands before the games, with the names of the columns; there is none before records.
///
/// ```
/// use oanquan_columns::{Form, Options, text_header};
/// assert!(text_header(Form::Csv, 2, Options::default()).starts_with("game,points_a,points_b,plies,"));
/// ```
pub fn text_header(form: Form, sides: usize, options: Options) -> String {
    match form {
        Form::Csv => {
            let schema = schema(sides, options);
            let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
            names.join(",") + "\n"
        }
        Form::Records => String::new(),
    }
}

/// Writes the games of a shard as text, in their order, on the threads of the [`Config`] that they were played with.
///
/// The shard must have the games of the config, from [`Config::first_game`] on. Games are counted in `done` as they are
/// written. Memory does not grow with their number.
///
/// ```
/// use oanquan_columns::{Form, Options, write_shard, write_text};
/// use oanquan_core::{Position, Record, Rules};
/// use oanquan_engine::Config;
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let path = std::env::temp_dir().join(format!("oanquan-text-{}.parquet", std::process::id()));
/// let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
/// let config = Config { first_game: 500, ..Config::new(Position::start(Rules::default()), 100) };
/// write_shard(&path, &config, Options::default(), &[], &stop, &done)?;
/// let mut text = Vec::new();
/// write_text(&path, &mut text, Form::Records, &config, Options::default(), &stop, &done)?;
/// let records = Record::parse_all(std::str::from_utf8(&text).unwrap()).unwrap();
/// assert_eq!((records.len(), records[1].header("Game")), (100, Some("501")));
/// # std::fs::remove_file(path)?;
/// # Ok::<(), oanquan_columns::Error>(())
/// ```
///
/// # Errors
/// [`Error::Damaged`] if the shard cannot be read through or a game is not what it says, [`Error::Stopped`],
/// [`Error::Io`].
///
/// # Panics
/// If an agent panics.
pub fn write_text(
    shard: &Path,
    out: &mut impl Write,
    form: Form,
    config: &Config,
    options: Options,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Result<(), Error> {
    let threads = match config.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let mut next = config.first_game;
    for columns in ShardReader::open(shard)? {
        let batch = whole(&columns?)?;
        let first = next;
        next = follows(&batch, first)?;
        let text = |rows: Range<usize>| match form {
            Form::Csv => Ok(csv(&batch, rows)),
            Form::Records => records(&batch, first, rows, config, options, stop),
        };
        let starts: Vec<_> = (0..batch.num_rows()).step_by(PIECE).collect();
        let piece = |start: usize| start..batch.num_rows().min(start + PIECE);
        for starts in starts.chunks(threads * PIECES_A_THREAD) {
            if stop.load(Ordering::Relaxed) {
                return Err(Error::Stopped);
            }
            for text in on_threads(starts, |&start| text(piece(start))) {
                out.write_all(text?.as_bytes())?;
            }
            let games: usize = starts.iter().map(|&start| piece(start).len()).sum();
            done.fetch_add(games as u64, Ordering::Relaxed);
        }
    }
    ended(config, next)
}

/// What a function makes of each item, in their order, a few of them on each of some threads.
fn on_threads<T: Sync, R: Send>(items: &[T], make: impl Fn(&T) -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let work = |some: &[T]| some.iter().map(&make).collect::<Vec<_>>();
        let mut parts = items.chunks(PIECES_A_THREAD);
        let own = parts.next().unwrap_or_default();
        // If the system gives no more threads, this one does the work.
        let others: Vec<_> =
            parts.map(|part| (part, thread::Builder::new().spawn_scoped(scope, move || work(part)).ok())).collect();
        let mut results = work(own);
        for (part, other) in others {
            results.extend(match other.map(thread::ScopedJoinHandle::join) {
                Some(Ok(theirs)) => theirs,
                Some(Err(panic)) => std::panic::resume_unwind(panic),
                None => work(part),
            });
        }
        results
    })
}

/// Rows as lines of values.
fn csv(batch: &RecordBatch, rows: Range<usize>) -> String {
    let mut text = String::with_capacity(64 * rows.len());
    for row in rows {
        for (place, column) in batch.columns().iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            push_value(&mut text, column, row);
        }
        text.push('\n');
    }
    text
}

/// Adds a value of a column; columns have the types of [`schema`] only.
fn push_value(text: &mut String, column: &ArrayRef, row: usize) {
    macro_rules! number {
        ($kind:ty) => {
            // Writing to a string never fails.
            _ = write!(text, "{}", column.as_primitive::<$kind>().value(row))
        };
    }
    match column.data_type() {
        DataType::UInt64 => number!(UInt64Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int8 => number!(Int8Type),
        DataType::Utf8 => text.push_str(column.as_string::<i32>().value(row)),
        DataType::Dictionary(..) => {
            let words = column.as_dictionary::<Int8Type>();
            push_value(text, words.values(), usize::try_from(words.keys().value(row)).unwrap_or_default());
        }
        DataType::List(_) => {
            let list = column.as_list::<i32>().value(row);
            let quote = if *list.data_type() == DataType::Utf8 { "\"" } else { "" };
            text.push_str(quote);
            for place in 0..list.len() {
                if place > 0 {
                    text.push(';');
                }
                push_value(text, &list, place);
            }
            text.push_str(quote);
        }
        _ => {}
    }
}

/// Rows as game records, of games from `first` on.
fn records(
    batch: &RecordBatch,
    first: u64,
    rows: Range<usize>,
    config: &Config,
    options: Options,
    stop: &AtomicBool,
) -> Result<String, Error> {
    let first_game = first + rows.start as u64;
    let again = again(config, Options { moves: true, ..options }, first_game, rows.len() as u64, stop)?;
    let game = |place: usize| first_game + place as u64;
    let other = |place| Error::Damaged(format!("game {} is not the one that is played again", game(place)));
    if let Some(place) = first_difference(batch, rows.start, &again) {
        return Err(other(place));
    }
    let moves = again.column_by_name("moves").and_then(|moves| moves.as_list_opt::<i32>()).ok_or_else(|| other(0))?;
    let sides = usize::from(config.start.rules().sides);
    let names: Vec<_> = match config.agents.as_slice() {
        [] => vec!["random"; sides],
        agents => agents.iter().cycle().take(sides).map(|agent| agent.name()).collect(),
    };
    let mut record = Record::new(Game::new(config.start));
    let mut text = String::new();
    for place in 0..rows.len() {
        record.game = Game::with_limits(config.start, config.max_plies, config.repetition);
        for &action in moves.value(place).as_primitive::<UInt8Type>().values() {
            let mv = record.game.position().action(action.into()).map_err(|_| other(place))?;
            record.game.push(mv).map_err(|_| other(place))?;
        }
        record.headers = vec![
            (String::from("Players"), names.join(" / ")),
            (String::from("Seed"), config.seed.to_string()),
            (String::from("Game"), game(place).to_string()),
        ];
        // Writing to a string never fails.
        _ = writeln!(text, "{record}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use oanquan_core::{Position, Rules};

    use super::*;

    #[test]
    fn values_of_every_kind_are_written() {
        let config = Config::new(Position::start(Rules::default()), 3);
        let options = Options { moves: true, positions: true };
        let batch = again(&Config { max_plies: Some(1), ..config }, options, 2, 1, &AtomicBool::new(false)).unwrap();
        let text = csv(&batch, 0..1);
        let start = Position::start(Rules::default());
        let (numbers, positions) = text.split_once('"').unwrap();
        let values: Vec<_> = numbers.split(',').collect();
        assert_eq!((values[0], values[3], values[4], values[6]), ("2", "1", "max_plies", "a"));
        let action: u8 = values[7].parse().unwrap();
        assert_eq!(values[11], values[7], "the opening is the only move");
        let after = start.play(start.action(action.into()).unwrap()).unwrap();
        assert_eq!(positions, format!("{start};{after}\"\n"));
    }

    #[test]
    fn items_keep_their_order_on_threads() {
        let items: Vec<usize> = (0..50).collect();
        assert_eq!(on_threads(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        assert!(on_threads(&[] as &[usize], |item| *item).is_empty());
    }
}
