//! Columns against the games played one by one.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use oanquan_columns::{Columns, Error, Options, ShardReader, collect, schema, shard_info, write_shard};
use oanquan_core::{PRESETS, Position, Rules};
use oanquan_engine::{Agent, Config, Finished, GameStream, Limits, Playout, Random, Summary, agent};

const ALL: Options = Options { moves: true, positions: true };

fn config(rules: &str, games: u64, threads: usize) -> Config {
    let start = Position::start(Rules::parse(rules).unwrap());
    Config { threads, seed: 7, max_plies: Some(60), ..Config::new(start, games) }
}

fn collected(config: &Config, options: Options) -> (Summary, Columns) {
    collect(config, options, &AtomicBool::new(false), &AtomicU64::new(0)).unwrap()
}

/// Every row as text: what can be compared whatever the batches and codes are.
fn rows(columns: &Columns) -> Vec<String> {
    columns.batches().flat_map(|batch| rows_of(&batch.unwrap())).collect()
}

fn rows_of(batch: &RecordBatch) -> Vec<String> {
    let texts = |row: usize| -> Vec<String> { batch.columns().iter().map(|array| text(array, row)).collect() };
    (0..batch.num_rows()).map(|row| texts(row).join(" ")).collect()
}

fn text(array: &dyn Array, row: usize) -> String {
    assert!(array.is_valid(row));
    if let Some(words) = array.as_dictionary_opt::<Int8Type>() {
        let code = words.keys().value(row);
        return words.values().as_string::<i32>().value(code as usize).to_owned();
    }
    if let Some(lists) = array.as_list_opt::<i32>() {
        let items = lists.value(row);
        return (0..items.len()).map(|item| text(&items, item)).collect::<Vec<_>>().join(",");
    }
    if let Some(texts) = array.as_string_opt::<i32>() {
        return texts.value(row).to_owned();
    }
    let whole = |text: Option<String>| text.unwrap_or_default();
    whole(array.as_primitive_opt::<UInt64Type>().map(|numbers| numbers.value(row).to_string()))
        + &whole(array.as_primitive_opt::<UInt32Type>().map(|numbers| numbers.value(row).to_string()))
        + &whole(array.as_primitive_opt::<Int32Type>().map(|numbers| numbers.value(row).to_string()))
        + &whole(array.as_primitive_opt::<Int8Type>().map(|numbers| numbers.value(row).to_string()))
        + &whole(
            array.as_primitive_opt::<arrow_array::types::UInt8Type>().map(|numbers| numbers.value(row).to_string()),
        )
}

/// The row that a game should have.
fn row(config: &Config, game: u64) -> String {
    let limits = Limits { max_plies: config.max_plies, repetition: config.repetition };
    let mut playout = Playout::new(config.start, limits);
    let Finished { outcome, plies, opening, reseedings, loans, pebbles_lent } =
        playout.run(&Random, GameStream::new(config.seed, game));
    let mut parts = vec![game.to_string()];
    parts.extend(outcome.points.as_slice().iter().map(ToString::to_string));
    parts.push(plies.to_string());
    parts.push(outcome.ending.name().to_owned());
    parts.push(outcome.winner.map_or_else(|| String::from("draw"), |side| side.to_string()));
    parts.push(config.start.turn().to_string());
    parts.push(opening.map_or(-1, |mv| mv.action() as i8).to_string());
    parts.extend([reseedings, loans, pebbles_lent].map(|count| count.to_string()));
    let actions: Vec<_> = playout.moves().iter().map(|mv| mv.action().to_string()).collect();
    parts.push(actions.join(","));
    let mut positions = vec![config.start.to_string()];
    let mut position = config.start;
    for &mv in playout.moves() {
        position = position.play(mv).unwrap();
        positions.push(position.to_string());
    }
    parts.push(positions.join(","));
    parts.join(" ")
}

