//! What can go wrong with columns and shards.

use std::error::Error as StdError;
use std::panic::{self, AssertUnwindSafe};
use std::{fmt, io};

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;

/// Why columns were not collected, or a shard not written or read.
///
/// ```
/// use oanquan_columns::{Error, shard_info};
/// assert!(matches!(shard_info("no/such/file".as_ref()), Err(Error::Io(_))));
/// ```
#[derive(Debug)]
pub enum Error {
    /// There is no memory for columns of so many games.
    Memory {
        /// How many games were asked for.
        games: u64,
    },
    /// The game numbers of a shard would pass 2^64 - 1.
    Numbers,
    /// The positions of this game are too long a text for one row.
    TooLong {
        /// The number of the game.
        game: u64,
    },
    /// It was told to stop.
    Stopped,
    /// The file system refused, with the number of its error if it gave one.
    Io(io::Error),
    /// The file is no complete shard; why.
    Damaged(String),
    /// The bytes are no columns of games; why.
    NoColumns(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { games } => write!(f, "no memory for columns of {games} games"),
            Self::Numbers => write!(f, "games: expected numbers below 2^64, got more"),
            Self::TooLong { game } => write!(f, "game {game}: the text of its positions is too long for a column"),
            Self::Stopped => write!(f, "stopped"),
            Self::Io(error) => error.fmt(f),
            Self::Damaged(reason) => write!(f, "not a complete shard: {reason}"),
            Self::NoColumns(reason) => write!(f, "not columns of games: {reason}"),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        // A file that ends too early is no fault of the file system.
        if error.kind() == io::ErrorKind::UnexpectedEof { Self::Damaged(error.to_string()) } else { Self::Io(error) }
    }
}

impl From<ParquetError> for Error {
    fn from(error: ParquetError) -> Self {
        from_chain(&error)
    }
}

impl From<ArrowError> for Error {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, error) => error.into(),
            other => from_chain(&other),
        }
    }
}

/// What the file system said, wherever it stands in the chain of causes.
fn from_chain(error: &(dyn StdError + 'static)) -> Error {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(number) = error.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error) {
            return Error::Io(io::Error::from_raw_os_error(number));
        }
        cause = error.source();
    }
    Error::Damaged(match error.downcast_ref() {
        Some(ParquetError::General(message)) => message.clone(),
        _ => error.to_string(),
    })
}

/// Reads what others may have damaged: where the decoder panics over it, the file is damaged too.
pub(crate) fn decoding<T>(read: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    panic::catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(Error::Damaged(String::from("its parts do not fit together"))))
}
