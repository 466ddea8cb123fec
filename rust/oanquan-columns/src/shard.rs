//! A range of games as a Parquet file.
//!
//! The file has the columns of [`crate::schema`], compressed with zstd, and whatever texts the caller wants in its
//! footer. How many games it has, and which, can be read from the footer alone.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use oanquan_engine::{Config, Summary};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::{KeyValue, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnPath;

use crate::error::decoding;
use crate::schema::schema;
use crate::{Error, Options, collect};

/// The rows of a row group: so many are held in memory.
const GROUP_ROWS: u64 = 1 << 18;
/// The same with moves, and with positions.
const GROUP_ROWS_WITH_MOVES: u64 = 1 << 16;
const GROUP_ROWS_WITH_POSITIONS: u64 = 1 << 13;

/// Plays the games of a [`Config`] and writes them to a new file at that path, row group by row group, so that memory
/// does not grow with their number. `key_values` go into the footer.
///
/// It stops and counts as [`collect`](fn@crate::collect) does. What is at the path after an error is no shard; the
/// caller removes it. The file is not synced to the disk.
///
/// ```
/// use oanquan_columns::{Options, shard_info, write_shard};
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::Config;
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let path = std::env::temp_dir().join(format!("oanquan-example-{}.parquet", std::process::id()));
/// let config = Config { first_game: 500, ..Config::new(Position::start(Rules::default()), 100) };
/// let key_values = [(String::from("made by"), String::from("an example"))];
/// write_shard(&path, &config, Options::default(), &key_values, &AtomicBool::new(false), &AtomicU64::new(0))?;
/// let info = shard_info(&path)?;
/// assert_eq!((info.rows, info.games, info.key_values), (100, Some(500..600), key_values.to_vec()));
/// std::fs::remove_file(path)?;
/// # Ok::<(), oanquan_columns::Error>(())
/// ```
///
/// # Errors
/// [`Error::Numbers`] if the last game's number is not below 2^64 - 1, [`Error::Stopped`], [`Error::Io`], and those of
/// [`collect`](fn@crate::collect).
pub fn write_shard(
    path: &Path,
    config: &Config,
    options: Options,
    key_values: &[(String, String)],
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Result<Summary, Error> {
    let end = config.first_game.checked_add(config.games).ok_or(Error::Numbers)?;
    let schema = schema(config.start.rules().sides.into(), options);
    let mut writer = ArrowWriter::try_new(File::create(path)?, schema, Some(properties(key_values)))?;
    let mut summary = Summary::default();
    let group = match options {
        Options { positions: true, .. } => GROUP_ROWS_WITH_POSITIONS,
        Options { moves: true, .. } => GROUP_ROWS_WITH_MOVES,
        _ => GROUP_ROWS,
    };
    let mut first_game = config.first_game;
    while first_game < end {
        let games = group.min(end - first_game);
        let part = Config { first_game, games, ..config.clone() };
        let (sums, columns) = collect(&part, options, stop, done)?;
        for batch in columns.batches() {
            if stop.load(Ordering::Relaxed) {
                return Err(Error::Stopped);
            }
            // Parts of lists are each as long as a list should be, so each is a row group.
            writer.write(&batch?)?;
            writer.flush()?;
        }
        if sums.games < games {
            return Err(Error::Stopped);
        }
        summary.merge(&sums);
        first_game += games;
    }
    writer.close()?;
    Ok(summary)
}

fn properties(key_values: &[(String, String)]) -> WriterProperties {
    let key_values = key_values.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
    // Game numbers follow each other: their differences take next to no room.
    let game = ColumnPath::from("game");
    WriterProperties::builder()
        .set_created_by(format!("oanquan {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_key_value_metadata(Some(key_values))
        .set_max_row_group_row_count(None)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_column_dictionary_enabled(game.clone(), false)
        .set_column_encoding(game, Encoding::DELTA_BINARY_PACKED)
        .build()
}

/// What the footer of a shard says.
///
/// ```
/// use oanquan_columns::shard_info;
/// assert!(shard_info("no/such/file".as_ref()).is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShardInfo {
    /// How many games it has.
    pub rows: u64,
    /// From the least number of a game to the one after the greatest; `None` if it has no game.
    pub games: Option<Range<u64>>,
    /// The texts that were given to [`write_shard`], in their order.
    pub key_values: Vec<(String, String)>,
}

/// Reads the footer of a shard, and nothing else of it.
///
/// # Errors
/// [`Error::Io`], and [`Error::Damaged`] if the file is no complete shard.
pub fn shard_info(path: &Path) -> Result<ShardInfo, Error> {
    let file = File::open(path)?;
    decoding(|| info(&ParquetMetaDataReader::new().parse_and_finish(&file)?))
}

/// What the metadata of a shard say.
fn info(metadata: &ParquetMetaData) -> Result<ShardInfo, Error> {
    let footer = metadata.file_metadata();
    let damaged = |what: &str| Error::Damaged(String::from(what));
    if footer.schema_descr().columns().first().map(|column| column.name()) != Some("game") {
        return Err(damaged("its first column is not \"game\""));
    }
    let groups: Option<Vec<_>> = metadata.row_groups().iter().map(games).collect();
    let groups = groups.ok_or_else(|| damaged("it does not say which games it has"))?;
    let least = groups.iter().map(|games| games.start).min();
    let end = groups.iter().map(|games| games.end).max();
    let texts = footer.key_value_metadata().into_iter().flatten();
    Ok(ShardInfo {
        rows: u64::try_from(footer.num_rows()).map_err(|_| damaged("its number of rows is below zero"))?,
        games: least.zip(end).map(|(least, end)| least..end),
        key_values: texts
            .filter(|text| text.key != parquet::arrow::ARROW_SCHEMA_META_KEY)
            .map(|text| (text.key.clone(), text.value.clone().unwrap_or_default()))
            .collect(),
    })
}

/// The games of a row group by the statistics of its first column.
fn games(group: &RowGroupMetaData) -> Option<Range<u64>> {
    match group.columns().first()?.statistics()? {
        Statistics::Int64(numbers) => {
            // Unsigned numbers are kept in the bits of signed ones.
            Some(*numbers.min_opt()? as u64..(*numbers.max_opt()? as u64).checked_add(1)?)
        }
        _ => None,
    }
}