#[test]
fn a_row_is_what_the_game_came_to() {
    for preset in PRESETS {
        let config = Config { first_game: 40, ..config(preset.name, 150, 2) };
        let (summary, columns) = collected(&config, ALL);
        let expected: Vec<_> = (40..190).map(|game| row(&config, game)).collect();
        assert_eq!(rows(&columns), expected, "{}", preset.name);
        assert_eq!(summary, oanquan_engine::simulate(&config, &AtomicBool::new(false), &AtomicU64::new(0)));
        let sides = usize::from(config.start.rules().sides);
        assert_eq!(*columns.batches().schema(), *schema::schema(sides, ALL));
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let one = rows(&collected(&config("four-players", 3000, 1), ALL).1);
    for threads in [2, 3, 8, 0] {
        assert_eq!(rows(&collected(&config("four-players", 3000, threads), ALL).1), one, "{threads} threads");
    }
}

#[test]
fn a_game_without_a_move_has_no_opening() {
    let start = Config { max_plies: Some(0), ..config("mancala-world", 3, 1) };
    let (_, columns) = collected(&start, ALL);
    assert_eq!(rows(&columns)[2], format!("2 25 25 0 max_plies draw a -1 0 0 0  {}", start.start));
    assert_eq!(columns.moves(2), Some(Vec::new()));
    assert_eq!((columns.moves(3), columns.positions(3)), (None, None));
}

#[test]
fn batches_share_the_columns() {
    let short = Config { max_plies: Some(2), ..config("mancala-world", (1 << 20) + 10, 2) };
    let (_, columns) = collected(&short, Options::default());
    let batches: Vec<_> = columns.batches().map(Result::unwrap).collect();
    assert_eq!(batches.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [1 << 20, 10]);
    for (name, width) in [("game", 8), ("points_b", 4), ("winner", 1), ("first", 1), ("loans", 4)] {
        let (buffer, _) = columns.buffer(name).unwrap();
        assert_eq!(buffer.len(), ((1 << 20) + 10) * width);
        for (batch, start) in batches.iter().zip([0, 1 << 20]) {
            let array = batch.column_by_name(name).unwrap();
            let numbers = array.as_dictionary_opt::<Int8Type>().map(|words| words.keys().to_data());
            let data = numbers.unwrap_or_else(|| array.to_data());
            let first = data.buffers()[0].as_ptr().wrapping_add(data.offset() * width);
            assert_eq!(first, buffer.as_ptr().wrapping_add(start * width), "{name}");
        }
    }
    assert!(columns.buffer("moves").is_none());
}

/// Plays at random, and stops everybody after so many choices.
struct Stopping {
    left: AtomicU64,
    stop: Arc<AtomicBool>,
}

impl Agent for Stopping {
    fn name(&self) -> &'static str {
        "stopping"
    }

    fn choose(&self, turn: &oanquan_engine::Turn<'_>) -> usize {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
        Random.choose(turn)
    }
}

#[test]
fn after_a_stop_there_are_the_games_that_were_finished() {
    let stop = Arc::new(AtomicBool::new(false));
    let stopping = Stopping { left: AtomicU64::new(100_000), stop: stop.clone() };
    let config = Config { agents: vec![Arc::new(stopping)], ..config("wikipedia-vi", 1_000_000, 3) };
    let done = AtomicU64::new(0);
    let (summary, columns) = collect(&config, ALL, &stop, &done).unwrap();
    assert!(summary.games > 100 && summary.games < 100_000, "{} games", summary.games);
    assert_eq!((columns.rows() as u64, done.into_inner()), (summary.games, summary.games));
    let (numbers, _) = columns.buffer("game").unwrap();
    let games: Vec<u64> = numbers.typed_data::<u64>().to_vec();
    assert!(games.is_sorted_by(|one, next| one < next));
    let random = Config { agents: Vec::new(), ..config };
    assert_eq!(rows(&columns), games.iter().map(|&game| row(&random, game)).collect::<Vec<_>>());
}

#[test]
fn no_memory_is_an_error() {
    for games in [u64::MAX, 1 << 62, 1 << 57] {
        let config = config("mancala-world", games, 1);
        let result = collect(&config, Options::default(), &AtomicBool::new(true), &AtomicU64::new(0));
        assert!(matches!(result, Err(Error::Memory { games: given }) if given == games));
    }
}

#[test]
fn bytes_and_back() {
    for options in [Options::default(), Options { moves: true, positions: false }, ALL] {
        for games in [1, 500] {
            let (_, columns) = collected(&config("three-players", games, 1), options);
            let copy = Columns::from_bytes(&columns.to_bytes().unwrap()).unwrap();
            assert_eq!(rows(&copy), rows(&columns));
            assert_eq!(copy.buffer("winner"), columns.buffer("winner"));
        }
    }
    let none = collect(&config("tonkin", 9, 1), ALL, &AtomicBool::new(true), &AtomicU64::new(0)).unwrap().1;
    assert_eq!(Columns::from_bytes(&none.to_bytes().unwrap()).unwrap().rows(), 0);
}

/// Whatever the bytes are, they are columns or an error that speaks of columns.
#[test]
fn damaged_bytes_are_an_error() {
    let (_, columns) = collected(&config("mancala-world", 6, 1), ALL);
    let whole = columns.to_bytes().unwrap();
    let read = |bytes: &[u8]| match Columns::from_bytes(bytes) {
        Ok(columns) => Some(rows(&columns).len()),
        Err(error) => {
            assert!(matches!(error, Error::NoColumns(_)), "{error:?}");
            assert!(error.to_string().starts_with("not columns of games: "), "{error}");
            None
        }
    };
    assert_eq!(read(&whole), Some(6));
    assert_eq!(read(b"no columns"), None);
    // What ends after the schema are columns without games; no other part of the bytes is columns.
    let cut: Vec<_> = (0..whole.len()).step_by(61).filter_map(|length| read(&whole[..length])).collect();
    assert!(cut.iter().all(|&rows| rows == 0 || rows == 6), "{cut:?}");
    let damaged = (0..whole.len()).step_by(3).filter(|&place| {
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        read(&bytes).is_none()
    });
    assert!(damaged.count() > 100);
}

/// A path for one test, removed in the end.
struct Place(std::path::PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("oanquan-{}-{name}.parquet", std::process::id())))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn written(place: &Place, config: &Config, options: Options) -> Result<Summary, Error> {
    let texts = [(String::from("digest"), String::from("ô ăn quan"))];
    write_shard(&place.0, config, options, &texts, &AtomicBool::new(false), &AtomicU64::new(0))
}

#[test]
fn a_shard_has_the_games_that_were_played() {
    // More than one row group with positions, and with numbers alone.
    for (options, games) in [(ALL, 9000), (Options::default(), (1 << 18) + 100)] {
        let place = Place::new(&format!("games-{games}"));
        let config = Config { first_game: 1 << 40, max_plies: Some(20), ..config("wikipedia-vi", games, 2) };
        let summary = written(&place, &config, options).unwrap();
        let info = shard_info(&place.0).unwrap();
        assert_eq!((summary.games, info.rows), (games, games));
        assert_eq!(info.games, Some(Range { start: 1 << 40, end: (1 << 40) + games }));
        assert_eq!(info.key_values, [(String::from("digest"), String::from("ô ăn quan"))]);
        let groups: Vec<_> = ShardReader::open(&place.0).unwrap().map(Result::unwrap).collect();
        assert!(groups.len() > 1);
        let (expected, columns) = collected(&config, options);
        assert_eq!(summary, expected);
        for field in columns.schema().fields() {
            let bytes = |columns: &Columns| columns.buffer(field.name()).map(|(bytes, _)| bytes.to_vec());
            let read: Option<Vec<_>> = groups.iter().map(bytes).collect();
            assert!(read.map(|groups| groups.concat()) == bytes(&columns), "{field}");
        }
        if options == ALL {
            assert!(groups.iter().flat_map(rows).collect::<Vec<_>>() == rows(&columns));
        }
    }
}

#[test]
fn numbers_end_below_two_to_the_64() {
    let place = Place::new("numbers");
    let last = Config { first_game: u64::MAX - 10, ..config("mancala-world", 10, 1) };
    written(&place, &last, ALL).unwrap();
    assert_eq!(shard_info(&place.0).unwrap().games, Some(u64::MAX - 10..u64::MAX));
    assert!(matches!(written(&place, &Config { games: 11, ..last }, ALL), Err(Error::Numbers)));
}

#[test]
fn a_shard_without_games() {
    let place = Place::new("none");
    written(&place, &config("mancala-world", 0, 1), ALL).unwrap();
    let info = shard_info(&place.0).unwrap();
    assert_eq!((info.rows, info.games), (0, None));
    assert_eq!(ShardReader::open(&place.0).unwrap().count(), 0);
}

#[test]
fn a_stop_is_an_error_of_its_own() {
    let place = Place::new("stop");
    let config = config("mancala-world", 1000, 1);
    let result = write_shard(&place.0, &config, ALL, &[], &AtomicBool::new(true), &AtomicU64::new(0));
    assert!(matches!(result, Err(Error::Stopped)));
    assert!(matches!(shard_info(&place.0), Err(Error::Damaged(_))));
}

/// Whatever bytes a file has, reading it ends in columns or an error.
#[test]
fn a_damaged_shard_is_an_error() {
    let place = Place::new("whole");
    let agents = vec![agent::by_name("greedy").unwrap()];
    written(&place, &Config { agents, ..config("mancala-world", 50, 1) }, ALL).unwrap();
    let whole = std::fs::read(&place.0).unwrap();
    let damaged = Place::new("damaged");
    let read = |bytes: &[u8]| {
        std::fs::write(&damaged.0, bytes).unwrap();
        let info = shard_info(&damaged.0);
        let groups = ShardReader::open(&damaged.0).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        for error in [info.as_ref().err(), groups.as_ref().err()].into_iter().flatten() {
            assert!(matches!(error, Error::Damaged(_)), "{error:?}");
        }
        info.is_ok() && groups.is_ok()
    };
    assert!(read(&whole));
    for length in (0..whole.len()).step_by(61) {
        assert!(!read(&whole[..length]), "cut to {length} bytes");
    }
    for place in (0..whole.len()).step_by(17) {
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 7);
        read(&bytes);
    }
}

#[test]
fn lists_come_in_parts_of_at_most_two_to_the_20_rows() {
    let empty = Config { max_plies: Some(0), ..config("mancala-world", (1 << 20) + 10, 2) };
    let (_, columns) = collected(&empty, Options { moves: true, positions: false });
    let parts: Vec<_> = columns.batches().map(|batch| batch.unwrap().num_rows()).collect();
    assert!(parts.len() > 1 && parts.iter().all(|&rows| rows > 0 && rows <= 1 << 20), "{parts:?}");
    assert_eq!(parts.iter().sum::<usize>(), columns.rows());
    assert_eq!((columns.moves((1 << 20) + 9), columns.moves((1 << 20) + 10)), (Some(Vec::new()), None));
}
